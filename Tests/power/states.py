"""What a loss of power could have left, made of what was done to files: offline, and as often as wanted."""

from collections import namedtuple

SECTOR = 512

State = namedtuple("State", "cut end mode files")
State.__doc__ = """After `cut` operations, when the log was `end` bytes long: bytes by name."""

MODES = {
    "none": "nothing that was not synced is there",
    "all": "all of it is",
    "some": "of each write it is open",
    "torn": "of each sector of a write it is open",
    "garbage": "as torn, and some sectors hold what nobody wrote",
    "names": "as some, and of files that were made or removed since the directory was synced, only the first few are",
}


class Inode:
    """A file, whatever its name."""

    def __init__(self):
        self.durable, self.pending = bytearray(), []

    def sync(self, begun):
        """What was written before the sync began has reached the disk; of what came later nothing is known."""
        later = []
        for operation in self.pending:
            if operation.end <= begun:
                apply(self.durable, operation)
            else:
                later.append(operation)
        self.pending = later


def apply(content, operation, sectors=None):
    """`sectors`: which of them reach the disk; nil: all. One that is bytes reaches it as those."""
    if operation.kind == "t":
        if operation.offset < len(content):
            del content[operation.offset:]
        else:
            content.extend(bytes(operation.offset - len(content)))
        return
    data = operation.data
    end = operation.offset + len(data)
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    if sectors is None:
        content[operation.offset:end] = data
        return
    # Sectors are the disk's, wherever the write begins.
    place, index = operation.offset, 0
    while place < end:
        next_place = min(end, (place // SECTOR + 1) * SECTOR)
        fate = sectors[index % len(sectors)]
        if isinstance(fate, bytes):
            content[place:next_place] = fate[:next_place - place]
        elif fate:
            content[place:next_place] = data[place - operation.offset:next_place - operation.offset]
        place, index = next_place, index + 1


class Machine:
    """Files and a directory, as far as they have come, with what has reached the disk."""

    def __init__(self, base=()):
        self.names, self.pending_names = {}, []
        for name, content in dict(base).items():
            self.names[name] = Inode()
            self.names[name].durable += content
        self.durable_names = dict(self.names)

    def do(self, operation):
        kind, name = operation.kind, operation.path
        if kind == "c":
            self._name(operation, name, Inode())
        elif kind in "wt":
            self.names.setdefault(name, Inode()).pending.append(operation)
        elif kind == "s" and name in self.names:
            self.names[name].sync(operation.offset)
        elif kind == "u":
            self._name(operation, name, None)
        elif kind == "r":
            inode = self.names.get(name)
            self._name(operation, name, None)
            self._name(operation, operation.data.decode().rpartition("/")[2], inode)
        elif kind == "d":
            reached = [change for change in self.pending_names if change[0] <= operation.offset]
            self._apply_names(self.durable_names, reached)
            self.pending_names = self.pending_names[len(reached):]

    def _name(self, operation, name, inode):
        self.pending_names.append((operation.end, name, inode))
        self._apply_names(self.names, self.pending_names[-1:])

    @staticmethod
    def _apply_names(names, changes):
        for _, name, inode in changes:
            if inode is None:
                names.pop(name, None)
            else:
                names[name] = inode

    def crash(self, mode, draw):
        """Bytes by name."""
        names = self.names
        if mode == "names":
            names = dict(self.durable_names)
            self._apply_names(names, self.pending_names[:draw.randint(0, len(self.pending_names))])
        return {name: self._content(inode, mode, draw) for name, inode in names.items()}

    @staticmethod
    def _content(inode, mode, draw):
        content = bytearray(inode.durable)
        for operation in inode.pending if mode != "none" else ():
            if mode == "all":
                apply(content, operation)
            elif draw.random() < 0.5:
                continue
            elif mode in ("torn", "garbage") and operation.kind == "w" and draw.random() < 0.5:
                fates = [True, False] + ([draw.randbytes(SECTOR)] if mode == "garbage" else [])
                apply(content, operation, [draw.choice(fates) for _ in range(16)])
            else:
                apply(content, operation)
        return content


def crash_states(operations, count, draw, modes=tuple(MODES), base=()):
    """`count` states, cut anywhere, in every mode in turn. `base`: what lay there, bytes by name."""
    cuts = sorted(draw.randint(1, len(operations)) for _ in range(count))
    machine, done = Machine(base), 0
    for number, cut in enumerate(cuts):
        while done < cut:
            machine.do(operations[done])
            done += 1
        mode = modes[number % len(modes)]
        yield State(cut, operations[cut - 1].end, mode, machine.crash(mode, draw))
