// Runs an RP2040 image, as it would be flashed, without a board.
//
//     node run.mjs ELF [--telemetry FILE] [--usb] [--commands FILE] [--display FILE] [--flash FILE] [--cycles N] [--until TEXT]
//
// What the image sends over UART0, or with --usb over its USB port, goes to the file of --telemetry, byte by byte. If that is `-`, it goes to stdout, not
// faster than a board would send it, until nobody reads it any more. Without --telemetry it is text, line by line on
// stdout, and the run ends at the first line that contains TEXT, or after N cycles, which is a failure if there was a
// TEXT to wait for.
//
// With --commands the bytes of a file go to the USB port, and so does whatever is appended to it while the image runs.
//
// With --display an SSD1306 is connected, and each picture that it shows goes to a file, as the 1024 bytes of its memory.
//
// The flash is kept in the file of --flash, so that a run goes on from what another one has saved.
//
// What was seen of the image follows, one `name value` a line, on stderr if telemetry is on stdout: the cycles, those
// that it did not sleep, the depth of the stack, the shortest and the longest time between two changes of the LED.

import { openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { flashSegments } from './elf.mjs';

const USAGE =
  'usage: node run.mjs ELF [--telemetry FILE] [--usb] [--commands FILE] [--display FILE] [--flash FILE] [--cycles N] [--until TEXT]';
const [STDOUT, STDERR] = [1, 2];
const NEWLINE = 0x0a;
// From one look at what the image has sent to the next.
const CYCLES_BETWEEN_LOOKS = 50_000;
// A display for which nothing comes for so long shows a whole picture. The image waits longer from one to the next.
const SECONDS_BETWEEN_PICTURES = 0.05;

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
    telemetry: { type: 'string' },
    usb: { type: 'boolean' },
    commands: { type: 'string' },
    display: { type: 'string' },
    flash: { type: 'string' },
    cycles: { type: 'string' },
    until: { type: 'string' },
  };
  const parse = () => parseArgs({ options: known, allowPositionals: true });
  const { values, positionals } = attempt(() => USAGE, parse);
  const isWatched = values.telemetry === '-';
  const cycles = Number(values.cycles ?? (isWatched ? Infinity : 30e9));
  if (positionals.length !== 1) fail(USAGE);
  if (values.commands !== undefined && !values.usb) fail('--commands go over USB: give --usb too');
  if (!(cycles > 0)) fail(`--cycles ${values.cycles}: give a number above 0, such as 2e9`);
  return { ...values, isWatched, cycles, elf: positionals[0] };
}

function sleep(seconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000 * seconds);
}

/** Writes all of the bytes. Ends the run, which is a success, if nobody reads them any more. */
function write(output, bytes) {
  let rest = Buffer.from(bytes);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(output, rest));
    } catch (error) {
      if (error.code === 'EPIPE') process.exit(0);
      if (error.code !== 'EAGAIN') fail(`the output: ${error.message}`);
      sleep(0.001);
    }
  }
}

const { elf, telemetry, usb, commands, display, flash, isWatched, cycles, until } = options();
const segments = attempt(() => elf, () => flashSegments(readFileSync(elf)));
const raw = isWatched ? STDOUT : telemetry && attempt(() => telemetry, () => openSync(telemetry, 'w'));
const orders = commands && attempt(() => commands, () => openSync(commands, 'r'));
const pictures = display && attempt(() => display, () => openSync(display, 'w'));
const text = isWatched ? STDERR : STDOUT;
const { Pico } = await import('./pico.mjs').catch(({ code, message }) => {
  const missing = code === 'ERR_MODULE_NOT_FOUND';
  fail(missing ? 'rp2040js is missing: run `npm ci` in the folder of run.mjs' : message);
});

const pico = attempt(() => elf, () => new Pico(segments, flash));
let sent = [];
let awaited = false;
const take = (byte) => {
  sent.push(byte);
  if (raw !== undefined || byte !== NEWLINE) return;
  awaited ||= until !== undefined && Buffer.from(sent).includes(until);
  // Cycles are counted up to this line.
  if (awaited) pico.stop();
  write(text, sent);
  sent = [];
};

if (usb) {
  pico.onUsb = (bytes) => bytes.forEach(take);
  pico.plugIn();
} else {
  pico.onByte = take;
}

/** Sends what is new in the file of commands, as soon as the board takes it. */
let order = Buffer.alloc(0);
function sendOrders() {
  if (order.length === 0) {
    const packet = Buffer.alloc(64);
    order = packet.subarray(0, readSync(orders, packet));
  }
  if (order.length > 0 && pico.sendUsb(order)) order = Buffer.alloc(0);
}

/** Keeps what the display shows, as soon as nothing more is drawn for a moment. */
const panel = pictures && pico.connectDisplay();
let drawnAt = 0;
function keepPicture() {
  if (panel.isDrawn) {
    panel.isDrawn = false;
    drawnAt = pico.seconds;
  } else if (drawnAt !== 0 && pico.seconds - drawnAt > SECONDS_BETWEEN_PICTURES) {
    drawnAt = 0;
    if (panel.isOn) write(pictures, panel.frame);
  }
}

const start = performance.now();
while (!awaited && pico.trouble === null && pico.cycles < cycles) {
  attempt(() => `the image was at ${pico.programCounter}`, () => pico.run(CYCLES_BETWEEN_LOOKS));
  if (orders !== undefined) sendOrders();
  if (pictures !== undefined) keepPicture();
  if (raw === undefined) continue;
  write(raw, sent);
  sent = [];
  const ahead = pico.seconds - (performance.now() - start) / 1000;
  if (isWatched && ahead > 0) sleep(ahead);
}

for (const [name, value] of Object.entries(pico.results)) {
  write(text, `${name} ${Math.round(value)}\n`);
}
if (pico.trouble !== null) fail(pico.trouble);
if (until !== undefined && !awaited) fail(`no line with "${until}" within ${cycles} cycles`);
