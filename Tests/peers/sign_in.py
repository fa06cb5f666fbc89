"""A brand and its client, as somebody else would write them: signs in at LivePerson and at the brand's identity provider.

    python sign_in.py http://127.0.0.1:8080

Knows the vendors' wire reference and the admin API, and nothing of Sparring's code: tokens are made and judged by joserfc,
requests carries them. Prints a line for each check; the first that fails ends it with status 1.
"""

import base64
import hashlib
import json
import re
import secrets
import threading
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from joserfc import jwe, jws, jwt
from joserfc.jwk import ECKey, KeySet, OctKey, RSAKey

from peer import base, check, finish, http, scheme

NOW = 1_800_000_000  # 2027-01-15T08:00:00Z
ISSUER = "https://idp.peer.example"
REDIRECT = "https://liveperson.net"
CONNECTOR = "lpTag.taglets.unAuthMessaging.lpUnauthFunction"


# ---------------------------------------------------------------- the admin API


def admin(method, path, body=None, expect=(200, 201, 204)):
    answer = http.request(method, f"{base}/__admin/{path}", json=body, timeout=60)
    if answer.status_code not in expect:
        check(f"{method} {path}", False, f"{answer.status_code} {answer.text}")
    return answer.json() if answer.content else None


class Account:
    """A sandbox as its client is configured."""

    def __init__(self, **tenants):
        body = {"clock": {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}, "tenants": tenants}
        self.read(admin("POST", "sandboxes", body))
        self.now = NOW
        self.seen = 0

    def read(self, sandbox):
        self.sandbox = sandbox["id"]
        self.identity = sandbox["tenants"]["identity"]
        self.liveperson = sandbox["tenants"]["liveperson"]
        self.id = self.liveperson["accountId"]
        self.scheme = scheme(sandbox)

    def change(self, vendor, **members):
        admin("PATCH", f"sandboxes/{self.sandbox}/tenants/{vendor}", members)
        self.read(admin("GET", f"sandboxes/{self.sandbox}"))

    def advance(self, seconds):
        admin("POST", f"sandboxes/{self.sandbox}/clock/advance", {"by": f"{seconds}s"})
        self.now += seconds

    def cause(self):
        """Why the newest sign-in came out as it did."""
        journal = admin("GET", f"sandboxes/{self.sandbox}/journal?kind=exchange&since={self.seen}")
        self.seen = journal["next"]
        return [e for e in journal["entries"] if e["operation"].startswith("liveperson.a")][-1].get("cause", "")

    # LivePerson

    def host(self, service="idp"):
        answer = http.get(f"{base}/api/account/{self.id}/service/{service}/baseURI.json", params={"version": "1.0"}, timeout=60)
        return f"{self.scheme}://" + answer.json()["baseURI"]

    def post(self, path, body=None):
        return http.post(f"{self.host()}/api/account/{self.id}/{path}", json=body, timeout=60)

    def v1(self, token):
        return self.post("authenticate", {"authCode": token})

    def v2(self, **body):
        return self.post("app/default/authenticate?v=2.0", body)

    def v3(self, token):
        url = f"{self.host('acCdnDomain')}/api/account/{self.id}/configuration/le-connectors/all-connectors"
        connectors = http.get(url, timeout=60).json()
        connector = next(c["id"] for c in connectors if c["configuration"].get("jsMethodName") == CONNECTOR)
        return self.post(f"app/{connector}/authenticate?v=3.0", {"id_token": token})

    # The identity provider

    def authorize(self, **parameters):
        query = {"response_type": "code", "client_id": self.identity["clientId"], "redirect_uri": REDIRECT}
        query |= {"scope": "openid", "login_hint": "ada"} | parameters
        answer = http.get(self.identity["authorizationEndpoint"], params=query, allow_redirects=False, timeout=60)
        check("authorize redirects", answer.status_code == 302, f"{answer.status_code} {answer.text}")
        location = urllib.parse.urlsplit(answer.headers["Location"])
        check("to the redirect URI", f"{location.scheme}://{location.netloc}{location.path}" == REDIRECT, answer.headers["Location"])
        return dict(urllib.parse.parse_qsl(location.query or location.fragment, strict_parsing=True))

    def token(self, auth=None, **form):
        auth = auth or (self.identity["clientId"], self.identity["clientSecret"])
        return http.post(self.identity["tokenEndpoint"], data=form, auth=auth, timeout=60)


