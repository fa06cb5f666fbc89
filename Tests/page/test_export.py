"""An entry as code: what curl and Python send is what the client sent, whatever was in it."""

import base64
import json
import re
import subprocess
import sys

import pytest

from traffic import lively

NASTY = "'\u0301; echo $'\u200d It's \"quoted\" $HOME `date` \\ \\u{41} \\(x) !x; %41 *\tñ 🙂\n\u2028\u0007\r\n'''"
HEADER = "it's \"quoted\" $HOME \\ `x`; a=b"
FORM = "application/x-www-form-urlencoded"
BODIES = {
    "none": (None, None), "json": (json.dumps({"text": NASTY}).encode(), "application/json"), "text": (NASTY.encode(), "text/plain"),
    "combined": ("'\u0301; touch /nonexistent/x; '\u0301".encode(), "text/plain"), "no type": (b"a=b", None), "controls": (b"a\x1b]0;x\x07\x00b\r\n", "text/plain"),
    "dash": (b"-@x", "text/plain"), "at": (b"@/etc/passwd", FORM), "bytes": (bytes(range(256)), "application/octet-stream"),
    "quotes": (b"'\"'\\''", "text/plain"),
}  # fmt: skip


@pytest.fixture(scope="module")
def sandbox(server):
    return server.sandbox("exported")


def sent(sandbox, body, kind):
    """A request of a client, which is refused or not, and its entry."""
    liveperson = sandbox.tenants["liveperson"]["accountId"]
    url = f"{sandbox.server.url}/api/account/{liveperson}/app/default/authenticate?v=2.0&note=a%20b&x='$y'&filter[x]={{a,b}}&up=/../"
    headers = {"X-Note": HEADER, "X-Empty": "", "X-Sparring-Lane": "ada"} | ({"Content-Type": kind} if kind else {})
    sandbox.server.http.post(url, data=body, headers=headers, timeout=60)
    return newest(sandbox)


def newest(sandbox):
    return sandbox.call("GET", f"journal/{sandbox.last()}")


def code(sandbox, number, form):
    url = f"{sandbox.server.url}/__admin/sandboxes/{sandbox.name}/journal/{number}/export?as={form}"
    answer = sandbox.server.http.get(url, timeout=60)
    assert answer.status_code == 200, answer.text
    assert answer.headers["Content-Type"].startswith("text/plain")
    return answer.content.decode()


def essence(entry):
    """Without what each client writes in its own way, or by itself."""
    request = dict(entry["request"])
    request["headers"] = {name: value for name, value in request["headers"].items() if name not in ("User-Agent", "Accept", "Accept-Encoding", "Connection", "Content-Length")}
    request.pop("connection", None)
    # None and an empty one are the same body.
    return {name: value for name, value in request.items() if value != ""}, entry.get("answer", {}).get("status")


@pytest.mark.parametrize("form", ["curl", "python"])
@pytest.mark.parametrize("body", [pytest.param(name, marks=[pytest.mark.short] if name == "json" else []) for name in BODIES])
def test_it_sends_the_same_again(sandbox, form, body):
    entry = sent(sandbox, *BODIES[body])
    text = code(sandbox, entry["number"], form)
    command = ["bash", "-c", text] if form == "curl" else [sys.executable, "-c", text]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=60)
    assert done.returncode == 0, text + done.stderr
    again = newest(sandbox)
    assert again["number"] > entry["number"]
    assert essence(again) == essence(entry), text


