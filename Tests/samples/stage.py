"""Where the samples of one page run: a folder, a server and a shell of their own."""

import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from page import Wrong

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LIMIT = 120  # seconds for one command
END = "\x1e"  # what the shell prints when a command has ended, followed by the status

# What stands in a sample and is elsewhere in a test.
ELSEWHERE = ("/var/lib/sparring/", "/etc/sparring/", "/etc/haproxy/", "/run/haproxy/")

# Commands of samples that are the reader's own. They are README's client without its retries, unless a scene says otherwise (CLIENT).
THE_READERS = ("npm", "pytest", "tests")
# Commands that are left out: they change the machine, build for minutes, or are not on every machine.
LEFT_OUT = ("sudo", "podman", "make", "xcrun", "haproxy")

PRELUDE = r"""
shopt -s expand_aliases
sparring() {  # a server ends once it answers, and what watches after a second
    case " $* " in
    " serve "*) ;;
    *" --follow "*) timeout 1 sparring "$@" || [ $? = 124 ]; return ;;
    *) command sparring "$@"; return ;;
    esac
    rm -f ready.json
    command sparring "$@" --port 0 --tls-port 0 --ready-file "$PWD/ready.json" >serve.txt 2>&1 & local server=$!
    until [ -e ready.json ]; do kill -0 $server 2>&- || { wait $server; local status=$?; cat serve.txt; return $status; }; sleep 0.02; done
    local usual="s/127.0.0.1:$(member port ready)/127.0.0.1:8080/g; s/localhost:$(member tlsPort ready)/localhost:8443/g"
    kill $server; wait $server
    sed "$usual" serve.txt
}
member() { sed "s/.*\"$1\":\([0-9]*\).*/\1/" "$2.json"; }  # of a ready file
curl() { case " $* " in *" -N "*) timeout 1 curl "$@" || [ $? = 124 ] ;; *) command curl "$@" ;; esac; }
vendor() {  # another server, which is the vendor
    rm -f vendor.json
    command sparring serve "$@" --port 0 --no-tls --quiet --ready-file "$PWD/vendor.json" &
    until [ -e vendor.json ]; do kill -0 $! 2>&- || return; sleep 0.02; done
    export VENDOR=http://127.0.0.1:$(member port vendor)
}
json() { curl -s -H 'Content-Type: application/json' "$@"; }
consumer() { "$PYTHON" "$SAMPLES/actor.py" "$SPARRING_URL" "$@"; }  # a consumer of LivePerson's, who stays
leaves() { kill "$(cat "$1.pid")"; until [ ! -e "$1.pid" ]; do sleep 0.02; done; }
"""


class Stage:
    def __init__(self, binary, clients):
        self.binary, self.clients = Path(binary).resolve(), clients
        self.home = Path(tempfile.mkdtemp(prefix="samples-"))
        self.folder = self.home / "work"
        self.server = self.shell = None
        self.things = {}

    def __enter__(self):
        bin = self.home / "bin"
        for folder in (bin, self.folder / ".build/debug", *(self.home / name.strip("/") for name in ELSEWHERE)):
            folder.mkdir(parents=True)
        (bin / "sparring").symlink_to(self.binary)
        (self.folder / ".build/debug/sparring").symlink_to(self.binary)
        for name in THE_READERS:
            for file in (bin / name, self.folder / name):
                file.write_text('#!/bin/sh\nexec "$PYTHON" "$CLIENT"\n')
                file.chmod(0o755)
        (bin / "python3").write_text('#!/bin/sh\nexec "$PYTHON" "$@"\n')
        (bin / "python3").chmod(0o755)
        for name, text in self.clients.items():
            (self.home / name).write_text(text)
        return self

    def __exit__(self, *_):
        self.end()
        shutil.rmtree(self.home, ignore_errors=True)

    def end(self):
        """Ends shell and server, if there are any."""
        if self.shell:
            try:
                os.killpg(self.shell.pid, signal.SIGTERM)  # with what it left running
            except ProcessLookupError:
                pass
            self.shell.wait(LIMIT)
        if self.server:
            self.server.terminate()
            self.server.wait(LIMIT)
        self.server = self.shell = None
        self.things = {}

    def begin(self, options=""):
        """A server and a shell, unless they are there."""
        if self.server:
            return
        ready = self.home / "ready.json"
        ready.unlink(missing_ok=True)
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("SPARRING", "HTTP", "http", "https"))}
        environment |= {"HOME": str(self.home), "XDG_DATA_HOME": str(self.home / "data"), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
        with open(self.home / "server.log", "w") as log:
            self.server = subprocess.Popen(
                [self.binary, "serve", "--port", "0", "--tls-port", "0", "--quiet", "--ready-file", ready, *shlex.split(options)], cwd=self.folder,
                env=environment, stdout=log, stderr=log)
        until = time.monotonic() + LIMIT
        while not ready.exists():
            if self.server.poll() is not None or time.monotonic() > until:
                raise Wrong(f"no server: {(self.home / 'server.log').read_text()}")
            time.sleep(0.02)
        facts = json.loads(ready.read_text())
        self.port, self.tls = facts["port"], facts["tlsPort"]
        environment |= {
            "PATH": f"{self.home / 'bin'}:{environment['PATH']}", "SPARRING_URL": f"http://127.0.0.1:{self.port}", "SAMPLES": str(HERE),
            "PYTHON": os.environ.get("SPARRING_PYTHON", shutil.which("python3")), "CLIENT": str(self.home / "short.py"), "CLIENTS": str(self.home),
            "ROOT": str(ROOT), "VENDOR": f"http://127.0.0.1:{self.port}"}
        self.shell = subprocess.Popen(
            ["bash", "--noprofile", "--norc"], cwd=self.folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, start_new_session=True)
        self.run(PRELUDE)

    def here(self, words):
        """A sample's words with the addresses of this run."""
        for shown, real in self.addresses():
            words = words.replace(shown, real)
        words = words.replace("https://api.vendor.example", "$VENDOR").replace("--proxy-port 8899", "--proxy-port 0")
        for path in ELSEWHERE:
            words = words.replace(path, f"{self.home}{path}")
        return words

    def addresses(self):
        return [
            ("127.0.0.1:8080", f"127.0.0.1:{self.port}"), ("localhost:8080", f"localhost:{self.port}"), ("localhost:8443", f"localhost:{self.tls}"),
            ("127.0.0.1:8443", f"127.0.0.1:{self.tls}"), ("127.0.0.1%3A8080", f"127.0.0.1%3A{self.port}")]

    def run(self, words):
        """Runs a command in the shell. Returns its status and its lines, with the addresses of the samples."""
        file = self.home / "command"
        file.write_text(words + "\n")
        self.shell.stdin.write(f'. {file} 2>&1 </dev/null; printf "{END}%s{END}" "$?"\n'.encode())
        self.shell.stdin.flush()
        watch = threading.Timer(LIMIT, os.killpg, (self.shell.pid, signal.SIGKILL))
        watch.start()
        printed = b""
        while printed.count(END.encode()) < 2:
            some = os.read(self.shell.stdout.fileno(), 65536)
            if not some:
                raise Wrong(f"'{words}' did not end within {LIMIT} s, or ended the shell: {printed.decode(errors='replace')}")
            printed += some
        watch.cancel()
        text, status, _ = printed.decode(errors="replace").split(END)
        for shown, real in self.addresses():
            text = text.replace(real, shown)
        # Commands that a server prints name its address, unless it has the usual one.
        text = text.replace(str(self.home), "").replace(" --url http://127.0.0.1:8080", "").rstrip("\n")
        return int(status), text.split("\n") if text else []