def accepted(name, answer, member="jwt", account=None, subject="ada", issuer=ISSUER, expires=NOW + 3600):
    check(name, answer.status_code == 200 and list(answer.json()) == [member], f"{answer.status_code} {answer.text}")
    account = account or brand
    key = RSAKey.import_key(pem(account.liveperson["publicKey"]))
    token = jwt.decode(answer.json()[member], key, algorithms=["RS256"])
    check(f"{name}: header", token.header == {"alg": "RS256", "typ": "JWT", "kid": "00001"}, token.header)
    claims = token.claims
    check(f"{name}: consumer id", re.fullmatch("[0-9a-f]{64}", claims["sub"]), claims)
    check(f"{name}: audience and issuer", claims["aud"] == f"acc:{account.id}" and claims["iss"] == "https://idp.liveperson.net", claims)
    check(f"{name}: lp.ext", claims["lp.ext"]["sub"] == subject and claims["lp.ext"]["iss"] == issuer, claims)
    check(f"{name}: times", claims["iat"] <= claims["exp"] == expires, claims)
    return claims["sub"]


def refused(name, answer, code, cause="", account=None, status=500):
    want = {"internalErrorCode": code}
    check(name, answer.status_code == status and answer.json() == want, f"{answer.status_code} {answer.text}, not {status} {want}")
    check(f"{name}: content type", answer.headers["Content-Type"].startswith("application/json"), answer.headers)
    if cause:
        said = (account or brand).cause()
        check(f"{name}: cause", cause in said, said)


# ---------------------------------------------------------------- the brand's keys and tokens


def spki(key):
    return "".join(line for line in key.as_pem(private=False).decode().splitlines() if "-----" not in line)


def pem(spki_base64):
    lines = "\n".join(spki_base64[i : i + 64] for i in range(0, len(spki_base64), 64))
    return f"-----BEGIN PUBLIC KEY-----\n{lines}\n-----END PUBLIC KEY-----\n"


own = RSAKey.generate_key(2048, {"kid": "peer-1", "use": "sig"})
second = RSAKey.generate_key(2048, {"kid": "peer-2", "use": "sig"})
strange = RSAKey.generate_key(2048, {"kid": "peer-1", "use": "sig"})
other = RSAKey.generate_key(2048)


def sign(key=own, alg="RS256", kid="peer-1", without=(), **claims):
    payload = {"iss": ISSUER, "sub": "ada", "iat": NOW, "exp": NOW + 3600} | claims
    for name in without:
        del payload[name]
    header = {"alg": alg, "typ": "JWT"} | ({"kid": kid} if kid else {})
    return jws.serialize_compact(header, json.dumps(payload), key, algorithms=[alg])


def unsigned(**claims):
    def part(value):
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    payload = {"iss": ISSUER, "sub": "ada", "iat": NOW, "exp": NOW + 3600} | claims
    return f"{part({'alg': 'none'})}.{part(payload)}."


def encrypt(text, key, alg="RSA-OAEP-256", enc="A128CBC-HS256", **header):
    registry = jwe.JWERegistry(algorithms=[alg, enc, "DEF"])
    return jwe.encrypt_compact({"alg": alg, "enc": enc, "cty": "JWT"} | header, text.encode(), key, registry=registry)


# ---------------------------------------------------------------- implicit flow

brand = Account(
    liveperson={"issuers": [{"displayName": "Peer", "iss": ISSUER, "certificate": "publicKey", "publicKey": spki(own)}]},
    identity={"clientId": "peer app", "clientSecret": "p%e+e&r:ü"},
)
first = accepted("v1 with a JWT", brand.v1(sign()))
check("v2 is the same consumer", accepted("v2 with a JWT", brand.v2(id_token=sign())) == first)
check("v3 is the same consumer", accepted("v3 with a JWT", brand.v3(sign()), "token") == first)
check("another subject is another consumer", accepted("v2 of grace", brand.v2(id_token=sign(sub="grace")), subject="grace") != first)

