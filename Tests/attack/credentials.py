"""Credentials in calls that are not as they should be: none may stand in what is shown to others.

    python3 credentials.py SPARRING

A client of `sparring run` sends sixty credentials under the names that the vendors and OAuth have for them, each in twenty places: in bodies that parse and that
do not, forms, multipart, XML, queries of unmatched calls, headers, cookies, file names, paths, frames of a socket, and tokens within tokens. It notes the
codes and tokens that it is given, too. The same client is then recorded by `sparring record`, between it and a second Sparring. All are looked for in the terminal's text, the HTML, JUnit, JSON and SARIF reports, the baseline, and the journal and
exports of the run's database, and in the recording; a scan must find nothing in those either. The exit status is 1 where one is found.
"""

import base64
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NAMES = [
    "client_secret", "code", "refresh_token", "id_token", "password", "access_token", "deviceToken", "bearer", "code_verifier", "authToken", "sessionToken",
    "api_key", "client_assertion", "temp_url_sig", "jwt", "secret"]

CLIENT = r'''
import base64, http.client, json, os, secrets as chance, socket, struct, sys, urllib.parse
secrets = json.load(open(sys.argv[1]))
url = urllib.parse.urlsplit(os.environ["SPARRING_URL"])
connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
token = urllib.parse.urlsplit(os.environ["SPARRING_IDENTITY_TOKEN_ENDPOINT"]).path
account = os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
login = f"/api/account/{account}/app/default/authenticate?v=2.0"

def send(target, body=None, kind=None, method="POST", **headers):
    headers = {name.replace("_", "-"): value for name, value in headers.items()} | ({"Content-Type": kind} if kind else {})
    connection.request(method, target, body=body.encode() if isinstance(body, str) else body, headers=headers)
    answer = connection.getresponse()
    return answer, answer.read()

def part(data):
    return base64.urlsafe_b64encode(json.dumps(data).encode()).decode().rstrip("=")

# A consumer's socket, on which frames go that no contract has.
_, signed = send(f"/api/account/{account}/signup")
given = [json.loads(signed)["jwt"]]
wire = socket.create_connection((url.hostname, url.port), 60)
wire.sendall(f"GET /ws_api/account/{account}/messaging/consumer?v=3 HTTP/1.1\r\nHost: {url.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
             f"Sec-WebSocket-Key: {base64.b64encode(chance.token_bytes(16)).decode()}\r\nSec-WebSocket-Version: 13\r\n"
             f"Authorization: jwt {given[0]}\r\n\r\n".encode())
assert b" 101 " in wire.recv(4096)

def frame(text):
    data = text.encode()
    length = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0xFE, len(data))
    wire.sendall(b"\x81" + length + b"\0\0\0\0" + data)

# What Sparring hands out: a code, in Location, and what it is redeemed for.
client = os.environ["SPARRING_IDENTITY_CLIENT_ID"], os.environ["SPARRING_IDENTITY_CLIENT_SECRET"]
authorize = urllib.parse.urlsplit(os.environ["SPARRING_IDENTITY_AUTHORIZATION_ENDPOINT"]).path
redirect = "https://liveperson.net"
answer, _ = send(f"{authorize}?" + urllib.parse.urlencode(
    {"response_type": "code", "client_id": client[0], "redirect_uri": redirect, "scope": "openid", "state": "s", "login_hint": "ada"}), method="GET")
code = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.getheader("Location") or "").query).get("code", [""])[0]
assert code, (answer.status, answer.getheader("Location"))
_, redeemed = send(token, urllib.parse.urlencode({"grant_type": "authorization_code", "code": code, "redirect_uri": redirect}), "application/x-www-form-urlencoded",
                   Authorization="Basic " + base64.b64encode(":".join(client).encode()).decode())
given += [code, client[1]] + [value for name, value in json.loads(redeemed).items() if name.endswith("token")]
json.dump(given, open(sys.argv[1] + ".given", "w"))

for name, value in secrets:
    quoted = urllib.parse.quote
    send(token, json.dumps({"grant_type": "authorization_code", name: value}), "application/json")
    send(token, json.dumps({"grant_type": "authorization_code", name: value}), "application/x-www-form-urlencoded")
    send(token, f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n--b--\r\n', "multipart/form-data; boundary=b")
    send(token, f"<r><{name}>{value}</{name}></r>", "application/xml")
    send(token, "payload=" + quoted(json.dumps({name: value})), "application/x-www-form-urlencoded")
    send(token, f"grant_type=authorization_code&{name}={quoted(value)}&x=1", "text/plain")
    send(login, '{"%s":"%s","redirect_uri":"x",}' % (name, value), "application/json")
    send(login, '{"a":1,"%s":"%s' % (name, value), "application/json")
    send(login, "{'%s': '%s'}" % (name, value), "application/json")
    send(login, '{"%s":"%s","%s":"%s"}' % (name, value, name, value), "application/json")
    send(f"/nope/{account}?{name}={quoted(value)}", method="GET")
    send(f"/api/account/{account}/service/idp/baseURI.json?version=1.0&{name}={quoted(value)}", method="GET")
    send(login, f"{name}: {value}", "text/plain")
    # Where it has no name, it has been seen by now.
    send(f"/nope/{account}?anything={quoted(value)}&b=c", method="GET", Referer=f"https://app.example/cb?{name}={quoted(value)}", X_Trace=value)
    send(f"/nope/{account}/files/{quoted(value, safe='')}", method="GET", Cookie=f"sid={value}; theme=dark")
    send(token, f'--b\r\nContent-Disposition: form-data; name="file"; filename="{value}.png"\r\n\r\n'.encode() + bytes(range(256)) + b"\r\n--b--\r\n",
         "multipart/form-data; boundary=b")
    send(token, "grant_type=client_credentials", "application/x-www-form-urlencoded", Authorization="Basic " + base64.b64encode(f"app:{value}".encode()).decode())
    send(token, "grant_type=client_credentials", "application/x-www-form-urlencoded", Authorization=f"Bearer {value}")
    nested = part({"alg": "RS256"}) + "." + part({"sub": "ada", name: value, "act": {"jwt": value}}) + "." + chance.token_urlsafe(20)
    send(login, json.dumps({"id_token": nested, "redirect_uri": "x"}), "application/json")
    frame(json.dumps({"kind": "req", "id": "1", "type": "InitConnection", "body": {}, "headers": [{"type": ".ams.headers.ConsumerAuthentication", name: value}]}))
    frame('{"kind":"req","id":"2","type":"GetClock","body":{"said":"%s"' % value)
'''


