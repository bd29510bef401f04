// A Raspberry Pi Pico: rp2040js, with what it needs to run embassy, and with eyes on the image.

import { RP2040 } from 'rp2040js';

const VECTORS = 0x10000100;
const RAM = 0x20000000;
const LED = 25;
const NEWLINE = 0x0a;

export class Pico {
  /** Whether the image has panicked or hit a breakpoint. */
  halted = false;
  /** Is called with every line that comes over UART0. */
  onLine = () => {};
  #mcu = new RP2040();
  #nanosPerCycle = 1e9 / this.#mcu.clkSys;
  #idleCycles = 0;
  #stackTop;
  #stackLowest;
  #ledGaps = { shortest: Infinity, longest: 0 };

  /** Does what the boot ROM does, but for the second stage: the emulated flash is ready as it is. */
  constructor(flashSegments) {
    const { core, flash } = this.#mcu;
    this.#connect();
    for (const [offset, bytes] of flashSegments) flash.set(bytes, offset);
    core.VTOR = VECTORS;
    core.reset();
    this.#stackTop = this.#stackLowest = core.SP;
  }

  get sram() {
    return this.#mcu.sram;
  }

  get programCounter() {
    return `0x${this.#mcu.core.PC.toString(16)}`;
  }

  get cycles() {
    return this.#mcu.core.cycles + this.#idleCycles;
  }

  /** What has been seen so far. */
  get results() {
    const results = {
      cycles: this.cycles,
      busy_cycles: this.#mcu.core.cycles,
      stack_bytes: this.#stackTop - this.#stackLowest,
    };
    if (this.#ledGaps.longest > 0) {
      results.led_shortest_us = this.#ledGaps.shortest;
      results.led_longest_us = this.#ledGaps.longest;
    }
    return results;
  }

  /** Goes on for so many cycles, and to the end of the instruction or of the sleep. */
  run(cycles) {
    const { core, clock } = this.#mcu;
    const end = this.cycles + cycles;
    while (core.cycles + this.#idleCycles < end && !this.halted) {
      if (core.waiting) {
        const nanos = Math.max(clock.nanosToNextAlarm, 1000);
        clock.tick(nanos);
        this.#idleCycles += nanos / this.#nanosPerCycle;
      } else {
        clock.tick(core.executeInstruction() * this.#nanosPerCycle);
        if (core.SP < this.#stackLowest) this.#stackLowest = core.SP;
        if (core.SP < RAM) throw new Error('the stack overflowed');
      }
    }
  }

  #connect() {
    const mcu = this.#mcu;
    mcu.logger = {
      debug() {},
      // All that rp2040js does for SEV is to tell about it; without its effect embassy sleeps on.
      info: (_, message) => (mcu.core.eventRegistered ||= message === 'SEV'),
      warn() {},
      error(component, message) {
        throw new Error(`${component}: ${message}`);
      },
    };
    mcu.onBreak = () => (this.halted = true);
    mcu.addClockListener((hertz) => (this.#nanosPerCycle = 1e9 / hertz));
    this.#listen(mcu.uart[0]);
    this.#watch(mcu.gpio[LED]);
  }

  #listen(uart) {
    let line = [];
    uart.onByte = (byte) => {
      line.push(byte);
      if (byte !== NEWLINE) return;
      this.onLine(Buffer.from(line));
      line = [];
    };
  }

  #watch(led) {
    let last = null;
    led.addListener((_, before) => {
      const wasOutput = before <= 1;
      if (!wasOutput) return;
      const now = this.#mcu.clock.micros;
      if (last !== null) {
        this.#ledGaps.shortest = Math.min(this.#ledGaps.shortest, now - last);
        this.#ledGaps.longest = Math.max(this.#ledGaps.longest, now - last);
      }
      last = now;
    });
  }
}