recipient = RSAKey.import_key(pem(brand.liveperson["encryptionPublicKey"]))
kid = brand.liveperson["encryptionKid"]
for alg in ("RSA-OAEP-256", "RSA-OAEP"):
    for enc in ("A128CBC-HS256", "A192CBC-HS384", "A256CBC-HS512", "A128GCM", "A192GCM", "A256GCM"):
        form = f"JWE {alg} {enc}"
        consumer = accepted(f"v2 with a {form}", brand.v2(id_token=encrypt(sign(), recipient, alg, enc, kid=kid)))
        check(f"{form} is the same consumer", consumer == first)
accepted("v1 with a JWE", brand.v1(encrypt(sign(), recipient)))
accepted("v3 with a JWE", brand.v3(encrypt(sign(), recipient)), "token")

sound = sign()
head, _, signature = sound.split(".")
tampered = ".".join([head, sign(sub="eve").split(".")[1], signature])
defects = [
    ("expired", sign(iat=NOW - 7200, exp=NOW - 1), "mock-token-expired", "expired 1 s ago"),
    ("expires this second", sign(exp=NOW), "mock-token-expired", "expired 0 ms ago"),
    ("not yet valid by iat", sign(iat=NOW + 60), "mock-token-not-yet-valid", "valid from 60 s on"),
    ("not yet valid by nbf", sign(nbf=NOW + 60), "mock-token-not-yet-valid", "valid from 60 s on"),
    ("signed by a stranger", sign(strange), "9007", "does not verify"),
    ("tampered with", tampered, "9007", "does not verify"),
    ("without signature bytes", sound.rsplit(".", 1)[0] + ".", "9007", "does not verify"),
    ("issuer in capitals", sign(iss=ISSUER.upper()), "mock-issuer-mismatch", f"'{ISSUER.upper()}'"),
    ("alg none", unsigned(), "mock-algorithm-refused", "alg is 'none'"),
    ("HS256 with the public key", sign(OctKey.import_key(spki(own)), "HS256"), "mock-algorithm-refused", "alg is 'HS256'"),
    ("ES256", sign(ECKey.generate_key("P-256"), "ES256"), "mock-algorithm-refused", "alg is 'ES256'"),
    ("RS512", sign(own, "RS512"), "mock-algorithm-refused", "alg is 'RS512'"),
    ("PS256", sign(own, "PS256"), "mock-algorithm-refused", "alg is 'PS256'"),
    ("rubbish", "rubbish", "mock-token-malformed", ""),
    ("two parts", sound.rsplit(".", 1)[0], "mock-token-malformed", ""),
] + [(f"without {name}", sign(without=[name]), "mock-claim-missing", f"claim {name} is missing") for name in ("iss", "sub", "iat", "exp")]
for name, token, code, cause in defects:
    refused(f"v1, {name}", brand.v1(token), code, cause)
    refused(f"v2, {name}", brand.v2(id_token=token), code, cause)
    refused(f"v3, {name}", brand.v3(token), code, cause)
    refused(f"JWE, {name}", brand.v2(id_token=encrypt(token, recipient)), code, cause)
refused("JWE for another key", brand.v2(id_token=encrypt(sign(), other)), "mock-jwe-undecryptable", "another key")
refused("JWE by RSA1_5", brand.v2(id_token=encrypt(sign(), recipient, "RSA1_5")), "mock-jwe-undecryptable", "RSA1_5")
refused("JWE, compressed", brand.v2(id_token=encrypt(sign(), recipient, zip="DEF")), "mock-jwe-undecryptable", "zip")
parts = encrypt(sign(), recipient).split(".")
parts[3] = parts[3][:-4] + ("AAAA" if parts[3][-4:] != "AAAA" else "BBBB")
refused("JWE, tampered with", brand.v2(id_token=".".join(parts)), "mock-jwe-undecryptable")
refused("neither code nor token", brand.v2(), "mock-request-malformed")
refused("code and token", brand.v2(id_token=sign(), code="x"), "mock-request-malformed")
refused("issuer by an unknown name", brand.v2(id_token=sign(), issuerDisplayName="Pere"), "mock-issuer-unknown", "there is 'Peer'")
accepted("issuer by its name", brand.v2(id_token=sign(), issuerDisplayName="Peer"))
refused("connector unknown", brand.post("app/4711/authenticate?v=3.0", {"id_token": sign()}), "mock-connector-unknown", "4711")
nobody = http.post(f"{brand.host()}/api/account/nobody-{secrets.token_hex(4)}/authenticate", json={"authCode": sign()}, timeout=60)
refused("account unknown", nobody, "mock-account-unknown")
lookup = http.get(f"{base}/api/account/{brand.id}/service/Idp/baseURI.json", params={"version": "1.0"}, timeout=60)
check("service unknown", lookup.status_code == 404 and lookup.json() == {"error": "mock-service-unknown"}, lookup.text)

