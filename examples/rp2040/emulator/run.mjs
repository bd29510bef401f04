// Runs an RP2040 image, as it would be flashed, without a board.
//
//     node run.mjs ELF [--cycles N] [--until TEXT] [--rtt FILE]
//
// prints what the image sends over UART0, and stops at the first line that contains TEXT, or after
// N cycles, which is a failure if there was a TEXT to wait for. What was seen of it follows, one
// `name value` a line: the cycles, those that it did not sleep, the depth of the stack, the shortest
// and the longest time between two changes of the LED. With --rtt the defmt frames go to a file, or
// to stdout if FILE is `-`; everything else is on stderr then.

import { openSync, readFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { flashSegments } from './elf.mjs';
import { Rtt } from './rtt.mjs';

const USAGE = 'usage: node run.mjs ELF [--cycles N] [--until TEXT] [--rtt FILE]';
const [STDOUT, STDERR] = [1, 2];
// How often the RTT ring is emptied; a probe is slower.
const CYCLES_BETWEEN_DRAINS = 10_000;

function fail(message) {
  console.error(`run.mjs: ${message}`);
  process.exit(1);
}

/** The result of `action`, or the end, with one line that says `what` failed and why. */
function attempt(what, action) {
  try {
    return action();
  } catch (error) {
    return fail(`${what()}: ${error.message.split('\n')[0]}`);
  }
}

function options() {
  const known = {
    cycles: { type: 'string', default: '30e9' },
    until: { type: 'string' },
    rtt: { type: 'string' },
  };
  const parse = () => parseArgs({ options: known, allowPositionals: true });
  const { values, positionals } = attempt(() => USAGE, parse);
  const cycles = Number(values.cycles);
  if (positionals.length !== 1) fail(USAGE);
  if (!(cycles > 0)) fail(`--cycles ${values.cycles}: give a number above 0, such as 2e9`);
  return { ...values, cycles, elf: positionals[0] };
}

/** What to do now and then with the RTT ring of the image. */
function drain(pico, output) {
  if (output === undefined) return () => {};
  const rtt = new Rtt(pico.sram);
  return () => write(output, rtt.drain());
}

function write(output, bytes) {
  attempt(() => 'nobody reads the output', () => writeSync(output, bytes));
}

const { elf, cycles, until, rtt } = options();
const segments = attempt(() => elf, () => flashSegments(readFileSync(elf)));
const rttOutput = rtt === '-' ? STDOUT : rtt && attempt(() => rtt, () => openSync(rtt, 'w'));
const textOutput = rttOutput === STDOUT ? STDERR : STDOUT;
const { Pico } = await import('./pico.mjs').catch(({ code, message }) => {
  const missing = code === 'ERR_MODULE_NOT_FOUND';
  fail(missing ? 'rp2040js is missing: run `npm ci` in the folder of run.mjs' : message);
});

const pico = new Pico(segments);
let awaited = false;
pico.onLine = (line) => {
  write(textOutput, line);
  awaited ||= until !== undefined && line.includes(until);
};
const drainRtt = drain(pico, rttOutput);
while (!awaited && !pico.halted && pico.cycles < cycles) {
  attempt(() => `the image was at ${pico.programCounter}`, () => pico.run(CYCLES_BETWEEN_DRAINS));
  drainRtt();
}

for (const [name, value] of Object.entries(pico.results)) {
  write(textOutput, `${name} ${Math.round(value)}\n`);
}
if (pico.halted) fail(`the image panicked or hit a breakpoint at ${pico.programCounter}; --rtt tells why`);
if (until !== undefined && !awaited) fail(`no line with "${until}" within ${cycles} cycles`);
