// The flash of a Raspberry Pi Pico, a W25Q16JV: erased to ones, programmed to zeros, and slow at both.
//
// With a file it outlives the process, which may be ended at any time, as the power of a board may be cut: whatever is
// erased or programmed is written to the file at once.

import { existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';

export const FLASH_BYTES = 2 * 1024 * 1024;
const SECTOR = 4096;
const PAGE = 256;
// The typical times of the datasheet. The longest are 400 ms and 3 ms.
const NANOS_PER_SECTOR = 45e6;
const NANOS_PER_PAGE = 0.4e6;

export class Flash {
  #bytes;
  #file = null;

  /** Puts an image, as pairs of an offset and the bytes there, over what is in `file`. */
  constructor(bytes, segments, file) {
    this.#bytes = bytes;
    if (file !== undefined && existsSync(file)) {
      const kept = readFileSync(file);
      if (kept.length !== FLASH_BYTES) throw new Error(`${file} has ${kept.length} bytes, not ${FLASH_BYTES}`);
      bytes.set(kept);
    }
    for (const [offset, segment] of segments) {
      if (offset + segment.length > FLASH_BYTES) throw new Error('the image is larger than the flash');
      bytes.set(segment, offset);
    }
    if (file === undefined) return;
    writeFileSync(file, bytes.subarray(0, FLASH_BYTES));
    this.#file = openSync(file, 'r+');
  }

  /** Erases whole sectors, and returns the time that it takes, in nanoseconds. */
  erase(start, length) {
    const sectors = this.#units('erase', start, length, SECTOR);
    this.#bytes.fill(0xff, start, start + length);
    this.#keep(start, length);
    return sectors * NANOS_PER_SECTOR;
  }

  /** Programs whole pages, and returns the time that it takes, in nanoseconds. */
  program(start, data) {
    const pages = this.#units('program', start, data.length, PAGE);
    for (const [index, byte] of data.entries()) this.#bytes[start + index] &= byte;
    this.#keep(start, data.length);
    return pages * NANOS_PER_PAGE;
  }

  #units(what, start, length, unit) {
    const end = start + length;
    if (start % unit !== 0 || length % unit !== 0 || end > FLASH_BYTES) {
      throw new Error(`flash: ${what} of ${start}..${end}, in units of ${unit} bytes`);
    }
    return length / unit;
  }

  #keep(start, length) {
    if (this.#file !== null) writeSync(this.#file, this.#bytes, start, length, start);
  }
}
