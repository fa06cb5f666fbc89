"""A brand's push endpoint that asks for a client certificate (mutual TLS), as somebody else would write it.

    python push_endpoint_tls.py http://127.0.0.1:8080 liveperson|asapp

Makes its own authorities and certificates with the library cryptography, serves HTTPS with Python's ssl, and has Sparring push to it. Prints a
line for each check; the first that fails ends it with status 1.
"""

import datetime
import ipaddress
import json
import ssl
import sys
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

# -- the endpoint


class Endpoint(BaseHTTPRequestHandler):
    got = []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        subject = dict(pair[0] for pair in self.connection.getpeercert()["subject"])
        Endpoint.got.append((subject["commonName"], body))
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
endpoint = Quiet(("127.0.0.1", 0), Endpoint)
endpoint.socket = context.wrap_socket(endpoint.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=endpoint.serve_forever, daemon=True).start()
url = f"https://127.0.0.1:{endpoint.server_address[1]}/push"

# -- a consumer with a device


class LivePerson:
    """Its push proxy."""

    setting = "/push/proxy"

    def register(self, tenant, brand_token):
        account = tenant["accountId"]
        token = http.post(f"{base}/api/account/{account}/authenticate", json={"authCode": brand_token}, timeout=30).json()["jwt"]
        return http.put(
            f"{base}/mock/pusher/account/{account}/registrations/test.brand.app",
            json={"deviceToken": "phone", "pushType": "APNS"},
            headers={"Authorization": f"Bearer {token}"},
            timeout=30,
        )

    def settings(self, members):
        return {"push": {"proxy": members}}

    def device(self, body):
        return body["device-token"]


class Asapp:
    """The push endpoint of its customer."""

    setting = "/push"

    def register(self, tenant, brand_token):
        headers = {"asapp-api-id": tenant["appId"]}
        user = {"userIdentifier": "ada", "platform": "ios", "context": {"Auth": {"Token": brand_token}}}
        session = http.post(f"{base}/chat/v1/session", json=user, headers=headers, timeout=30).json()
        return http.put(
            f"{base}/chat/v1/push-token",
            json={"deviceToken": "phone", "platform": "ios"},
            headers={**headers, "Authorization": f"Bearer {session['sessionToken']}"},
            timeout=30,
        )

    def settings(self, members):
        return {"push": members}

    def device(self, body):
        return body["deviceToken"]


name = sys.argv[2]
vendor = {"liveperson": LivePerson, "asapp": Asapp}[name]()
sandbox = admin("POST", "sandboxes", {"clock": {"mode": "frozen"}, "tenants": {"identity": {}, name: {}}}).json()
here = f"sandboxes/{sandbox['id']}"
brand_token = admin("POST", f"{here}/credentials", {"form": "jwt", "subject": "ada"}).json()["credential"]
registered = vendor.register(sandbox["tenants"][name], brand_token)
check("a device is registered", registered.status_code in (201, 204), registered.text)


def configure(**more):
    return admin("PATCH", f"{here}/tenants/{name}", vendor.settings({"url": url, **more}))


def push(text):
    """Pushes, lets all attempts be made, and returns what the journal says of them."""
    attempts = f"{here}/journal?operation={name}.push&kind=due"
    before = len(admin("GET", attempts).json()["entries"])
    admin("POST", f"{here}/{name}/push", {"consumer": "ada", "text": text})
    for _ in range(4):
        admin("POST", f"{here}/clock/advance", {"by": "10s"})
    return [entry["cause"] for entry in admin("GET", attempts).json()["entries"]][before:]


sound = {"clientCertificate": client.pem, "clientKey": client.key_pem, "trustedCertificates": authority.pem}
check("the account takes certificate, key and authority", configure(**sound).status_code == 200)
causes = push("one")
check("the push is accepted at the first attempt", len(causes) == 1 and causes[0].endswith("accepted"), causes)
check("the endpoint saw the client's certificate", Endpoint.got[-1][0] == "Conversational Cloud", Endpoint.got)
check("the push came whole", vendor.device(Endpoint.got[-1][1]) == "phone", Endpoint.got)


def says(cause: str, reason: str) -> bool:
    """Whether a cause gives the reason, in the words of either flavour of libcurl."""
    if reason == "server certificate":
        # OpenSSL: "SSL certificate problem: …"; GnuTLS: "server certificate verification failed …".
        return "TLS failed: " in cause and ("certificate problem" in cause or "certificate verif" in cause)
    # An endpoint that has refused a certificate closes: the client may find it gone before it has read the alert.
    gone = "after the TLS handshake, as by a server that does not accept the client's certificate"
    return ("TLS failed: " in cause and reason in cause) or gone in cause


seen = len(Endpoint.got)
for case, change, reason in [
    ("without a certificate", {"clientCertificate": None, "clientKey": None}, "certificate required"),
    (
        "with another authority's certificate",
        {"clientCertificate": false_client.pem, "clientKey": false_client.key_pem},
        "unknown ca",
    ),
    ("from an endpoint whose authority is not trusted", {"trustedCertificates": stranger.pem}, "server certificate"),
]:
    answer = configure(**{**sound, **change})
    check(f"{case}: configured", answer.status_code == 200, answer.text)
    causes = push("two")
    check(f"{case}: nothing arrives, and four attempts are made", len(causes) == 4 and "accepted" not in causes[-1], causes)
    check(f"{case}: each attempt says why", all(says(cause, reason) for cause in causes), causes)
check("the endpoint took none of them", len(Endpoint.got) == seen, Endpoint.got)

for case, change, pointer in [
    ("a certificate that is none", {"clientCertificate": "rubbish"}, f"{vendor.setting}/clientCertificate"),
    ("a key that is none", {"clientKey": "rubbish"}, f"{vendor.setting}/clientKey"),
    ("a key of another certificate", {"clientKey": false_client.key_pem}, f"{vendor.setting}/clientKey"),
    ("a certificate without its key", {"clientKey": None}, f"{vendor.setting}/clientKey"),
    ("an authority that is none", {"trustedCertificates": "rubbish"}, f"{vendor.setting}/trustedCertificates"),
]:
    answer = configure(**{**sound, **change})
    pointers = [violation["pointer"] for violation in answer.json().get("violations", [])]
    check(f"{case} is refused, and named", answer.status_code == 422 and pointers == [pointer], f"{answer.status_code} {answer.text}")

finish()
