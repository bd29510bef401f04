// Numbers as people read them.

export const count = (number) => Math.round(number).toLocaleString("en");

/** With about three digits. */
export function short(number) {
  const size = Math.abs(number);
  if (size >= 100) return count(number);
  return number.toFixed(size >= 10 ? 1 : 2).replace("-", "−");
}

export const signed = (number) => (number > 0 ? "+" : "") + short(number);

/** 1,360,000 as 1.36 M. */
export function compact(number) {
  const units = [[1e6, " M"], [1e3, " k"]];
  const [unit, letter] = units.find(([unit]) => Math.abs(number) >= unit) ?? [1, ""];
  return `${+(number / unit).toPrecision(3)}${letter}`.replace("-", "−");
}

export const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
