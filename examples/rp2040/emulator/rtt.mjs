// Does what a probe does to read defmt's frames: empties the ring of the first RTT channel.

const RAM = 0x20000000;
const ID = 'SEGGER RTT\0';
// In words, from the control block on: the first channel's fields.
const [BUFFER, SIZE, WRITE, READ, FLAGS] = [7, 8, 9, 10, 11];
const BLOCK_IF_FULL = 2;

export class Rtt {
  #sram;
  #words = null;

  constructor(sram) {
    this.#sram = Buffer.from(sram.buffer, sram.byteOffset, sram.length);
  }

  /** The bytes that the image has written since the last call. */
  drain() {
    const words = (this.#words ??= this.#attach());
    if (words === null || words[WRITE] === words[READ]) return Buffer.alloc(0);
    const [start, size, write, read] = [BUFFER, SIZE, WRITE, READ].map((field) => words[field]);
    words[READ] = write;
    const ring = this.#sram.subarray(start - RAM, start - RAM + size);
    const wrapped = [ring.subarray(read), ring.subarray(0, write)];
    return Buffer.concat(read < write ? [ring.subarray(read, write)] : wrapped);
  }

  /** From now on the image waits while the ring is full, so that nothing is lost. */
  #attach() {
    const block = this.#sram.indexOf(ID, 0, 'latin1');
    if (block < 0 || block % 4 !== 0) return null;
    const words = new Uint32Array(this.#sram.buffer, this.#sram.byteOffset + block, 12);
    // The start-up code copies the block into RAM, word by word.
    if (words[FLAGS] === 0) return null;
    words[FLAGS] = BLOCK_IF_FULL;
    return words;
  }
}
