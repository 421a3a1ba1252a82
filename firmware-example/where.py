"""Where the instructions of a call go that the program `costs` counts.

A debugger brings QEMU to the call, and QEMU's log has each instruction from there on. It counts for the
function of the sources that it comes from, inlined or not; where that is one of a library, for whoever has
inlined it. Needs llvm-symbolizer.
"""

import collections
import contextlib
import functools
import json
import pathlib
import re
import socket
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "no-panic"))
from image import Image, bare, readable

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Begins a load; counts what a closure takes, which comes with a table of functions, and there is its code.
LOAD, COUNT, CODE = "costs::costs_of", "board::arm::Counter::count", 16
# So that the log has each instruction; QEMU before and from 8.1.
EACH = "log exec,nochain", "singlestep on", "one-insn-per-tb on"


class Debugger:
    """As much of gdb's protocol as it takes."""

    def __init__(self, connection):
        self.stream = connection.makefile("rwb")

    def send(self, request):
        self.stream.write(b"+$%s#%02x" % (request.encode(), sum(request.encode()) % 256))
        self.stream.flush()

    def ask(self, request):
        self.send(request)
        # What a command of the monitor prints comes before its answer.
        while (answer := self.packet()).startswith("O") and answer != "OK":
            pass
        return answer

    def packet(self):
        read = b""
        while not read.endswith(b"#"):
            byte = self.stream.read(1)
            if not byte:
                raise EOFError("QEMU has ended")
            read += byte
        self.stream.read(2)
        return read.lstrip(b"+$")[:-1].decode()

    def registers(self):
        return struct.unpack("<16I", bytes.fromhex(self.ask("g")[:128]))

    def reach(self, address, times=1):
        self.ask(f"Z0,{address:x},2")
        for _ in range(times):
            # It stands where it was stopped before until it is stepped on.
            self.ask("s")
            self.ask("c")
        self.ask(f"z0,{address:x},2")

    def tell(self, command):
        self.ask(f"qRcmd,{command.encode().hex()}")


@contextlib.contextmanager
def debugged(folder, command):
    """A debugger of the QEMU that a command starts."""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"{folder}/gdb")
        listening.listen()
        listening.settimeout(1)
        whole = [*command, "-S", "-gdb", f"unix:{folder}/gdb", "-D", f"{folder}/log"]
        shown = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        with subprocess.Popen(whole, **shown) as running:
            connection = None
            while not connection:
                with contextlib.suppress(TimeoutError):
                    connection = listening.accept()[0]
                if running.poll() is not None:
                    raise EOFError(running.stderr.read().decode())
            with connection:
                debugger = Debugger(connection)
                try:
                    yield debugger
                finally:
                    with contextlib.suppress(OSError):
                        debugger.send("k")


class Where:
    """What the call of that number in the load of that number does, both from 1."""

    def __init__(self, path, command, load, call):
        self.image = Image(path)
        shown = readable([symbol[0] for _, symbol in self.image.functions])
        self.names = {start: shown[symbol[0]] for start, symbol in self.image.functions}
        # Whatever TMPDIR says: options of QEMU are split at spaces, and a socket's name is short.
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            with debugged(folder, command) as debugger:
                self.go_through(debugger, load, call)
            with open(f"{folder}/log") as log:
                self.count(executed(log))

    def go_through(self, debugger, load, call):
        starts = {name: start for start, name in self.names.items()}
        debugger.reach(starts[LOAD], load)
        debugger.reach(starts[COUNT], call)
        debugger.reach(self.image.word(debugger.registers()[2] + CODE) & ~1)
        returns = debugger.registers()[14] & ~1
        for command in EACH:
            debugger.tell(command)
        debugger.reach(returns)

    def count(self, addresses):
        """How often each instruction was executed, by the calls on the way to it, and functions entered."""
        self.counts, self.entered = collections.Counter(), collections.Counter()
        open_, before = (), None
        for at in addresses:
            back = self.returns_to(before)
            if back and at != back:
                open_ += ((before, back),)
            while open_ and at == open_[-1][1]:
                open_ = open_[:-1]
            self.counts[open_, at] += 1
            self.entered[at] += at in self.names
            before = at

    @functools.cache
    def returns_to(self, at):
        """Where a call goes on that an instruction makes; None if it makes none."""
        word = self.image.word(at) if at else 0
        if word & 0xD000F800 == 0xD000F000:
            return at + 4
        return at + 2 if word & 0xFF87 == 0x4780 else None

    def functions(self):
        """Instructions of each function, with what it calls, and how often it is entered where it is not
        inlined; the largest first."""
        chains = self.chains({at for _, at in self.counts} | {at for open_, _ in self.counts for at, _ in open_})
        own, whole, entered = (collections.Counter() for _ in range(3))
        for (open_, at), count in self.counts.items():
            own[chains[at][0]] += count
            for function in {it for place in (at, *(place for place, _ in open_)) for it in chains[place]}:
                whole[function] += count
        for start, count in self.entered.items():
            entered[chains[start][-1]] += count
        by_size = sorted(whole, key=lambda function: (-whole[function], own[function], function))
        return [(function, own[function], whole[function], entered[function]) for function in by_size]

    def chains(self, addresses):
        """The functions that an instruction is in, from the inner ones to that of the image."""
        command = ["llvm-symbolizer", "-e", self.image.path, "--output-style=JSON"]
        asked = "\n".join(map(hex, addresses))
        done = subprocess.run(command, input=asked, capture_output=True, text=True, check=True)
        found = map(json.loads, done.stdout.splitlines())
        return {int(it["Address"], 16): self.chain(int(it["Address"], 16), it["Symbol"]) for it in found}

    def chain(self, address, symbols):
        of_image = re.sub(r"(::\{\{closure\}\})+$", "", self.names[self.image.function_at(address)])
        names = [bare(name) for name in (*(it["FunctionName"] for it in symbols[:-1]), of_image)]
        places = [(pathlib.Path(it["FileName"]), name) for it, name in zip(symbols, names)]
        own = [it for it in places if it[0].is_relative_to(ROOT)]
        # A closure is of the function around it, which is further out, in the same file.
        named = [next((of for of in own[at:] if of[0] == file and "closure" not in of[1]), (file, name))
                 for at, (file, name) in enumerate(own)]
        chain = [f"{name} ({file.relative_to(ROOT)})" for file, name in named]
        return chain if own and own[-1] == places[-1] else [*chain, names[-1]]


def executed(log):
    """The addresses of the instructions in a log of QEMU."""
    addresses = []
    for line in log:
        if traced := re.match(r"Trace .*\[[0-9a-f]+/([0-9a-f]+)/", line):
            addresses.append(int(traced[1], 16))
        elif line.startswith("Stopped"):
            # The last one was not executed yet.
            addresses.pop()
    return addresses
