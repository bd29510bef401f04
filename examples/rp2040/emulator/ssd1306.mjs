// An SSD1306 at the end of an I2C bus: what a driver writes to it, as the pixels that one would see.
//
// Commands and their arguments are in the datasheet of the SSD1306, 10.1; what comes before data and commands on I2C in
// 8.1.5. It knows what a driver of 128x64 pixels needs, in horizontal addressing mode, and refuses everything else.

const [COLUMNS, PAGES] = [128, 8];
export const ADDRESS = 0x3c;
// The control byte: whether data or commands follow.
const [COMMANDS, DATA] = [0x00, 0x40];
const HORIZONTAL = 0;

export class Ssd1306 {
  /** Whether anything has been drawn since this was last set to false. */
  isDrawn = false;
  /** Whether the display is on. */
  isOn = false;
  // As after power on: whatever was in memory.
  #memory = new Uint8Array(COLUMNS * PAGES).fill(0xa5);
  #mode = 2;
  #columns = [0, COLUMNS - 1];
  #pages = [0, PAGES - 1];
  #at = [0, 0];
  // What the driver has turned round, which has to be both or neither.
  #turned = { columns: false, rows: false };
  #control = null;
  #command = [];

  /** The pixels as pages from the top, in each a byte for each column, whose lowest bit is the highest row. */
  get frame() {
    return this.#memory.slice();
  }

  /** Puts it on a bus of rp2040js. */
  connect(i2c) {
    i2c.onConnect = (address) => {
      this.#control = null;
      i2c.completeConnect(address === ADDRESS);
    };
    i2c.onWriteByte = (byte) => {
      this.#write(byte);
      i2c.completeWrite(true);
    };
    i2c.onStop = () => {
      if (this.#command.length > 0) throw new Error(`SSD1306: the command ${this.#command} is cut short`);
      i2c.completeStop();
    };
  }

  #write(byte) {
    if (this.#control === null) {
      if (byte !== COMMANDS && byte !== DATA) throw new Error(`SSD1306: the control byte ${byte}`);
      this.#control = byte;
    } else if (this.#control === DATA) {
      this.#draw(byte);
    } else {
      this.#command.push(byte);
      if (this.#obey(...this.#command)) this.#command = [];
    }
  }

  #draw(byte) {
    if (this.#mode !== HORIZONTAL) throw new Error(`SSD1306: data in the addressing mode ${this.#mode}`);
    const [column, page] = this.#at;
    this.#memory[page * COLUMNS + column] = byte;
    this.isDrawn = true;
    if (column < this.#columns[1]) this.#at = [column + 1, page];
    else this.#at = [this.#columns[0], page < this.#pages[1] ? page + 1 : this.#pages[0]];
  }

  /** Does what a command says, and returns whether it is complete. */
  #obey(code, ...given) {
    const takes = ARGUMENTS[code];
    if (takes === undefined) throw new Error(`SSD1306: the command ${code}`);
    if (given.length < takes) return false;
    if (code === 0x20) this.#mode = given[0];
    if (code === 0x21) this.#columns = this.#range('columns', given, COLUMNS);
    if (code === 0x22) this.#pages = this.#range('pages', given, PAGES);
    if (code === 0x21 || code === 0x22) this.#at = [this.#columns[0], this.#pages[0]];
    if (code === 0xa0 || code === 0xa1) this.#turned.columns = code === 0xa1;
    if (code === 0xc0 || code === 0xc8) this.#turned.rows = code === 0xc8;
    if (code === 0xae || code === 0xaf) this.isOn = code === 0xaf;
    const { columns, rows } = this.#turned;
    if (this.isOn && columns !== rows) throw new Error('SSD1306: the picture is a mirror image');
    return true;
  }

  #range(what, [first, last], count) {
    if (first > last || last >= count) throw new Error(`SSD1306: ${what} ${first} to ${last}, of ${count}`);
    return [first, last];
  }
}

// The number of arguments of each command.
const ARGUMENTS = {
  0x20: 1, // addressing mode
  0x21: 2, // columns
  0x22: 2, // pages
  0x2e: 0, // no scrolling
  0x40: 0, // first row
  0x81: 1, // contrast
  0x8d: 1, // charge pump
  0xa0: 0, // columns from the left
  0xa1: 0, // columns from the right
  0xa4: 0, // shows the memory
  0xa6: 0, // not inverted
  0xa8: 1, // rows
  0xae: 0, // off
  0xaf: 0, // on
  0xc0: 0, // rows from the top
  0xc8: 0, // rows from the bottom
  0xd3: 1, // offset
  0xd5: 1, // clock
  0xd9: 1, // precharge
  0xda: 1, // wiring of the rows
  0xdb: 1, // deselect level
};
