// A boot ROM for rp2040js with what embassy's flash driver calls, and nothing else.
//
// How functions are looked up, what they are called and what they take is in the datasheet of the RP2040, 2.8.2 and
// 2.8.3. Each function here is a breakpoint, whose number says what JavaScript has to do, and a return.

const RAM = 0x20000000;
const ROM_BYTES = 16 * 1024;
const XIP = 0x10000000;
const XIP_CONTROL = 0x14000;
// In words: the pointer to the function that looks up others, and where functions are.
const [LOOKUP, FUNCTIONS] = [0x18 / 4, 0x20 / 4];
const BREAKPOINT_AND_RETURN = 0x4770be00;
const THUMB = 1;

export class BootRom {
  #mcu;
  #flash;
  #functions;

  constructor(mcu, flash) {
    this.#mcu = mcu;
    this.#flash = flash;
    const nothing = () => 0;
    this.#functions = [
      ['lookup', (_table, tag) => this.#lookUp(tag)],
      ['IF', nothing], // connect_internal_flash
      ['EX', nothing], // flash_exit_xip
      ['RE', (start, length) => this.#flash.erase(start, length)],
      ['RP', (start, data, length) => this.#flash.program(start, this.#read(data, length))],
      ['FC', nothing], // flash_flush_cache
      ['CX', nothing], // flash_enter_cmd_xip
      ['C4', (to, from, length) => this.#copy(to, from, length)], // memcpy44
    ];
    this.#functions.forEach((_, number) => (mcu.bootrom[FUNCTIONS + number] = BREAKPOINT_AND_RETURN | number));
    mcu.bootrom[LOOKUP] = this.#address(0);
    // rp2040js knows no control of the flash cache, whose registers are zero when it has nothing to do.
    mcu.peripherals[XIP_CONTROL] = { readUint32: () => 0, writeUint32Atomic() {} };
  }

  /** Returns whether an address is in the ROM. */
  has(address) {
    return address < ROM_BYTES;
  }

  /** Does what the function with this number does, and returns the time that it takes, in nanoseconds. */
  call(number) {
    const [, action] = this.#functions[number];
    return action(...this.#mcu.core.registers.subarray(0, 4));
  }

  #address(number) {
    return (FUNCTIONS + number) * 4 + THUMB;
  }

  #lookUp(tag) {
    const name = String.fromCharCode(tag & 0xff, tag >> 8);
    const number = this.#functions.findIndex(([known]) => known === name);
    if (number < 0) throw new Error(`the emulated boot ROM has no function ${name}`);
    this.#mcu.core.registers[0] = this.#address(number);
    return 0;
  }

  #copy(to, from, length) {
    const bytes = this.#read(from, length);
    this.#mcu.sram.set(bytes, to - RAM);
    return 0;
  }

  #read(address, length) {
    const [memory, start] = address >= RAM ? [this.#mcu.sram, RAM] : [this.#mcu.flash, XIP];
    return memory.slice(address - start, address - start + length);
  }
}
