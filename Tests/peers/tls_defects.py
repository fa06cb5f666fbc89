"""A client that checks certificates, and one that does not, before ports whose TLS is defective.

    python tls_defects.py http://127.0.0.1:8080

The server has been started with --tls-defects. Python's ssl is OpenSSL, whose verification codes are those of x509_vfy.h. Prints a line for each
check; the first that fails ends it with status 1.
"""

import socket
import ssl

from peer import admin, base, check, finish, http

ports = admin("GET", "health")["tlsDefects"]
authority = http.get(f"{base}/__admin/ca", timeout=30).text
tenants = admin("GET", "sandboxes/default")["tenants"]
target = f"/api/account/{tenants['liveperson']['accountId']}/service/idp/baseURI.json?version=1.0"


def call(port, context, timeout=30):
    """The status line of an answer within TLS."""
    with socket.create_connection(("127.0.0.1", port), timeout) as connection:
        with context.wrap_socket(connection, server_hostname="localhost") as tls:
            tls.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            return tls.makefile("rb").readline().decode().strip()


def checking():
    context = ssl.create_default_context(cadata=authority)
    context.verify_flags |= ssl.VERIFY_X509_STRICT
    return context


def careless():
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def findings():
    return [
        finding
        for entry in admin("GET", "sandboxes/default/journal")["entries"]
        for finding in entry.get("findings", [])
        if finding["code"] in ("certificate-accepted", "old-tls-accepted")
    ]


expected = {
    "expired": (10, "has expired"),
    "not-yet-valid": (9, "is not valid yet"),
    "wrong-host": (62, "is for another host"),
    "untrusted-issuer": (19, "comes from an unknown authority"),
    "self-signed": (18, "is signed with its own key"),
}
check("there is a port for each defect", set(ports) == {*expected, "old-tls", "stalled-handshake"}, ports)
check("all ports differ", len(set(ports.values())) == len(ports), ports)

for name, (code, _) in expected.items():
    try:
        check(f"{name}: a client that checks goes away", False, call(ports[name], checking()))
    except ssl.SSLCertVerificationError as error:
        check(f"{name}: a client that checks goes away", error.verify_code == code, f"{error.verify_code} {error.verify_message}")
check("clients that went away are in no finding", findings() == [], findings())

for name, (_, words) in expected.items():
    before = len(findings())
    line = call(ports[name], careless())
    check(f"{name}: a client that does not check is served", line == "HTTP/1.1 200 OK", line)
    found = findings()[before:]
    check(f"{name}: and found out", [(one["place"], words in one["words"]) for one in found] == [(name, True)], found)

try:
    check("old TLS: a client of today goes away", False, call(ports["old-tls"], checking()))
except ssl.SSLError as error:
    check("old TLS: a client of today goes away", error.reason == "TLSV1_ALERT_PROTOCOL_VERSION", error.reason)
old = careless()
old.set_ciphers("ALL:@SECLEVEL=0")  # OpenSSL's default keeps SHA-1 out, which these versions sign with
for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
    old.minimum_version = old.maximum_version = version
    before = len(findings())
    line = call(ports["old-tls"], old)
    check(f"old TLS: a client of {version.name} is served", line == "HTTP/1.1 200 OK", line)
    found = [(one["code"], one["place"]) for one in findings()[before:]]
    check("old TLS: and found out", found == [("old-tls-accepted", "old-tls")], found)

before = len(findings())
secure = int(admin("GET", "sandboxes/default")["tenants"]["liveperson"]["csdsDomain"].split(":")[1])
check("the ordinary port is sound", call(secure, checking()) == "HTTP/1.1 200 OK")
check("and leaves no finding", len(findings()) == before, findings())

try:
    check("a stalled handshake never ends", False, call(ports["stalled-handshake"], checking(), timeout=2))
except TimeoutError:
    check("a stalled handshake never ends", True)
with socket.create_connection(("127.0.0.1", ports["stalled-handshake"]), 2) as connection:
    for _ in range(100):
        connection.sendall(b"\x16\x03\x01" + bytes(10_000))
    try:
        check("whatever is sent there is taken and not answered", False, connection.recv(1))
    except TimeoutError:
        check("whatever is sent there is taken and not answered", True)

finish()
