#!/usr/bin/env python3
"""Prints the files of Sources that one warm sign-in runs through, in the order in which it first enters them.

    walk.py .build-test/debug/sparring [--functions]

Starts the server, signs in a few times, then has gdb stop at each function of ours once while one more sign-in with an id_token goes through.
Needs gdb, nm and llvm-symbolizer. Functions that the compiler makes, and those that it merged with equal ones of other files, are left out.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).parent
OURS = re.compile(r"\d(Sparring[A-Z]\w*|sparring)")
# Suffixes of mangled names (swift/docs/ABI/Mangling.rst): merged functions, outlined copies, witness tables and thunks, metadata, lazy caches.
MADE_BY_COMPILER = re.compile(r"(Tm|WO[a-z]|T[WwRrkKA]\w*|M[a-zA-Z]|W[lLaPpG]\w?|w[a-z]{2}|Z?_WZ)$")


def functions(binary):
    """Our functions by their address in the binary: file below Sources, line, mangled name."""
    listed = subprocess.run(["nm", "--defined-only", binary], capture_output=True, text=True, check=True).stdout
    names = {}
    for line in listed.splitlines():
        address, kind, name = line.split(" ", 2)
        if kind in "tT" and OURS.search(name) and not MADE_BY_COMPILER.search(name):
            names.setdefault(int(address, 16), name)
    answer = subprocess.run(
        ["llvm-symbolizer", f"--obj={binary}", "--output-style=JSON", "--no-demangle", "--no-inlines"],
        input="\n".join(map(hex, names)), capture_output=True, text=True, check=True).stdout
    found = {}
    for line in answer.splitlines():
        place = json.loads(line)
        symbol = place["Symbol"][0]
        file, number = (symbol["FileName"], symbol["Line"]) if symbol["Line"] else (symbol["StartFileName"], symbol["StartLine"])
        if number and "/Sources/" in file and "/checkouts/" not in file:
            address = int(place["Address"], 16)
            found[address] = (file.split("/Sources/", 1)[1], number, names[address])
    return found


class Server:
    def __init__(self, binary, folder):
        ready = folder / "ready.json"
        self.process = subprocess.Popen([binary, "serve", "--port", "0", "--no-tls", "--quiet", "--ready-file", ready])
        while not ready.exists():
            if self.process.poll() is not None:
                sys.exit("the server did not start")
            time.sleep(0.05)
        self.url = f"http://127.0.0.1:{json.loads(ready.read_text())['port']}"
        self.account = self.call("GET", "/__admin/sandboxes/default")["tenants"]["liveperson"]["accountId"]

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)

    def token(self):
        return self.call("POST", "/__admin/sandboxes/default/credentials", {"form": "jwt", "subject": "ada"})["credential"]

    def sign_in(self, token):
        return self.call("POST", f"/api/account/{self.account}/app/default/authenticate?v=2.0", {"id_token": token})["jwt"]


def walk(binary, folder):
    """What the sign-in entered, in order."""
    server = Server(binary, folder)
    try:
        for _ in range(4):
            server.sign_in(server.token())
        token = server.token()
        time.sleep(0.3)  # what follows the answer is over
        (folder / "functions.json").write_text(json.dumps(functions(binary)))
        environment = dict(os.environ, WALK_FOLDER=str(folder), WALK_PROCESS=str(server.process.pid))
        with (folder / "gdb.log").open("w") as log:
            debugger = subprocess.Popen(
                ["gdb", "-q", "-batch", "-nx", "-p", str(server.process.pid), "-x", HERE / "stops.py"], env=environment, stdout=log,
                stderr=subprocess.STDOUT)
        while not (folder / "set").exists():
            if debugger.poll() is not None:
                sys.exit("gdb ended: " + (folder / "gdb.log").read_text()[-2000:])
            time.sleep(0.1)
        server.sign_in(token)
        time.sleep(1)
        server.process.terminate()  # which gdb sees as a signal, and ends
        debugger.wait(60)
        return json.loads((folder / "entered.json").read_text())
    finally:
        server.process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--functions", action="store_true", help="the functions too")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        entered = walk(options.binary, pathlib.Path(folder))
    files = {}
    for file, line, name in entered:
        files.setdefault(file, []).append((line, name))
    for number, (file, functions_of) in enumerate(files.items(), 1):
        print(f"{number:4} {file}")
        if options.functions:
            names = subprocess.run(
                ["swift-demangle", "--simplified", "--compact"], input="\n".join(name for _, name in functions_of), capture_output=True,
                text=True, check=True).stdout.splitlines()
            for (line, _), name in zip(functions_of, names):
                print(f"          {line:4} {name}")
    modules = {}
    for file in files:
        modules[file.split("/")[0]] = modules.get(file.split("/")[0], 0) + 1
    print(f"{len(files)} files: " + ", ".join(f"{count} of {module}" for module, count in modules.items()))


if __name__ == "__main__":
    main()
