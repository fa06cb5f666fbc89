"""A brand, as its tests have it: an account at LivePerson, an identity provider of its own, and the admin API to play all others with."""

import base64
import json
import re
import urllib.parse
import uuid

from peer import admin, base, check, http, scheme

NOW = 1_800_000_000  # 2027-01-15T08:00:00Z
REDIRECT = "https://liveperson.net"  # LivePerson's default (3.3)
AGENT = "55"


class Brand:
    """A sandbox of its own, on a clock that stands until it is advanced."""

    def __init__(self, **tenants):
        self.sandbox = f"flow-{uuid.uuid4().hex[:8]}"
        liveperson = {"agents": [{"userId": AGENT, "nickname": "Alex"}]} | tenants.get("liveperson", {})
        clock = {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}
        tenants = {"identity": {}} | tenants | {"liveperson": liveperson}
        self.read(admin("POST", "sandboxes", {"name": self.sandbox, "clock": clock, "tenants": tenants}))
        self.now = NOW

    def read(self, made):
        self.identity, self.liveperson = made["tenants"]["identity"], made["tenants"]["liveperson"]
        self.account = self.liveperson["accountId"]
        self.web, self.socket = scheme(made), scheme(made, "ws")

    def admin(self, method, path, body=None, expected=None):
        return admin(method, f"sandboxes/{self.sandbox}/{path}", body, expected)

    def change(self, vendor, **members):
        self.admin("PATCH", f"tenants/{vendor}", members)
        self.read(admin("GET", f"sandboxes/{self.sandbox}"))

    def leave(self):
        admin("DELETE", f"sandboxes/{self.sandbox}")

    def advance(self, seconds):
        self.admin("POST", "clock/advance", {"by": f"{seconds}s"})
        self.now += seconds

    def arm(self, fault):
        self.admin("POST", "faults", {"fault": fault}, 201)

    # The journal

    def entries(self, **query):
        return self.admin("GET", "journal?" + urllib.parse.urlencode(query))["entries"]

    def findings(self):
        """What Sparring found wrong, with whomever, once everything that is on its way has arrived."""
        settled = self.admin("POST", "clock/advance", {"by": "0s"})
        check("all is settled", settled["settled"], settled)
        entries = self.entries()
        return [finding for e in entries for finding in e.get("findings", [])] + [e for e in entries if e["kind"] == "finding"]

    def redeemed(self):
        """What LivePerson sent to the brand's token endpoint, call by call: the client that Basic names and the form (3.3)."""
        calls = []
        for entry in self.entries(operation="identity.token"):
            headers = {name.lower(): value for name, value in entry["request"]["headers"].items()}
            kind = headers["content-type"].split(";")[0]
            word, _, secret = headers.get("authorization", "").partition(" ")
            client = base64.b64decode(secret).decode() if word == "Basic" else None
            form = dict(urllib.parse.parse_qsl(entry["request"]["body"], strict_parsing=True))
            calls.append({"kind": kind, "client": client, "form": form})
        return calls

    # The identity provider, where the app signs its user in

    def authorize(self, subject, **parameters):
        """What comes back to the app with the redirect: a code, an ID token or an error."""
        query = {"client_id": self.identity["clientId"], "redirect_uri": REDIRECT, "scope": "openid", "login_hint": subject} | parameters
        query |= {"state": uuid.uuid4().hex}
        answer = http.get(self.identity["authorizationEndpoint"], params=query, allow_redirects=False, timeout=60)
        check("the identity provider redirects", answer.status_code == 302, f"{answer.status_code} {answer.text}")
        location = urllib.parse.urlsplit(answer.headers["Location"])
        check("to the redirect URI", f"{location.scheme}://{location.netloc}{location.path}" == REDIRECT, answer.headers)
        given = dict(urllib.parse.parse_qsl(location.query or location.fragment, strict_parsing=True))
        check("with the state as it was (3.2)", given.get("state") == query["state"], given)
        return given

    def credential(self, form, subject, **members):
        return self.admin("POST", "credentials", {"form": form, "subject": subject, **members})["credential"]

    # Agents and pushes

    def act(self, consumer, what, **members):
        return self.admin("POST", f"liveperson/agent/{what}", {"consumer": consumer, **members})

    def push(self, consumer, words, **members):
        return self.admin("POST", "liveperson/push", {"consumer": consumer, "text": words, **members})["done"]

    def notifications(self, device, count):
        """What the device got, once it is so many."""
        device = urllib.parse.quote(device, safe="")
        return self.admin("GET", f"devices/{device}/notifications/wait?count={count}&timeout=50s")["notifications"]

    def inbox(self, device):
        """What a device has got by now that was registered once."""
        return self.admin("GET", f"devices/{urllib.parse.quote(device, safe='')}/notifications")["notifications"]

    def registered(self, device):
        """Who is registered on a device."""
        devices = self.admin("GET", "devices")["devices"]
        return [each["consumer"] for known in devices if known["token"] == device for each in known["registrations"]]

    def well_known(self, file):
        """A file on the brand's domain."""
        headers = {"Host": f"{self.sandbox}.localhost"}
        return http.get(f"{base}/.well-known/{file}", headers=headers, allow_redirects=False, timeout=60)

    def sockets(self, consumer):
        known = self.admin("GET", "consumers")["consumers"]
        return next(each["sockets"] for each in known if each["consumer"] == consumer)


def claims(token):
    """What a JWT says; that its signature holds is shown elsewhere."""
    head, body, _ = token.split(".")
    part = [json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))) for text in (head, body)]
    check("LivePerson's token is a JWT of its own key (4.2)", part[0] == {"kid": "00001", "typ": "JWT", "alg": "RS256"}, part[0])
    return part[1]


def identified(token, brand, subject):
    """The consumer's id in LivePerson's token, which says whose it is (4.2)."""
    said = claims(token)
    check("for this account", said["aud"] == f"acc:{brand.account}" and said["iss"] == "https://idp.liveperson.net", said)
    check(f"naming {subject}", re.fullmatch("[0-9a-f]{64}", said["sub"]) and said["lp.ext"]["sub"] == subject, said)
    check("not expired", said["iat"] <= brand.now < said["exp"], said)
    return said["sub"]
