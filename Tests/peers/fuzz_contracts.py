"""Calls everything that the OpenAPI documents declare, as Schemathesis makes it up from them: what comes back must be declared, or be Sparring's own word for a call
that is no operation's or no tenant's.

    fuzz_contracts.py --binary .build-test/debug/sparring --schemathesis .build/schemathesis/bin/st [--examples 50] [admin …]

What is let pass besides: 414 and 431 of the HTTP server for a request that is too long for its memory, and Sparring's own page at GET /, where a vendor opens its socket.
A 5xx passes only where the contract declares it: LivePerson answers 500 for an unknown account.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Why Sparring itself answers with a problem.
OWN = re.compile(r"no operation matches |no sandbox has |the call matches |\S+ does not allow [A-Z]+|malformed request target")
# The ids that the documents' examples have.
TENANTS = {
    "identity": {"tenantId": "brand"}, "liveperson": {"accountId": "12345678"}, "cxone": {"brandId": "1386"},
    "khoros": {"appId": "5f0c0e1a2b3c4d5e6f708190"}, "asapp": {"appId": "acme"}, "talkdesk": {"account": "acme"},
}

if "SCHEMATHESIS_HOOKS" in os.environ:
    import schemathesis
    from schemathesis.specs.openapi.checks import (
        content_type_conformance, response_headers_conformance, response_schema_conformance, status_code_conformance)

    CONFORMANCE = [status_code_conformance, content_type_conformance, response_headers_conformance, response_schema_conformance]

    @schemathesis.check
    def declared(context, response, case):
        kind = (response.headers.get("content-type") or [""])[0]
        if response.status_code in (414, 431) and "Request too big" in response.text:
            return
        if case.path == "/" and response.status_code == 200 and response.text.startswith("Sparring "):
            return
        if kind.startswith("application/problem+json") and OWN.match(response.json().get("detail", "")):
            return
        if response.status_code >= 500 and str(response.status_code) not in case.operation.definition.raw["responses"]:
            raise AssertionError(f"{response.status_code}: {response.text[:500]}")
        case.validate_response(response, checks=CONFORMANCE)


def call(url, body):
    import urllib.request

    request = urllib.request.Request(url, data=json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def fuzz(given, name, url, folder, headers):
    document = folder / f"{name}.json"
    exported = subprocess.run([given.binary, "contract", "export", f"{name}.openapi.yaml"], capture_output=True, text=True, check=True, timeout=60)
    document.write_text(exported.stdout)
    done = subprocess.run(
        [given.schemathesis, "run", document, "--url", url, "--checks", "declared", "--max-examples", str(given.examples),
         "--phases", "examples,coverage,fuzzing", "--suppress-health-check", "all", "--seed", "1", *headers],
        capture_output=True, text=True, timeout=3600, env=os.environ | {"SCHEMATHESIS_HOOKS": str(Path(__file__))}, cwd=folder)
    cases = re.search(r"(\d+) generated", done.stdout)
    print(f"{name}{' with a token' if headers else ''}: {cases.group(1) if cases else 'no'} calls, {'sound' if done.returncode == 0 else 'WRONG'}", flush=True)
    if done.returncode or not cases:
        print(done.stdout[-6000:] + done.stderr[-2000:])
    return done.returncode == 0 and cases is not None


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--binary", required=True)
    options.add_argument("--schemathesis", required=True)
    options.add_argument("--examples", type=int, default=50)
    options.add_argument("documents", nargs="*")
    given = options.parse_args()
    given.binary, given.schemathesis = (str(Path(path).resolve()) for path in (given.binary, given.schemathesis))
    names = given.documents or sorted((file.name.removesuffix(".openapi.yaml") for file in (ROOT / "contracts").glob("*.openapi.yaml")), key=lambda name: "admin" in name)
    sound = True
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        ready = folder / "ready.json"
        server = subprocess.Popen([given.binary, "serve", "--port", "0", "--no-tls", "--quiet", "--ready-file", ready, "--ca-folder", folder])
        try:
            while not ready.exists():
                time.sleep(0.05)
            url = f"http://127.0.0.1:{json.loads(ready.read_text())['port']}"
            call(f"{url}/__admin/sandboxes", {"name": "fuzz", "tenants": TENANTS})
            token = call(f"{url}/__admin/sandboxes/fuzz/credentials", {"form": "jwt", "subject": "ada", "lifetime": "10h"})["credential"]
            bearer = call(f"{url}/api/account/12345678/app/default/authenticate?v=2.0", {"id_token": token})["jwt"]
            for name in names:
                sound &= fuzz(given, name, url, folder, [])
                if name == "liveperson":
                    sound &= fuzz(given, name, url, folder, ["--header", f"Authorization: Bearer {bearer}"])
        finally:
            server.terminate()
            server.wait(timeout=60)
    sys.exit(0 if sound else 1)


if __name__ == "__main__":
    main()
