// 400 iterations of IPSE by a module of the page, as its worker runs them, and the CPU time of all threads from the
// compilation of the module to the end, without the start of node: node bench.mjs MODULE SEED

import { readFileSync } from 'node:fs';

const [file, seed] = process.argv.slice(2);
const bytes = readFileSync(file);
const began = process.cpuUsage();
const { exports: wasm } = new WebAssembly.Instance(new WebAssembly.Module(bytes));

function ask(question, ...numbers) {
  const length = wasm[question](...numbers);
  return JSON.parse(new TextDecoder().decode(new Uint8Array(wasm.memory.buffer, wasm.output(), length)));
}

const learner = ask('about').learners.indexOf('ipse');
ask('start', learner, Number(seed), 0, 0);
for (let isDone = false; !isDone; ) {
  const { progress, events } = ask('learn', 2000, 1e9);
  isDone = progress.is_done;
  for (const { fingerprint } of events) if (isDone && fingerprint) console.log(`fingerprint ${fingerprint}`);
}
const { user, system } = process.cpuUsage(began);
console.log(`cpu ${(user + system) / 1e6} s`);