def credential(number):
    chance = random.Random(number)
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    word = "".join(chance.choice(letters) for _ in range(28))
    if number % 5 == 4:  # a JWT
        part = base64.urlsafe_b64encode(json.dumps({"sub": word}).encode()).decode().rstrip("=")
        return f"eyJhbGciOiJSUzI1NiJ9.{part}.{word}"
    return f"S{number:02}{word}"


def main():
    binary = sys.argv[1]
    secrets = [(NAMES[number % len(NAMES)], credential(number)) for number in range(60)]
    with tempfile.TemporaryDirectory(prefix="secrets-") as folder:
        folder = Path(folder)
        (folder / "client.py").write_text(CLIENT)
        (folder / "secrets.json").write_text(json.dumps(secrets))
        reports = {"--html": "r.html", "--junit": "r.xml", "--json-report": "r.json", "--sarif": "r.sarif", "--write-known": "known.json"}
        options = [word for option, name in reports.items() for word in (option, str(folder / name))]
        done = subprocess.run(
            [binary, "run", *options, "--database", str(folder / "run.db"), "--", sys.executable, str(folder / "client.py"), str(folder / "secrets.json")],
            capture_output=True, text=True, timeout=600, check=False, env={**os.environ, "TMPDIR": str(folder)})
        texts = {"terminal": done.stdout + done.stderr, **{name: (folder / name).read_text() for name in reports.values()}}
        if "client.py" in texts["terminal"] and "Traceback" in texts["terminal"]:
            sys.exit(f"the client failed: {texts['terminal'][-2000:]}")
        names = json.loads(subprocess.run([binary, "journal", "--database", str(folder / "run.db"), "--json-lines", "--limit", "1"], capture_output=True, text=True, check=False).stdout.split("\n")[0] or "{}")
        if not names:
            sys.exit("the journal of the run is empty")
        for title, command in {
            "journal": ["journal", "--json-lines", "--limit", "10000"], "HAR": ["contract", "export", "har"],
            "Pact of identity": ["contract", "export", "pact", "identity", "--consumer", "x"],
            "Pact of liveperson": ["contract", "export", "pact", "liveperson", "--consumer", "x"]}.items():
            texts[title] = subprocess.run(
                [binary, *command, "--database", str(folder / "run.db")], capture_output=True, text=True, timeout=120, check=False).stdout
        given = json.loads((folder / "secrets.json.given").read_text())
        texts["recording"] = recorded(binary, folder)
        given += json.loads((folder / "secrets.json.given").read_text())
        secrets += [("given", value) for value in given]
        # A JWT's claims stay in a recording; whose it is, its signature says.
        secrets += [("signature", value.split(".")[2]) for _, value in secrets if value.count(".") == 2 and value.startswith("eyJ")]
        failed = 0
        for title in ("journal", "HAR", "recording", "Pact of identity", "Pact of liveperson"):
            left = subprocess.run([binary, "scan", "-"], input=texts[title], capture_output=True, text=True, timeout=120, check=False)
            failed += left.returncode
            print(f"  {'FAILED' if left.returncode else 'ok    '} a scan of {title} {left.stdout[:300]}")
        again = subprocess.run([binary, "replay", "-"], input=texts["HAR"], capture_output=True, text=True, timeout=300, check=False)
        failed += again.returncode
        print(f"  {'FAILED' if again.returncode else 'ok    '} the HAR replays: {(again.stdout + again.stderr)[:2000 if again.returncode else 100]}")
        for title, text in texts.items():
            found = [(name, value) for name, value in secrets if value in text or value[3:] in text or base64.b64encode(f"app:{value}".encode()).decode() in text]
            failed += len(found)
            if not text.strip():
                failed += 1
                print(f"  FAILED {title}: it is empty")
            print(f"  {'FAILED' if found else 'ok    '} {title}: {len(text):,} characters" + (f", {len(found)} credentials such as {found[0]}: …{around(text, found[0][1])}…" if found else ""))
    return bool(failed)


