// A Raspberry Pi Pico: rp2040js, with what it needs to run embassy, and with eyes on the image.

import { RP2040, USBCDC } from 'rp2040js';
import { Flash } from './flash.mjs';
import { BootRom } from './rom.mjs';
import { Ssd1306 } from './ssd1306.mjs';

const VECTORS = 0x10000100;
const RAM = 0x20000000;
const LED = 25;
const WATCHDOG = 0x40058;
// The registers of the buffers for what comes over USB, and their flag.
const OUT_BUFFERS = 0x84;
const AVAILABLE = 1 << 10;

export class Pico {
  /** Why the image does not go on, if it does not. */
  trouble = null;
  /** Is called with every byte that comes over UART0. */
  onByte = () => {};
  /** Is called with the bytes that come over USB, if a host is plugged in. */
  onUsb = () => {};
  #isRunning = true;
  #mcu = new RP2040();
  #rom;
  #nanosPerCycle = 1e9 / this.#mcu.clkSys;
  #idleCycles = 0;
  #romNanos = 0;
  #stackTop;
  #stackLowest;
  #usb = null;
  #room = 0;
  #ledGaps = { shortest: Infinity, longest: 0 };

  /** Does what the boot ROM does, but for the second stage: the emulated flash is ready as it is. */
  constructor(segments, flashFile) {
    const { core, flash } = this.#mcu;
    this.#rom = new BootRom(this.#mcu, new Flash(flash, segments, flashFile));
    this.#connect();
    core.VTOR = VECTORS;
    core.reset();
    this.#stackTop = this.#stackLowest = core.SP;
  }

  get programCounter() {
    return `0x${this.#mcu.core.PC.toString(16)}`;
  }

  get cycles() {
    return this.#mcu.core.cycles + this.#idleCycles;
  }

  /** The time since the board was started, in seconds. */
  get seconds() {
    return this.#mcu.clock.nanos / 1e9;
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

  /** Plugs a cable with a host in. It fetches whatever is sent, at once. */
  plugIn() {
    const { usbCtrl } = this.#mcu;
    this.#usb = new USBCDC(usbCtrl);
    this.#usb.onSerialData = (bytes) => this.onUsb(bytes);
    // On the chip a buffer stays available until a packet has come; rp2040js takes that back at once, and its host sends
    // empty packets.
    usbCtrl.onEndpointRead = (endpoint, size) => {
      if (endpoint !== this.#usb.outEndpoint) return;
      this.#room = size;
      this.#setAvailable(true);
    };
  }

  /** Connects a display to pins 6 and 7. */
  connectDisplay() {
    const display = new Ssd1306();
    display.connect(this.#mcu.i2c[0]);
    return display;
  }

  /** Sends bytes over USB. Returns whether the board takes them; if not, it may do so later. */
  sendUsb(bytes) {
    if (bytes.length > this.#room) return false;
    this.#room = 0;
    this.#setAvailable(false);
    this.#mcu.usbCtrl.finishRead(this.#usb.outEndpoint, bytes);
    return true;
  }

  #setAvailable(isAvailable) {
    const { usbDPRAMView } = this.#mcu;
    const register = OUT_BUFFERS + 8 * this.#usb.outEndpoint;
    const value = usbDPRAMView.getUint32(register, true) & ~AVAILABLE;
    usbDPRAMView.setUint32(register, isAvailable ? value | AVAILABLE : value, true);
  }

  /** Ends the run before the next instruction. */
  stop() {
    this.#isRunning = false;
  }

  /** Goes on for so many cycles, and to the end of the instruction or of the sleep. */
  run(cycles) {
    const { core, clock } = this.#mcu;
    const end = this.cycles + cycles;
    while (core.cycles + this.#idleCycles < end && this.#isRunning) {
      if (core.waiting) {
        const nanos = Math.max(clock.nanosToNextAlarm, 1000);
        clock.tick(nanos);
        this.#idleCycles += nanos / this.#nanosPerCycle;
      } else {
        clock.tick(core.executeInstruction() * this.#nanosPerCycle);
        if (core.SP < this.#stackLowest) this.#stackLowest = core.SP;
        if (core.SP < RAM) throw new Error('the stack overflowed');
        if (this.#romNanos > 0) this.#waitForRom();
      }
    }
  }

  /** Flash is slow, and the core waits for it. */
  #waitForRom() {
    const { core, clock } = this.#mcu;
    core.cycles += Math.round(this.#romNanos / this.#nanosPerCycle);
    clock.tick(this.#romNanos);
    this.#romNanos = 0;
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
    mcu.onBreak = (number) => {
      if (this.#rom.has(mcu.core.PC)) this.#romNanos += this.#rom.call(number);
      else this.#fail('the image panicked or hit a breakpoint');
    };
    mcu.peripherals[WATCHDOG].onWatchdogTrigger = () => this.#fail('the watchdog was not fed in time');
    mcu.addClockListener((hertz) => (this.#nanosPerCycle = 1e9 / hertz));
    mcu.uart[0].onByte = (byte) => this.onByte(byte);
    this.#watch(mcu.gpio[LED]);
  }

  #fail(trouble) {
    this.trouble = `${trouble}; the image was at ${this.programCounter}`;
    this.stop();
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
