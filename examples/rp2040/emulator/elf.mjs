// What of an ELF file a programmer would write into the flash of an RP2040.

const FLASH = 0x10000000;
const LOAD = 1;

/** The contents of the flash: pairs of an offset and the bytes there. */
export function flashSegments(file) {
  const isElf32 = file.length >= 52 && file.readUInt32BE(0) === 0x7f454c46 && file[4] === 1;
  if (!isElf32) throw new Error('it is not a 32-bit ELF file');
  const [start, size, count] = [file.readUInt32LE(28), file.readUInt16LE(42), file.readUInt16LE(44)];
  const segments = [];
  for (let header = start; header < start + size * count; header += size) {
    if (header + 32 > file.length) throw new Error('it is cut short');
    const [type, offset, , address, length] = [0, 4, 8, 12, 16].map((at) => file.readUInt32LE(header + at));
    if (type !== LOAD || length === 0) continue;
    if (offset + length > file.length) throw new Error('it is cut short');
    if (address >>> 24 !== FLASH >>> 24) throw new Error('it is not linked for the flash of an RP2040');
    segments.push([address - FLASH, file.subarray(offset, offset + length)]);
  }
  if (segments.length === 0) throw new Error('it has nothing to load');
  return segments;
}
