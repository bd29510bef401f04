// A board in the page: its telemetry from a serial port or from a recorded file.

/** Bytes of a file between two breaths, so that a recording is watched and not only seen to end. */
const PIECE = 160;
const BAUD = 115200;

export const hasSerial = () => "serial" in navigator;

/** A source of telemetry. `hear` is called with bytes, `tell` with what happens to the connection. */
export class Board {
  #isOpen = true;
  #port = null;
  #reader = null;

  constructor(hear, tell) {
    Object.assign(this, { hear, tell });
  }

  get isOpen() {
    return this.#isOpen;
  }

  /** Asks for a port and reads it until it is gone or the board is closed. */
  async connect() {
    this.#port = await navigator.serial.requestPort();
    await this.#port.open({ baudRate: BAUD });
    this.tell("Connected. What is being learned is repeated every few events, so this takes a moment.");
    while (this.#isOpen && this.#port.readable) {
      this.#reader = this.#port.readable.getReader();
      try {
        for (;;) {
          const { value, done } = await this.#reader.read();
          if (done) return this.#end("The port was closed.");
          await this.hear(value);
        }
      } catch (error) {
        // Noise on the line is an error of the reader, which can be replaced; a port that is gone is not readable.
        if (this.#isOpen && !this.#port.readable) this.#end(`The board is gone: ${error.message}`);
      } finally {
        this.#reader.releaseLock();
      }
    }
  }

  /** Replays a recording, about as fast as a person can follow. */
  async replay(bytes, delay) {
    for (let from = 0; from < bytes.length && this.#isOpen; from += PIECE) {
      await this.hear(bytes.slice(from, from + PIECE));
      if (delay()) await new Promise((resolve) => setTimeout(resolve, delay()));
    }
    if (this.#isOpen) this.#end("That was all of the recording.");
  }

  #end(text) {
    if (this.#isOpen) this.tell(text);
  }

  async close() {
    this.#isOpen = false;
    await this.#reader?.cancel().catch(() => {});
    await this.#port?.close().catch(() => {});
  }
}
