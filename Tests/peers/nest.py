"""Where the clients that others wrote come from: one Python that has imported the libraries which they share, and forks for each play. Started one by
one, they took a third of a second of processor time each for their imports.

Reads a line of JSON for each play: `number`, `folder` (the client's), `arguments`, `environment`, and `errors`, a file for what it writes to standard
error. Writes a line with `number` and `status` for each that has ended. A line that has only `number` kills that play.
"""

import asyncio  # noqa: F401
import concurrent.futures  # noqa: F401
import contextlib
import json
import os
import runpy
import select
import signal
import sys
import uuid  # noqa: F401
from pathlib import Path
from subprocess import PIPE, Popen
from tempfile import TemporaryDirectory
from threading import Lock, Thread

import httpx  # noqa: F401
import joserfc.jwk  # noqa: F401
import joserfc.jwt  # noqa: F401
import requests  # noqa: F401
import websockets.asyncio.client  # noqa: F401
import websockets.sync.client  # noqa: F401


def become(order):
    """Makes this process the client: returns, or exits, when the client does."""
    for name, descriptor in ((os.devnull, 0), (os.devnull, 1), (order["errors"], 2)):
        opened = os.open(name, os.O_RDWR | os.O_CREAT)
        os.dup2(opened, descriptor)
        os.close(opened)
    os.environ.clear()
    os.environ.update(order["environment"])
    sys.argv = [order["folder"], *order["arguments"]]
    sys.path.pop(0)  # the folder of this file: `python FOLDER` does not have it
    runpy.run_path(order["folder"], run_name="__main__")


def serve():
    """Forks for each order until there are no more."""
    children = {}  # by the descriptor that tells the end of the process: its number and id
    waiting = select.poll()
    waiting.register(0, select.POLLIN)
    pending = b""
    while True:
        for descriptor, _ in waiting.poll():
            if descriptor in children:
                number, process = children.pop(descriptor)
                waiting.unregister(descriptor)
                os.close(descriptor)
                status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                os.write(1, json.dumps({"number": number, "status": status}).encode() + b"\n")
                continue
            received = os.read(0, 1 << 20)
            if not received:
                return
            *lines, pending = (pending + received).split(b"\n")
            for order in map(json.loads, lines):
                if "folder" not in order:
                    for number, process in children.values():
                        if number == order["number"]:
                            os.kill(process, signal.SIGKILL)
                    continue
                process = os.fork()
                if not process:
                    return become(order)
                opened = os.pidfd_open(process)
                children[opened] = (order["number"], process)
                waiting.register(opened, select.POLLIN)


class Nest:
    """The other end: `run` from any thread."""

    def __init__(self):
        self.folder = TemporaryDirectory()
        self.process = Popen([sys.executable, __file__], stdin=PIPE, stdout=PIPE)
        self.lock, self.count, self.ends = Lock(), 0, {}
        Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            end = json.loads(line)
            self.ends.pop(end["number"]).set_result(end["status"])
        for ended in self.ends.values():
            ended.set_exception(RuntimeError("the process that starts the clients has ended"))

    def tell(self, **order):
        with self.lock:
            self.process.stdin.write(json.dumps(order).encode() + b"\n")
            self.process.stdin.flush()

    def run(self, folder, arguments, environment, timeout):
        """The client's exit status and what it wrote to standard error. Raises `TimeoutError` where it has not ended in time: it is killed."""
        with self.lock:
            self.count += 1
            number = self.count
        errors = Path(self.folder.name) / f"{number}"
        ended = self.ends[number] = concurrent.futures.Future()
        self.tell(number=number, folder=str(folder), arguments=arguments, environment=environment, errors=str(errors))
        try:
            return ended.result(timeout), errors.read_text(errors="replace")
        except concurrent.futures.TimeoutError:
            self.tell(number=number)
            ended.result()
            raise TimeoutError from None

    def stop(self):
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.process.wait()
        self.folder.cleanup()


if __name__ == "__main__":
    serve()
