"""A brand's push proxy that asks for a client certificate (mutual TLS), as somebody else would write it.

    python push_proxy_tls.py http://127.0.0.1:8080

Makes its own authorities and certificates with the library cryptography, serves HTTPS with Python's ssl, and has Sparring push to it. Prints a
line for each check; the first that fails ends it with status 1.
"""

import datetime
import ipaddress
import json
import ssl
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from peer import base, check, finish, http


def admin(method, path, body=None):
    return http.request(method, f"{base}/__admin/{path}", json=body, timeout=60)


# -- certificates


class Pair:
    """A certificate with its key; one without an issuer is an authority."""

    def __init__(self, name, issuer=None, usage=None):
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.datetime.now(datetime.timezone.utc)
        builder = (
            x509.CertificateBuilder()
            .subject_name(self.name)
            .issuer_name(issuer.name if issuer else self.name)
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + datetime.timedelta(days=30))
            .add_extension(x509.BasicConstraints(ca=issuer is None, path_length=None), critical=True)
        )
        if usage:
            builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False).add_extension(
                x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
            )
        self.certificate = builder.sign(issuer.key if issuer else self.key, hashes.SHA256())

    @property
    def pem(self):
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def key_pem(self):
        return self.key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()


authority, stranger = Pair("Brand CA"), Pair("Another CA")
server = Pair("push.brand.test", authority, ExtendedKeyUsageOID.SERVER_AUTH)
client = Pair("Conversational Cloud", authority, ExtendedKeyUsageOID.CLIENT_AUTH)
false_client = Pair("Somebody else", stranger, ExtendedKeyUsageOID.CLIENT_AUTH)

# -- the proxy


class Proxy(BaseHTTPRequestHandler):
    got = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        subject = dict(pair[0] for pair in self.connection.getpeercert()["subject"])
        Proxy.got.append((subject["commonName"], body))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Quiet(ThreadingHTTPServer):
    def handle_error(self, *_):
        pass


context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
with tempfile.NamedTemporaryFile("w", suffix=".pem") as file:
    file.write(server.pem + server.key_pem)
    file.flush()
    context.load_cert_chain(file.name)
context.load_verify_locations(cadata=authority.pem)
context.verify_mode = ssl.CERT_REQUIRED
proxy = Quiet(("127.0.0.1", 0), Proxy)
proxy.socket = context.wrap_socket(proxy.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=proxy.serve_forever, daemon=True).start()
url = f"https://127.0.0.1:{proxy.server_address[1]}/push"

# -- a consumer with a device

sandbox = admin("POST", "sandboxes", {"clock": {"mode": "frozen"}, "tenants": {"identity": {}, "liveperson": {}}}).json()
here, account = f"sandboxes/{sandbox['id']}", sandbox["tenants"]["liveperson"]["accountId"]
brand_token = admin("POST", f"{here}/credentials", {"form": "jwt", "subject": "ada"}).json()["credential"]
token = http.post(f"{base}/api/account/{account}/authenticate", json={"authCode": brand_token}, timeout=30).json()["jwt"]
registered = http.put(
    f"{base}/mock/pusher/account/{account}/registrations/test.brand.app",
    json={"deviceToken": "phone", "pushType": "APNS"},
    headers={"Authorization": f"Bearer {token}"},
    timeout=30,
)
check("a device is registered", registered.status_code == 201, registered.text)


def configure(**more):
    return admin("PATCH", f"{here}/tenants/liveperson", {"push": {"proxy": {"url": url, **more}}})


def push(text):
    """Pushes, lets all attempts be made, and returns what the journal says of them."""
    before = len(admin("GET", f"{here}/journal?operation=liveperson.push").json()["entries"])
    admin("POST", f"{here}/liveperson/push", {"consumer": "ada", "text": text})
    for _ in range(4):
        admin("POST", f"{here}/clock/advance", {"by": "10s"})
    return [entry["cause"] for entry in admin("GET", f"{here}/journal?operation=liveperson.push").json()["entries"]][before:]


sound = {"clientCertificate": client.pem, "clientKey": client.key_pem, "trustedCertificates": authority.pem}
check("the account takes certificate, key and authority", configure(**sound).status_code == 200)
causes = push("one")
check("the push is accepted at the first attempt", len(causes) == 1 and causes[0].endswith("accepted"), causes)
check("the proxy saw the client's certificate", Proxy.got[-1][0] == "Conversational Cloud", Proxy.got)
check("the push came whole", Proxy.got[-1][1]["device-token"] == "phone", Proxy.got)

seen = len(Proxy.got)
for name, change in [
    ("without a certificate", {"clientCertificate": None, "clientKey": None}),
    ("with another authority's certificate", {"clientCertificate": false_client.pem, "clientKey": false_client.key_pem}),
    ("from a proxy whose authority is not trusted", {"trustedCertificates": stranger.pem}),
]:
    answer = configure(**{**sound, **change})
    check(f"{name}: configured", answer.status_code == 200, answer.text)
    causes = push("two")
    check(f"{name}: nothing arrives, and four attempts are made", len(causes) == 4 and causes[-1].endswith("given up"), causes)
check("the proxy took none of them", len(Proxy.got) == seen, Proxy.got)

for name, change, pointer in [
    ("a certificate that is none", {"clientCertificate": "rubbish"}, "/push/proxy/clientCertificate"),
    ("a key that is none", {"clientKey": "rubbish"}, "/push/proxy/clientKey"),
    ("a key of another certificate", {"clientKey": false_client.key_pem}, "/push/proxy/clientKey"),
    ("a certificate without its key", {"clientKey": None}, "/push/proxy/clientKey"),
    ("an authority that is none", {"trustedCertificates": "rubbish"}, "/push/proxy/trustedCertificates"),
]:
    answer = configure(**{**sound, **change})
    pointers = [violation["pointer"] for violation in answer.json().get("violations", [])]
    check(f"{name} is refused, and named", answer.status_code == 422 and pointers == [pointer], f"{answer.status_code} {answer.text}")

finish()
