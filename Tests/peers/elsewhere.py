"""A second Sparring that stands for a vendor whose clients are recorded.

    elsewhere.py act URL < ACT             # `record --acts`: asks its admin API, and prints the answer
    elsewhere.py play URL COMMAND...       # sets its clock to that of the Sparring that records, then plays the client
"""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request


def call(url, method, path, body=None, token=None):
    request = urllib.request.Request(f"{url}/__admin/sandboxes/default/{path}", method=method)
    data = None
    if body is not None and method not in ("GET", "DELETE"):
        data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if token:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urllib.request.urlopen(request, data, timeout=60) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()[:500]}")
    return json.loads(text) if text else None


def main():
    mode, url = sys.argv[1:3]
    if mode == "act":
        act = json.load(sys.stdin)
        answer = call(url, act["method"], act["path"], act.get("body"))
        if answer is not None:
            print(json.dumps(answer))
        return
    clock = call(os.environ["SPARRING_URL"], "GET", "clock")
    call(url, "PUT", "clock", {"mode": "rate", "rate": clock["rate"], "now": clock["now"]})
    sys.exit(subprocess.run(sys.argv[3:], check=False).returncode)


if __name__ == "__main__":
    main()