@pytest.mark.parametrize("body", list(BODIES))
def test_the_swift_test_is_swift(sandbox, tmp_path, body):
    """It parses, and its literals say what was sent."""
    entry = sent(sandbox, *BODIES[body])
    file = tmp_path / "Entry.swift"
    file.write_text(code(sandbox, entry["number"], "swift"))
    done = subprocess.run(["swiftc", "-parse", str(file)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, file.read_text() + done.stderr
    literals = re.findall(r'"((?:[^"\\\n]|\\.)*)"', file.read_text())
    short = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
    read = [re.sub(r"\\(?:u\{([0-9a-f]+)\}|(.))", lambda found: chr(int(found[1], 16)) if found[1] else short[found[2]], text) for text in literals]
    assert HEADER in read
    if text := entry["request"].get("body"):
        # What a terminal might obey is not written as text.
        assert (text in read) != (base64.b64encode(text.encode()).decode() in read)


def test_steps_of_a_timeline(server, sandbox):
    """They are those of a scenario that is then accepted."""
    other = server.sandbox("steps")
    ada = lively(other)
    steps, refused = [], 0
    for entry in other.entries():
        answer = server.http.get(f"{server.url}/__admin/sandboxes/{other.name}/journal/{entry['number']}/export?as=step", timeout=60)
        if answer.status_code == 200:
            steps.append(answer.text.strip())
        else:
            assert answer.status_code == 409, answer.text
            refused += 1
    ada.wire.close_socket()
    assert refused > 5
    assert [re.match(r"- \{ at: 0s, do: (\S+), with: ", step)[1] for step in steps] == ["liveperson.say", "liveperson.push", "armFault", "armFault"]


def test_a_body_that_was_cut_is_not_exported(server):
    sandbox = server.sandbox()
    entry = sent(sandbox, b"x" * 300_000, "text/plain")
    assert "bodySize" in entry["request"]
    answer = server.http.get(f"{server.url}/__admin/sandboxes/{sandbox.name}/journal/{entry['number']}/export?as=curl", timeout=60)
    assert answer.status_code == 409
    assert "only the beginning" in answer.json()["detail"]


def tokens(server, sandbox, token):
    """What is said of a token that a client brings."""
    account = sandbox.tenants["liveperson"]["accountId"]
    url = f"{server.url}/api/account/{account}/app/default/authenticate?v=2.0"
    server.http.post(url, json={"id_token": token}, timeout=60)
    return code(sandbox, sandbox.last(), "tokens")


def minted(sandbox, **form):
    return sandbox.call("POST", "credentials", {"form": "jwt", "subject": "ada", **form})["credential"]


TOKENS = {
    "good": ({}, ["signed with key ", " of identity", "expires in 60 min (exp)", "issued 0 ms ago (iat)", '"sub": "ada"']),
    "expired": ({"defect": "expired"}, [" of identity", "expired ", " ago (exp)"]),
    "not yet valid": ({"defect": "not-yet-valid"}, [" of identity", "not valid before in "]),
    "wrong key": ({"defect": "wrong-key"}, ["signed with no key of this sandbox"]),
    "tampered": ({"defect": "tampered"}, ["signed with no key of this sandbox"]),
    "unsigned": ({"defect": "alg-none"}, ["signed with no key of this sandbox", '"alg": "none"']),
    "encrypted": ({"form": "jwe"}, ["encrypted for the key of liveperson", "in it:", " of identity", '"sub": "ada"']),
}  # fmt: skip


@pytest.mark.parametrize("kind", list(TOKENS))
def test_what_is_said_of_a_token(server, sandbox, kind):
    form, words = TOKENS[kind]
    text = tokens(server, sandbox, minted(sandbox, **form))
    first = text.split("\n\n")[0]
    assert first.startswith("request, body\n")
    for word in words:
        assert word in first, text
    assert "no key" not in first or "no key" in " ".join(words)


def test_the_answer_has_tokens_too(server, sandbox):
    text = tokens(server, sandbox, minted(sandbox))
    assert "\nanswer, body\n  signed with key " in text and " of liveperson\n" in text


def test_an_entry_without_a_token(server, sandbox):
    sandbox.call("POST", "journal/marks", {"mark": "none"})
    answer = server.http.get(f"{server.url}/__admin/sandboxes/{sandbox.name}/journal/{sandbox.last()}/export?as=tokens", timeout=60)
    assert (answer.status_code, answer.json()["detail"]) == (409, f"entry {sandbox.last()} has no token")
