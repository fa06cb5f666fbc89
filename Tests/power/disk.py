"""A disk between a Sparring and its database: what it does to its files is written down, and calls fail on demand (disk.c)."""

import ctypes
import mmap
import os
import shlex
import shutil
import struct
import subprocess
from collections import namedtuple
from pathlib import Path


class Failing(ctypes.Structure):
    """Which calls fail, as in disk.c."""

    _fields_ = [(name, ctypes.c_int64) for name in ("skip", "count", "error", "seen", "failed")] + [("suffix", ctypes.c_char * 24)]

    def fail(self, error, count=1, skip=0, suffix=""):
        """From now on, after `skip` more calls on files whose names end in `suffix`."""
        self.count = 0
        self.error, self.suffix, self.skip = error, suffix.encode(), skip
        self.count = count

    def heal(self):
        self.count = 0


class Control(ctypes.Structure):
    _fields_ = [("writes", Failing), ("syncs", Failing)]


FOR_EVER = 1 << 40

Operation = namedtuple("Operation", "kind path offset data end")
Operation.__doc__ = """One thing done to a file. `kind` as in disk.c; `end`: how long the log was then."""


def open_control(folder):
    """The memory from which the process of a disk in this folder learns what fails."""
    with open(Path(folder) / "control", "r+b") as file:
        return mmap.mmap(file.fileno(), ctypes.sizeof(Control))


class Disk:
    """The files below `folder`/files; log and control lie beside them."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.files = self.folder / "files"
        self.files.mkdir(parents=True, exist_ok=True)
        self.log = self.folder / "disk.log"
        self.library = self.folder / "disk.so"
        compiler = os.environ.get("CC") or next(name for name in ("cc", "clang", "gcc") if shutil.which(name))
        subprocess.run([*shlex.split(compiler), "-O2", "-shared", "-fPIC", "-o", self.library, Path(__file__).parent / "disk.c", "-ldl"], check=True)
        self._path = self.folder / "control"
        self._path.write_bytes(bytes(ctypes.sizeof(Control)))
        self.control = Control.from_buffer(open_control(self.folder))

    def environment(self, logs=True):
        """What a process is started with that is to use it."""
        names = {"LD_PRELOAD": str(self.library), "POWER_FOLDER": str(self.files), "POWER_CONTROL": str(self._path)}
        return {**names, "POWER_LOG": str(self.log)} if logs else names

    @property
    def writes(self):
        return self.control.writes

    @property
    def syncs(self):
        return self.control.syncs

    def position(self):
        """How long the log is: what has an answer by now is in it."""
        return self.log.stat().st_size

    def operations(self):
        """All that was done, in order."""
        data, place, operations = self.log.read_bytes(), 0, []
        while place + 24 <= len(data):
            kind, path_length, offset, length = struct.unpack_from("<IIqQ", data, place)
            place += 24
            path = data[place:place + path_length].decode()
            place += path_length
            has_bytes = chr(kind) in "wr"
            content = data[place:place + length] if has_bytes else b""
            place += len(content)
            operations.append(Operation(chr(kind), path[len(str(self.files)) + 1:], offset, content, place))
        return operations
