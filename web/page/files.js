// Files that are opened in the lab too: weights and checkpoints.

const LABEL = "ipse checkpoint: ";

export function download(name, content, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** Weights as `cargo ipse train --out` writes them. Those that were set by hand are of no run. */
export function weightsFile({ task, features, weights, run }) {
  const file = { task, features: features.map(({ name }) => name), weights, ...run };
  // A seed has more digits than a number of JavaScript.
  return JSON.stringify(file).replace(/"seed":"(\d+)"/, '"seed":$1') + "\n";
}

/** What is in a file: { weights } or { label, checkpoint }. Fails with what is wrong with it. */
export function readFile(bytes, about) {
  const start = new TextDecoder().decode(bytes.slice(0, 2000));
  if (start.startsWith(LABEL)) {
    return { label: start.slice(LABEL.length).split("\n")[0], checkpoint: bytes };
  }
  if (start.startsWith("IPSE")) return { label: about.label, checkpoint: bytes };
  let file;
  try {
    file = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error("it is neither a checkpoint nor JSON with weights, as `cargo ipse train` writes them");
  }
  return { weights: weightsOf(file, about) };
}

function weightsOf(file, { task, features }) {
  const names = features.map(({ name }) => name);
  const list = (words) => words.join(", ");
  if (!Array.isArray(file?.weights)) throw new Error(`it has no "weights"; expected {"weights":[${names.length} numbers]}`);
  if (file.task && file.task !== task) throw new Error(`its task is ${file.task}; choose that task, and open it again (now: ${task})`);
  if (file.features && list(file.features) !== list(names)) throw new Error(`its features are ${list(file.features)}; those of ${task} are ${list(names)}`);
  if (file.weights.length !== names.length) throw new Error(`it has ${file.weights.length} weights; ${task} has ${names.length} features`);
  const wrong = file.weights.findIndex((weight) => !Number.isFinite(Math.fround(weight)) || typeof weight !== "number");
  if (wrong >= 0) throw new Error(`its weight of ${names[wrong]} (${file.weights[wrong]}) is not a number of 32 bits`);
  return file.weights;
}