def recorded(binary, folder):
    """The archive of the same client's calls at a second Sparring."""
    config, ready, archive = folder / "vendor.yaml", folder / "ready.json", folder / "recording.har"
    config.write_text("sandboxes: [{ name: default, seed: 7, tenants: { identity: {}, liveperson: {}, cxone: {}, khoros: {}, asapp: {}, talkdesk: {} } }]")
    words = [binary, "serve", "--port", "0", "--no-tls", "--config", str(config), "--ready-file", str(ready)]
    vendor = subprocess.Popen(words, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + 60
        while not ready.exists() or not ready.read_text().strip():
            if vendor.poll() is not None or time.monotonic() > deadline:
                sys.exit("the second Sparring did not start")
            time.sleep(0.05)
        url = f"http://127.0.0.1:{json.loads(ready.read_text())['port']}"
        targets = [word for part in ("identity", "liveperson", "cxone", "khoros", "asapp", "talkdesk") for word in ("--to", f"{part}={url}")]
        done = subprocess.run(
            [binary, "record", *targets, "--config", str(config), "--unknown", "pass", "--out", str(archive), "--", sys.executable,
             str(folder / "client.py"), str(folder / "secrets.json")],
            capture_output=True, text=True, timeout=600, check=False, env={**os.environ, "TMPDIR": str(folder)})
        if not archive.exists() or "Traceback" in done.stderr:
            sys.exit(f"nothing was recorded: {done.stdout[-500:]} {done.stderr[-1500:]}")
    finally:
        vendor.terminate()
        vendor.wait()
    print("".join(f"  ok     recorded: {line}\n" for line in done.stdout.splitlines()[-1:]), end="")
    return archive.read_text()


def around(text, value):
    place = max(text.find(value), text.find(value[3:]))
    return text[max(0, place - 100) : place + 60].replace("\n", "\\n")


if __name__ == "__main__":
    sys.exit(main())
