"""Malformed requests, from a seed: random bytes, cut heads, impossible lengths, bad chunks, bad UTF-8, deep JSON, odd targets.

    python3 storm.py PORT ACCOUNT TENANT COUNT SEED

Prints how many were sent and what came back by status ("none": the connection ended without one). Only the standard library, so that
nothing mends a request on its way.
"""

import collections
import json
import random
import socket
import sys

port, account, tenant, count, seed = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5])
draw = random.Random(seed)
sign_in = f"/api/account/{account}/app/default/authenticate?v=2.0"


def head(method, target, *fields):
    return "\r\n".join([f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{port}", *fields, "", ""]).encode("utf-8", "surrogateescape")


def post(body, *fields, target=sign_in):
    body = body if isinstance(body, bytes) else body.encode()
    return head("POST", target, "Content-Type: application/json", f"Content-Length: {len(body)}", *fields) + body


def random_bytes():
    return draw.randbytes(draw.randint(1, 400))


def cut_head():
    whole = post(json.dumps({"id_token": "a.b.c"}), "X-Long: " + "x" * draw.randint(0, 300))
    return whole[: draw.randint(1, len(whole) - 1)]


def impossible_length():
    length = draw.choice(["-1", "1e3", "0x10", "99999999999999999999", "18446744073709551615", "5, 6", "", "1048577", "9" * 200, "+5", "٣"])
    return head("POST", sign_in, "Content-Type: application/json", f"Content-Length: {length}") + b"{}"


def two_lengths():
    extra = draw.choice(["Content-Length: 7", "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: identity"])
    return head("POST", sign_in, "Content-Length: 2", extra) + b"{}"


def bad_chunks():
    chunk = draw.choice([b"zz\r\n{}\r\n0\r\n\r\n", b"-2\r\n{}\r\n", b"2\r\n{}0\r\n\r\n", b"ffffffffffffffffff\r\n{}", b"2;" + b"x" * 5000 + b"\r\n{}\r\n0\r\n\r\n", b"\r\n\r\n"])
    return head("POST", sign_in, "Transfer-Encoding: chunked") + chunk


def bad_utf8():
    return post(b'{"id_token":"' + draw.choice([b"\xff", b"\xc3\x28", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80"]) + b'"}')


def deep_json():
    return post(draw.choice(["[", '{"a":', '[{"a":']) * draw.randint(257, 20000))


def bad_json():
    return post(draw.choice(["", "{", "nul", '{"id_token":1e999}', '{"a":1,"a":2}', "{'a':1}", '{"code":"a","id_token":"b"}', "\x00", '"\\ud800"', "[]", "7"]))


def bad_token():
    part = draw.choice(["", "e30", "bnVsbA", "=", "%", "é", "eyJhbGciOiJub25lIn0", "A" * 3000])
    return post(json.dumps({"id_token": ".".join([part] * draw.randint(1, 7))}))


def odd_target():
    target = draw.choice(["", "*", "//", "/%", "/%zz", "/%00", "/a%2F..%2Fb", "/../../etc/passwd", "http://", "?", "/" + "a" * 40000, f"/api/account/{account}%00/signup", "/\xff", "/__admin/sandboxes/%2e%2e", f"/api/account/{'x' * 65}/signup"])
    return head(draw.choice(["GET", "POST", "BREW", "get", "G\x00T"]), target)


def bad_field():
    field = draw.choice(["No colon here", ": empty name", "Bad Name: x", "X:\x00", "X: " + "y" * 40000, " folded: x", "Host: a\r\nHost: b", "Expect: nothing", "Connection: \x7f"])
    return head("GET", f"/api/account/{account}/service/idp/baseURI.json", field)


def many_fields():
    return head("GET", "/", *[f"X-{number}: {number}" for number in range(draw.randint(200, 3000))])


def bad_form():
    body = draw.choice([b"%", b"grant_type=%zz", b"code&code&code", b"=", b"\xff=\xfe", b"grant_type=authorization_code&code=" + b"x" * 100000])
    return head("POST", f"/identity/{tenant}/token", "Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}", "Authorization: Basic " + draw.choice(["", "!", "Og==", "YQ=="])) + body


def bad_admin():
    body = draw.choice(['{"name":"../x"}', '{"tenants":[]}', '{"seed":-1}', '{"clock":{"mode":"fast"}}', '{"tenants":{"nobody":{}}}', '{"tenants":{"liveperson":{"accountId":5}}}', "{", '{"faults":["x"]}', '{"name":"default"}'])
    return post(body, target="/__admin/sandboxes")


kinds = [random_bytes, cut_head, impossible_length, two_lengths, bad_chunks, bad_utf8, deep_json, bad_json, bad_token, odd_target, bad_field, many_fields, bad_form, bad_admin]
# What these send may be the beginning of something longer: the server is right to wait, so they only look whether it answers at once.
unfinished = {random_bytes, cut_head, bad_chunks, impossible_length, bad_field, odd_target}
seen = collections.Counter()
for number in range(count):
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        kind = kinds[number % len(kinds)]
        request = kind()
        try:
            connection.sendall(request)
            if kind in unfinished:
                connection.settimeout(0.004)
            answer = b""
            while len(answer) < 12:
                piece = connection.recv(4096)
                if not piece:
                    break
                answer += piece
        except (ConnectionResetError, BrokenPipeError):
            answer = b""
        except TimeoutError:
            if kind not in unfinished:
                sys.exit(f"no answer and no end after 20 s to number {number}, {kind.__name__}: {request[:300]!r}")
        seen[answer[9:12].decode("latin-1") if answer.startswith(b"HTTP/1.") else "none"] += 1

print(json.dumps({"sent": count, "answers": dict(sorted(seen.items()))}))
