// Charts: the learning curve of a run, and that of many.

import { compact, count } from "./numbers.js";

const SIZE = { width: 1160, height: 250, left: 58, right: 14, top: 22, bottom: 34 };

/** A test stops in the middle of a game after so many moves; see `ACTIONS` of the telemetry. */
const CUT = 1000;

/** Round numbers from 0 to at least `most`. */
function ticks(most, wanted) {
  const rough = Math.max(most, 1e-9) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, i) => i * step);
}

/** The axes, and functions that place a point between them. */
function frame({ xMost, yLeast, yMost, xTitle, yTitle, width }) {
  const { height, left, right, top, bottom } = SIZE;
  const low = Math.min(0, yLeast);
  const x = (value) => left + (value / (xMost || 1)) * (width - left - right);
  const up = ticks(yMost - low, 4).map((tick) => tick + low);
  const high = up.at(-1);
  const y = (value) => height - bottom - ((value - low) / (high - low || 1)) * (height - top - bottom);
  const lines = up.map((tick) => `<path class="axis" d="M${left} ${y(tick)}H${width - right}"/><text x="${left - 8}" y="${y(tick) + 4}" text-anchor="end">${compact(tick)}</text>`);
  const across = ticks(xMost, width < 600 ? 3 : 8).filter((tick) => tick <= xMost * 1.001);
  const marks = across.map((tick) => `<text x="${x(tick)}" y="${height - bottom + 18}" text-anchor="middle">${compact(tick)}</text>`);
  const titles = `<text x="${width - right}" y="${height - 2}" text-anchor="end">${xTitle}</text><text x="0" y="${top - 10}">${yTitle}</text>`;
  return { x, y, svg: lines.join("") + marks.join("") + titles };
}

function put(root, width, label, content) {
  root.innerHTML = `<svg viewBox="0 0 ${width} ${SIZE.height}" role="img" aria-label="${label}">${content}</svg>`;
}

const widthOf = (root) => Math.max(300, Math.min(SIZE.width, root.clientWidth || SIZE.width));

/** The curve of a story: a dot for each evaluation, and their running mean. */
export function drawCurve(root, story, unit) {
  const { curve, hello, calls, switched } = story;
  const width = widthOf(root);
  if (!curve.length) {
    put(root, width, "Learning curve, empty so far", `<text x="${width / 2}" y="${SIZE.height / 2}" text-anchor="middle">No test yet</text>`);
    return undefined;
  }
  const budget = hello?.budget?.Calls ?? calls / Math.max(story.progress, 1e-6);
  const means = curve.map(({ mean }) => mean);
  const axes = frame({ xMost: Math.max(budget || 1, calls), yLeast: Math.min(0, ...means), yMost: Math.max(1, ...means), width, xTitle: "calls of the model (simulated actions)", yTitle: `${unit} a game` });
  let smooth;
  const line = curve.map(({ calls, mean }, i) => {
    smooth = i ? smooth + (mean - smooth) / Math.min(i + 1, 8) : mean;
    return `${i ? "L" : "M"}${axes.x(calls).toFixed(1)} ${axes.y(smooth).toFixed(1)}`;
  });
  const dots = curve.map(({ calls, mean }) => `<circle class="dot" r="3" cx="${axes.x(calls).toFixed(1)}" cy="${axes.y(mean).toFixed(1)}"/>`);
  const mark = switched ? `<path class="mark" d="M${axes.x(switched)} ${SIZE.top}V${SIZE.height - SIZE.bottom}"/><text x="${axes.x(switched) + 6}" y="${SIZE.height - SIZE.bottom - 8}">from here on: weights</text>` : "";
  const cut = curve.filter(({ isWhole }) => !isWhole).map(({ mean }) => mean);
  const ceiling = cut.length ? `<text class="over" x="${SIZE.left + 6}" y="${axes.y(Math.max(...cut)) + 16}">games are cut after ${count(CUT)} moves</text>` : "";
  const end = width - SIZE.right;
  const key = `<path class="line" d="M${end - 176} 8h16"/><text x="${end - 154}" y="12">running mean</text><circle class="key" r="3" cx="${end - 58}" cy="8"/><text x="${end}" y="12" text-anchor="end">one test</text>`;
  const label = `Learning curve: ${count(means[0])} ${unit} a game at first, ${count(smooth)} now`;
  put(root, width, label, axes.svg + mark + dots.join("") + `<path class="line" d="${line.join("")}"/>` + ceiling + key);
  return smooth;
}

/** Many runs: each, their mean, and its standard error. */
export function drawSurvey(root, { at, runs, unit }) {
  const width = widthOf(root);
  const column = (i) => runs.map((scores) => scores[i]);
  const statistics = at.map((_, i) => {
    const values = column(i);
    const mean = values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(values.length - 1, 1);
    return { mean, error: Math.sqrt(variance / Math.max(values.length, 1)) };
  });
  const all = runs.flat();
  const axes = frame({ xMost: at.at(-1), yLeast: Math.min(0, ...all), yMost: Math.max(1, ...all), width, xTitle: "iterations", yTitle: `${unit} a game` });
  const path = (values) => values.map((value, i) => `${i ? "L" : "M"}${axes.x(at[i]).toFixed(1)} ${axes.y(value).toFixed(1)}`).join("");
  const each = runs.map((scores) => `<path class="one" d="${path(scores)}"/>`).join("");
  const edge = (sign) => statistics.map(({ mean, error }, i) => `${axes.x(at[i]).toFixed(1)} ${axes.y(mean + sign * error).toFixed(1)}`);
  const band = `<path class="band" d="M${[...edge(1), ...edge(-1).reverse()].join("L")}Z"/>`;
  const last = statistics.at(-1);
  put(root, width, `${runs.length} runs: ${count(last.mean)} ${unit} a game at the end on average`, axes.svg + each + band + `<path class="line" d="${path(statistics.map(({ mean }) => mean))}"/>`);
  return last;
}
