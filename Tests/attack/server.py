"""A Sparring of its own for an attack: its process, its folders and its admin API. Only the standard library, so that nothing mends a request."""

import base64
import http.client
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

PATIENCE = 60  # seconds for what must come


class Server:
    """`sparring serve` on free ports of 127.0.0.1, with a folder of its own for all that it writes.

    TMPDIR, the ready file, the certificate authority and the database, if there is to be one, lie in that folder; the process leads a group of
    its own, so that what it leaves behind can be distinguished from what was there."""

    def __init__(self, binary, *options, folder=None, tls=False, database=False, environment=None, preexec=None):
        self._own = None if folder else tempfile.TemporaryDirectory(prefix="attack-")
        self.folder = Path(folder or self._own.name)
        self.temporary = self.folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.ready_file = self.folder / "ready.json"
        self.database = self.folder / "sparring.db" if database else None
        self.errors = self.folder / "stderr.txt"
        command = [binary, "serve", "--port", "0", "--quiet", "--bind", "127.0.0.1", "--ready-file", str(self.ready_file)]
        command += ["--tls-port", "0", "--ca-folder", os.environ.get("ATTACK_CA", str(self.folder / "ca"))] if tls else ["--no-tls"]
        if self.database:
            command += ["--database", str(self.database)]
        # A crash ends it at once: what took it there is known from the attack.
        variables = {**os.environ, "TMPDIR": str(self.temporary), "SWIFT_BACKTRACE": "enable=no", **(environment or {})}
        with open(self.errors, "ab") as errors:
            self.process = subprocess.Popen(
                command + list(options), stdout=subprocess.DEVNULL, stderr=errors, env=variables, start_new_session=True, preexec_fn=preexec)
        try:
            self._await_ready()
        except BaseException:
            self.kill()
            raise

    def _await_ready(self):
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                ready = json.loads(self.ready_file.read_text())
                if ready["pid"] == self.process.pid:
                    break
            except (FileNotFoundError, json.JSONDecodeError):
                pass
            if self.process.poll() is not None:
                raise RuntimeError(f"the server did not start: exit status {self.process.returncode}: {self.said()}")
            if time.monotonic() > deadline:
                raise RuntimeError("the server was not ready in time")
            time.sleep(0.005)
        self.port = ready["port"]
        self.tls_port = ready.get("tlsPort")
        self.tls_defects = ready.get("tlsDefects", {})
        self.url = f"http://127.0.0.1:{self.port}"

    # What it is asked

    def call(self, method, target, body=None, headers=None, timeout=PATIENCE):
        """Status and JSON, or text where it is none. `body` is JSON, or bytes as they are."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, target, body=data, headers={"Content-Type": "application/json", **(headers or {})})
            answer = connection.getresponse()
            text = answer.read()
            try:
                return answer.status, json.loads(text) if text else None
            except ValueError:
                return answer.status, text.decode("utf-8", "replace")
        finally:
            connection.close()

    def admin(self, method, path, body=None, timeout=PATIENCE):
        status, answer = self.call(method, "/__admin/" + path, body, timeout=timeout)
        if status >= 300:
            raise RuntimeError(f"{method} {path}: {status} {answer}")
        return answer

    def arm(self, fault, sandbox="default"):
        return self.admin("POST", f"sandboxes/{sandbox}/faults", {"fault": fault})

    def entries(self, sandbox="default", since=0):
        """The journal from a number on, page by page: how many entries a page has is the server's business."""
        while True:
            page = self.admin("GET", f"sandboxes/{sandbox}/journal?since={since}&limit=5000")
            if not page["entries"]:
                return
            yield from page["entries"]
            since = page["next"]

    def tenants(self, sandbox="default"):
        return self.admin("GET", f"sandboxes/{sandbox}")["tenants"]

    def account(self, sandbox="default"):
        return self.tenants(sandbox)["liveperson"]["accountId"]

    # What it is made of

    def fields(self):
        """Of /proc/PID/status."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return dict(line.rstrip("\n").split(":", 1) for line in status)

    def resident(self):
        """MiB in use now, and at most so far."""
        fields = self.fields()
        return [int(fields[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM")]

    def said(self):
        return self.errors.read_text(errors="replace").strip()[-2000:] if self.errors.exists() else ""

    # Its end

    def signal(self, number):
        """Only to this very process, which has not been waited for."""
        if self.process.poll() is None:
            os.kill(self.process.pid, number)

    def wait(self, timeout):
        """Its exit status; None where it goes on. The number of a signal comes negative."""
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            return None

    def left_behind(self):
        """What is still there of it, in words: files in its TMPDIR, the ready file, the database's companions, processes of its group."""
        left = [path.name for path in self.temporary.iterdir()]
        if self.ready_file.exists():
            left.append("ready file")
        if self.database:
            left += [path.name for path in self.folder.glob("sparring.db-*")]
        return left + [f"process {number}" for number in self._group()]

    def _group(self):
        """Processes that it started and that live."""
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) == self.process.pid:
                continue
            try:
                with open(f"/proc/{entry}/stat") as stat:
                    fields = stat.read().rsplit(")", 1)[1].split()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if int(fields[2]) == self.process.pid and fields[0] != "Z":
                yield int(entry)

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()

    def close(self):
        """Whatever it is doing."""
        self.kill()
        if self._own:
            self._own.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


# People of a sandbox, as the vendors' references have them.


def mint(server, subject, sandbox="default", form="jwt", **members):
    answer = server.admin("POST", f"sandboxes/{sandbox}/credentials", {"form": form, "subject": subject, **members})
    return answer["credential"]


def sign_in(server, subject, account, sandbox="default"):
    """LivePerson's token for a consumer."""
    target = f"/api/account/{account}/app/default/authenticate?v=2.0"
    status, answer = server.call("POST", target, {"id_token": mint(server, subject, sandbox)})
    if status != 200:
        raise RuntimeError(f"{subject} cannot sign in: {status} {answer}")
    return answer["jwt"]


def agent_bearer(server, account, name="agent", password="agent-secret"):
    status, answer = server.call("POST", f"/api/account/{account}/login?v=1.3", {"username": name, "password": password})
    if status != 200:
        raise RuntimeError(f"{name} cannot log in: {status} {answer}")
    return answer["bearer"]


def basic(name, secret):
    """RFC 7617; the names here need no escaping (RFC 6749 §2.3.1)."""
    return "Basic " + base64.b64encode(f"{name}:{secret}".encode()).decode()
