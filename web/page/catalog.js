// What the page can learn. Each entry has a module of its own in `web/modules`, which is loaded when it is chosen.

export const CATALOG = [
  { task: "tetris", features: "paper", module: "tetris-paper", about: "the paper's eight" },
  { task: "tetris", features: "diverse", module: "tetris-diverse", about: "and pattern diversity" },
  { task: "tetris", features: "surface", module: "tetris-surface", about: "surface, eight others" },
  { task: "tetris", features: "surface-nine", module: "tetris-surface-nine", about: "surface, nine" },
  { task: "foraging", features: "", module: "foraging", about: "" },
  { task: "sensor-node", features: "", module: "sensor-node", about: "" },
  { task: "cart-pole", features: "", module: "cart-pole", about: "" },
  { task: "intersection", features: "", module: "intersection", about: "" },
];

// The learners by the names that the modules have for them, and how the lab is asked for the same.
export const LEARNERS = {
  "ipse-paper": { about: "IPSE, as in the paper", command: "--algorithm ipse-paper" },
  ipse: { about: "IPSE", command: "--algorithm ipse" },
  survival: { about: "search by survival", command: "--algorithm search --survival" },
  returns: { about: "search by return", command: "--algorithm search --returns" },
};