brand.change("liveperson", audience="acc:peer")
refused("without the audience that is asked for", brand.v2(id_token=sign()), "mock-audience-mismatch", "wants 'acc:peer'")
accepted("with the audience that is asked for", brand.v2(id_token=sign(aud=["x", "acc:peer"])))
brand.change("liveperson", audience=None, tokenLifetime="10m", errorCodes={"token-expired": "4444"})
accepted("LivePerson's token is capped", brand.v2(id_token=sign()), expires=NOW + 600)
brand.advance(3600)
refused("an hour later, by a configured code", brand.v2(id_token=sign()), "4444", "expired 0 ms ago")

# ---------------------------------------------------------------- a key set of the brand's own


class Keys(BaseHTTPRequestHandler):
    published = [own]
    asked = 0

    def do_GET(self):
        Keys.asked += 1
        body = json.dumps(KeySet(Keys.published).as_dict(private=False)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/jwk-set+json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def listing(url):
    return Account(liveperson={"issuers": [{"displayName": "Peer", "iss": ISSUER, "certificate": "jwks", "jwksURI": url}]})


server = ThreadingHTTPServer(("127.0.0.1", 0), Keys)
threading.Thread(target=server.serve_forever, daemon=True).start()
keys_url = f"http://127.0.0.1:{server.server_port}/keys"
keyed = listing(keys_url)
accepted("JWKS, by kid", keyed.v2(id_token=sign()), account=keyed)
accepted("JWKS, once more", keyed.v1(sign()), account=keyed)
check("JWKS is read once", Keys.asked == 1, Keys.asked)
refused("JWKS, unknown kid", keyed.v2(id_token=sign(second, kid="peer-2")), "mock-unknown-key", "kid is 'peer-2'", keyed)
refused("JWKS, no kid", keyed.v2(id_token=sign(kid=None)), "mock-unknown-key", "kid is missing", keyed)
refused("JWKS, signed by a stranger", keyed.v2(id_token=sign(strange)), "9007", "does not verify", keyed)
Keys.published = [second, own]
accepted("JWKS, rotated", keyed.v2(id_token=sign(second, kid="peer-2")), account=keyed)
accepted("JWKS, the older key", keyed.v2(id_token=sign()), account=keyed)
inner = RSAKey.import_key(pem(keyed.liveperson["encryptionPublicKey"]))
accepted("JWKS, within a JWE", keyed.v2(id_token=encrypt(sign(), inner, kid=kid)), account=keyed)
server.shutdown()
server.server_close()
dark = listing(keys_url)
refused("JWKS, endpoint down", dark.v2(id_token=sign()), "mock-key-unavailable", str(server.server_port), dark)

# ---------------------------------------------------------------- the provider that is emulated, discovered

client = Account(identity={"clientId": "peer app", "clientSecret": "p%e+e&r ü"})
metadata = http.get(client.identity["discoveryURL"], timeout=60).json()
issuer = metadata["issuer"]
check("discovery: the issuer is the URL above", client.identity["discoveryURL"] == issuer + "/.well-known/openid-configuration", issuer)
for name, published in (("authorization_endpoint", "authorizationEndpoint"), ("token_endpoint", "tokenEndpoint"), ("jwks_uri", "jwksURI")):
    check(f"discovery: {name}", metadata[name] == client.identity[published], metadata)


def published_keys():
    return KeySet.import_key_set(http.get(metadata["jwks_uri"], timeout=60).json())


def half_hash(token):
    """`at_hash` of an access token (OpenID Connect Core §3.1.3.6)."""
    return base64.urlsafe_b64encode(hashlib.sha256(token.encode()).digest()[:16]).rstrip(b"=").decode()


# RFC 6749 §2.3.1: both halves are form-encoded before Basic.
basic = tuple(urllib.parse.quote_plus(client.identity[name]) for name in ("clientId", "clientSecret"))
nonce, state = secrets.token_urlsafe(), "a b&c=ü"
answer = client.authorize(state=state, nonce=nonce)
check("code flow: state and issuer come back", answer["state"] == state and answer["iss"] == issuer, answer)
tokens = client.token(basic, grant_type="authorization_code", code=answer["code"], redirect_uri=REDIRECT)
check("code flow: redeemed", tokens.status_code == 200, tokens.text)
caching = (tokens.headers["Cache-Control"], tokens.headers["Pragma"])
check("code flow: not kept by caches", caching == ("no-store", "no-cache"), caching)
claims = jwt.decode(tokens.json()["id_token"], published_keys(), algorithms=["RS256"]).claims
want = {"iss": issuer, "sub": "ada", "aud": client.identity["clientId"], "iat": NOW, "exp": NOW + 3600, "nonce": nonce}
want |= {"at_hash": half_hash(tokens.json()["access_token"])}
check("code flow: claims", claims == want | {"jti": claims["jti"]}, claims)
again = client.token(basic, grant_type="authorization_code", code=answer["code"], redirect_uri=REDIRECT)
check("code flow: a code is good once", again.status_code == 400 and again.json()["error"] == "invalid_grant", again.text)
refresh = client.token(basic, grant_type="refresh_token", refresh_token=tokens.json()["refresh_token"])
check("refreshed", refresh.status_code == 200 and refresh.json()["refresh_token"] != tokens.json()["refresh_token"], refresh.text)
stale = client.token(basic, grant_type="refresh_token", refresh_token=tokens.json()["refresh_token"])
check("a refresh token is good once", stale.status_code == 400 and stale.json()["error"] == "invalid_grant", stale.text)
wrong = client.token((basic[0], "wrong"), grant_type="authorization_code", code="x", redirect_uri=REDIRECT)
check("a wrong secret", wrong.status_code == 401 and wrong.json()["error"] == "invalid_client", wrong.text)
check("a wrong secret: what is required", wrong.headers["WWW-Authenticate"].startswith("Basic"), wrong.headers)
other_grant = client.token(basic, grant_type="password", username="ada", password="x")
check("an unknown grant", other_grant.status_code == 400 and other_grant.json()["error"] == "unsupported_grant_type", other_grant.text)
implicit = client.authorize(response_type="id_token", nonce=nonce)
check("implicit flow: nonce", jwt.decode(implicit["id_token"], published_keys(), algorithms=["RS256"]).claims["nonce"] == nonce)
accepted("implicit flow, then LivePerson", client.v2(id_token=implicit["id_token"]), account=client, issuer=issuer)
both = client.authorize(response_type="id_token token", nonce=nonce)
bound = jwt.decode(both["id_token"], published_keys(), algorithms=["RS256"]).claims
check("implicit flow with an access token: at_hash (OpenID Connect Core §3.2.2.10)", bound["at_hash"] == half_hash(both["access_token"]), bound)

# ---------------------------------------------------------------- code flow through LivePerson, with and without PKCE

verifier = secrets.token_urlsafe(48)
challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
accepted("code", client.v2(code=client.authorize()["code"]), account=client, issuer=issuer)
for method, asked in (("S256", {"code_challenge": challenge, "code_challenge_method": "S256"}), ("plain", {"code_challenge": verifier})):

    def code():
        return client.authorize(**asked)["code"]

    def relayed(name, answer, want, cause):
        refused(f"code with PKCE {method}, {name}", answer, want, cause, client)

    spent = code()
    accepted(
        f"code with PKCE {method}", client.v2(code=spent, code_verifier=verifier, redirect_uri=REDIRECT), account=client, issuer=issuer,
        expires=client.now + 3600)
    client.advance(12)
    relayed("used twice", client.v2(code=spent, code_verifier=verifier), "mock-code-reused", "12 s ago")
    relayed("wrong verifier", client.v2(code=code(), code_verifier=verifier[::-1]), "mock-code-verifier-mismatch", method)
    relayed("no verifier", client.v2(code=code()), "mock-code-verifier-missing", "no code_verifier came")
    foreign = client.v2(code=code(), code_verifier=verifier, redirect_uri="https://peer.example")
    relayed("wrong redirect URI", foreign, "mock-redirect-uri-mismatch", "https://peer.example")
    slash = client.v2(code=code(), code_verifier=verifier, redirect_uri=REDIRECT + "/")
    relayed("redirect URI with a slash", slash, "mock-redirect-uri-mismatch", "differs by a trailing slash")
    relayed("unknown", client.v2(code="unheard-of", code_verifier=verifier), "mock-code-unknown", "not one that this provider issued")
    late = code()
    client.advance(60)
    relayed("expired", client.v2(code=late, code_verifier=verifier), "mock-code-expired", "it lived 60 s")
unasked = client.v2(code=client.authorize()["code"], code_verifier=verifier)
refused("code with a verifier that nobody asked for", unasked, "mock-code-verifier-mismatch", "", client)
issuers = client.liveperson["issuers"]
client.change("liveperson", issuers=[issuers[0] | {"clientSecret": "wrong"}])
wrong = client.v2(code=client.authorize()["code"])
refused("LivePerson's own secret is wrong", wrong, "mock-client-refused", "client_secret is wrong", client)
client.change("liveperson", issuers=[issuers[0] | {"tokenEndpoint": keys_url}])
down = client.v2(code=client.authorize()["code"])
refused("the token endpoint is down", down, "mock-token-endpoint-unreachable", str(server.server_port), client)

# ---------------------------------------------------------------- without a credential

guest = Account()
liveperson_key = RSAKey.import_key(pem(guest.liveperson["publicKey"]))
signed_up = jwt.decode(guest.post("signup").json()["jwt"], liveperson_key, algorithms=["RS256"]).claims
check("signup: a UUID", re.fullmatch("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", signed_up["sub"]), signed_up)
check("signup: audience", signed_up["aud"] == f"acc:{guest.id}", signed_up)
script = http.get(f"{guest.host()}/api/account/{guest.id}/signup.jsonp", params={"callback": "peer.done"}, timeout=60)
check("signup.jsonp", re.fullmatch(r'peer\.done\(\{"jwt":"[\w.-]+"\}\);', script.text), script.text)
url = f"{base}/csdr/account/{guest.id}/service/asyncMessagingEnt/baseURI.lpCsds"
script = http.get(url, params={"version": "1.0", "cb": "peer"}, timeout=60)
host = guest.host("asyncMessagingEnt").split("://")[1]
check("baseURI.lpCsds", script.text == 'peer({"ResultSet":{"lpData":[{"lpServer":"%s"}]}});' % host, script.text)
external = guest.post("anonymous/authorize").json()["token"]
outer = jwt.decode(external, liveperson_key, algorithms=["RS256"]).claims
check("anonymous: ten minutes", outer["exp"] == NOW + 600, outer)
consumer = accepted("anonymous, then v3", guest.v3(external), "token", guest, outer["sub"], outer["iss"], NOW + 600)
guest.advance(3600)
refused("anonymous, after ten minutes", guest.v3(external), "mock-token-expired", "", guest)
renewed = guest.post("anonymous/authorize", {"id_token": external}).json()["token"]
same = accepted("anonymous, refreshed", guest.v3(renewed), "token", guest, outer["sub"], outer["iss"], NOW + 4200)
check("anonymous, refreshed: the same consumer", same == consumer)
guest.advance(729 * 3600)
late = guest.post("anonymous/authorize", {"id_token": renewed})
refused("anonymous, after 730 hours", late, "mock-token-expired", "could be refreshed until", guest)

for account in (brand, keyed, dark, client, guest):
    findings = admin("GET", f"sandboxes/{account.sandbox}/journal?kind=finding")["entries"]
    check("no finding against Sparring itself", findings == [], findings)
    admin("DELETE", f"sandboxes/{account.sandbox}")
finish()
