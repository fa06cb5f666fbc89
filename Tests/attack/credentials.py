"""Credentials in calls that are not as they should be: none may stand in what is shown to others.

    python3 credentials.py SPARRING

A client of `sparring run` sends forty credentials under the names that the vendors and OAuth have for them, each in thirteen forms that an endpoint does not
expect. Then they are looked for in the terminal's text, the HTML, JUnit, JSON and SARIF reports, the baseline, and the redacted journal and exports of
the run's database. The exit status is 1 where one is found.
"""

import base64
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

NAMES = [
    "client_secret", "code", "refresh_token", "id_token", "password", "access_token", "deviceToken", "bearer", "code_verifier", "authToken", "sessionToken",
    "api_key", "client_assertion", "temp_url_sig", "jwt", "secret"]

CLIENT = r'''
import http.client, json, os, sys, urllib.parse
secrets = json.load(open(sys.argv[1]))
url = urllib.parse.urlsplit(os.environ["SPARRING_URL"])
connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
token = urllib.parse.urlsplit(os.environ["SPARRING_IDENTITY_TOKEN_ENDPOINT"]).path
account = os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
login = f"/api/account/{account}/app/default/authenticate?v=2.0"

def send(target, body=None, kind=None, method="POST"):
    connection.request(method, target, body=body.encode() if body else None, headers={"Content-Type": kind} if kind else {})
    connection.getresponse().read()

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
    secrets = [(NAMES[number % len(NAMES)], credential(number)) for number in range(40)]
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
            "journal --redact": ["journal", "--json-lines", "--redact", "--limit", "10000"], "HAR": ["contract", "export", "har", "--redact"],
            "Pact of identity": ["contract", "export", "pact", "identity", "--consumer", "x", "--redact"],
            "Pact of liveperson": ["contract", "export", "pact", "liveperson", "--consumer", "x", "--redact"]}.items():
            texts[title] = subprocess.run(
                [binary, *command, "--database", str(folder / "run.db")], capture_output=True, text=True, timeout=120, check=False).stdout
        failed = 0
        for title, text in texts.items():
            found = [(name, value) for name, value in secrets if value in text or value[3:] in text]
            failed += len(found)
            if not text.strip():
                failed += 1
                print(f"  FAILED {title}: it is empty")
            print(f"  {'FAILED' if found else 'ok    '} {title}: {len(text):,} characters" + (f", {len(found)} credentials such as {found[0]}: …{around(text, found[0][1])}…" if found else ""))
    return bool(failed)


def around(text, value):
    place = max(text.find(value), text.find(value[3:]))
    return text[max(0, place - 100) : place + 60].replace("\n", "\\n")


if __name__ == "__main__":
    sys.exit(main())
