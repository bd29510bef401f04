// Runs the module of WebAssembly with words as its command line: node run.mjs MODULE WORD...

import { readFileSync, writeSync } from 'node:fs';

const [file, ...words] = process.argv.slice(2);
const bytes = (start, length) => new Uint8Array(instance.exports.memory.buffer, start, length);
const machine = {
  words: (to, capacity) => new TextEncoder().encodeInto(words.join(' '), bytes(to, capacity)).written,
  write: (text, length) => writeSync(1, bytes(text, length)),
};
const { instance } = await WebAssembly.instantiate(readFileSync(file), { machine });
instance.exports.main();
