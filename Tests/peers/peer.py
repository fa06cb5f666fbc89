"""What every peer has: the server it is pointed at, its checks, and the admin API."""

import os
import sys
import tempfile

import requests

base = sys.argv[1].rstrip("/")
http = requests.Session()
http.trust_env = False
_checks = 0
_authority = tempfile.NamedTemporaryFile(suffix=".pem")


def check(name, passed, detail=""):
    """Prints a line; the first check that fails ends the program with status 1."""
    global _checks
    if not passed:
        print(f"FAILED {name}: {detail}", flush=True)
        sys.exit(1)
    _checks += 1
    print(f"ok {name}", flush=True)


def finish():
    print(f"{_checks} checks passed")


def admin(method, path, body=None, expected=None):
    """Calls the admin API; `expected` is the status, without it any success. Sandboxes stay where SPARRING_PEERS_KEEP is set."""
    if method == "DELETE" and path.count("/") == 1 and path.startswith("sandboxes/") and "SPARRING_PEERS_KEEP" in os.environ:
        return None
    answer = http.request(method, f"{base}/__admin/{path}", json=body, timeout=60)
    if answer.status_code != expected and (expected or answer.status_code >= 300):
        check(f"{method} {path}", False, f"{answer.status_code} {answer.text}")
    return answer.json() if answer.content else None


def scheme(sandbox, plain="http"):
    """What stands before a host that was looked up: real clients put https:// there, always; without a TLS port there is nothing to put it
    before. From then on Sparring's authority is trusted."""
    if "tlsBaseURL" not in sandbox:
        return plain
    if http.verify is True:
        _authority.write(http.get(f"{base}/__admin/ca", timeout=60).content)
        _authority.flush()
        http.verify = _authority.name
    return plain + "s"
