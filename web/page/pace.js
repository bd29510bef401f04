// How fast to learn: as fast as boards do, which was measured, or as this machine can.

/** The seconds of whole runs on boards, as the README has them; the build fills them in. */
const MEASURED = JSON.parse(document.getElementById("measured").textContent);

export const SPEEDS = [
  { name: "pico", about: "as on a Pico", board: "rp2040", factor: 1, moves: 3 },
  { name: "stm32f405", about: "as on an STM32F405", board: "stm32f405", factor: 1, moves: 4 },
  { name: "4x", about: "4 × an STM32F405", board: "stm32f405", factor: 4, moves: 8 },
  { name: "16x", about: "16 × an STM32F405", board: "stm32f405", factor: 16, moves: 15 },
  { name: "full", about: "as fast as this machine can", factor: Infinity, moves: 30 },
];

/** The seconds that an iteration and a call take. Tasks that were not measured are taken to be like the one of the paper. */
export function pace({ board, factor }, task, algorithm) {
  if (!board) return null;
  const kind = algorithm.startsWith("ipse") ? "ipse" : "search";
  const { unit, amount, seconds } = MEASURED[`${task} ${kind}`] ?? MEASURED[`tetris ${kind}`];
  const each = seconds[board] / amount / factor;
  return unit === "iterations" ? { iteration: each, call: 0 } : { iteration: 0, call: each };
}
