"""An app's monitoring, as somebody else would write it: asks which engagement to show, reports, and comes again after a failure.

    python monitoring.py http://127.0.0.1:8080

Knows the vendors' wire reference and the admin API, and nothing of Sparring's code. Prints a line for each check; the first that fails
ends it with status 1.
"""

import re
import uuid

from peer import admin, base, check, finish, http, scheme


NOW = 1_800_000_000  # 2027-01-15T08:00:00Z
RETRIES = (3, 10, 30, 90)  # seconds


class Brand:
    """A sandbox, and the account that apps are configured with."""

    def __init__(self, **liveperson):
        clock = {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}
        sandbox = admin("POST", "sandboxes", {"clock": clock, "tenants": {"liveperson": liveperson}})
        self.sandbox = sandbox["id"]
        self.account = sandbox["tenants"]["liveperson"]["accountId"]
        self.issuer = sandbox["tenants"]["liveperson"]["issuers"][0]["iss"]
        self.scheme = scheme(sandbox)

    def advance(self, seconds):
        admin("POST", f"sandboxes/{self.sandbox}/clock/advance", {"by": f"{seconds}s"})

    def arm(self, fault):
        admin("POST", f"sandboxes/{self.sandbox}/faults", {"fault": fault})

    def entries(self, kind="exchange"):
        return admin("GET", f"sandboxes/{self.sandbox}/journal?kind={kind}")["entries"]

    def cause(self):
        return self.entries()[-1].get("cause", "")

    def credential(self, **form):
        return admin("POST", f"sandboxes/{self.sandbox}/credentials", form)["credential"]


class App:
    """An app with the SDK's monitoring: one visitor, one session, the standard retry."""

    def __init__(self, brand, version="1.0", installation=None):
        self.brand = brand
        self.version = version
        self.installation = installation or str(uuid.uuid4())
        self.vid = self.sid = self.page = None
        self.waits = []
        lookup = http.get(f"{base}/api/account/{brand.account}/service/smt/baseURI.json", params={"version": "1.0"}, timeout=60).json()
        check("smt is looked up", lookup["service"] == "smt" and lookup["account"] == brand.account, lookup)
        self.root = f"{brand.scheme}://{lookup['baseURI']}/api/account/{brand.account}/app/{self.installation}"

    def once(self, method, what, body, **headers):
        query = {"v": self.version, "vid": self.vid, "sid": self.sid, "obh": "false"}
        return http.request(method, f"{self.root}/{what}", params=query, json=body, headers=headers, timeout=60)

    def send(self, method, what, body, **headers):
        """5xx and 202 are tried again after 3, 10, 30 and 90 seconds, 4xx never; a visitor id in the text is kept."""
        self.waits = []
        for wait in (*RETRIES, None):
            answer = self.once(method, what, body, **headers)
            if answer.status_code in (200, 201):
                page = answer.json()
                self.vid, self.sid, self.page = page["visitorId"], page["sessionId"], page["pageId"]
                return answer
            if wait is None or (answer.status_code < 500 and answer.status_code != 202):
                return answer
            named = re.search(r"vid: (\S+)$", answer.json().get("message", ""))
            if named:
                self.vid = named[1]
            self.waits.append(wait)
            self.brand.advance(wait)

    def engagement(self, *entry_points, **body):
        return self.send("POST", "engagement", {"entryPoints": list(entry_points)} | body)

    def report(self, *attributes, **body):
        return self.send("PUT", "report", {"engagementAttributes": list(attributes)} | body)


def impression(kind, shown, **changes):
    context = [{"type": "engagementContext", "id": shown["contextId"]}]
    names = {"campaign": shown["campaignId"], "engId": shown["engagementId"], "revision": shown["engagementRevision"]}
    return {"type": kind, "eContext": context} | names | changes


def shown(name, answer, code, **members):
    check(name, answer.status_code == code, f"{answer.status_code} {answer.text}")
    details = answer.json().get("engagementDetails")
    check(f"{name}: one engagement", details and len(details) == 1, answer.text)
    for member in ("campaignId", "engagementId", "engagementRevision", "connectorId"):
        check(f"{name}: {member} is a number", type(details[0][member]) is int, details)
    for member in ("contextId", "status"):
        check(f"{name}: {member} is a text", type(details[0][member]) is str, details)
    check(f"{name}: as configured", {m: details[0].get(m) for m in members} == members, details)
    check(f"{name}: content type", answer.headers["Content-Type"].startswith("application/json"), answer.headers)
    return details[0]


def refused(name, answer, status, code, message=None):
    check(name, answer.status_code == status, f"{answer.status_code} {answer.text}")
    body = answer.json()
    check(f"{name}: code {code}", body.get("internalCode") == code, body)
    check(f"{name}: time in milliseconds", type(body["time"]) is int and body["time"] >= NOW * 1000, body)
    if message:
        check(f"{name}: message", body["message"] == message, body)


# ---------------------------------------------------------------- an app that the consumer walks about in

brand = Brand(
    campaigns=[
        {"id": 31, "name": "Shop", "engagements": [
            {"id": 311, "revision": 4, "entryPoints": ["sec://shop", "sec://shop/*"], "language": "de-DE", "windowId": "w-shop",
             "connectorId": 900, "skill": "sales"},
            {"id": 312, "entryPoints": ["sec://account"], "consumers": ["authenticated"]},
        ]},
        {"id": 32, "engagements": [{"id": 321, "entryPoints": ["tel://*"]}]},
    ]
)
ada = {"iss": brand.issuer, "acr": "loa1", "sub": "ada"}
guest = {"iss": f"{base.split('://')[1]}/{brand.account}", "acr": "0", "sub": str(uuid.uuid4())}
phone = {"appVersion": "1.0", "deviceFamily": "MOBILE", "os": "IOS", "osName": "iOS", "osVersion": "17", "ipAddress": "192.0.2.5"}

app = App(brand)
first = shown(
    "in the shop", app.engagement("sec://shop", clientProperties=phone, identities=[guest]), 201, campaignId=31, engagementId=311,
    engagementRevision=4, connectorId=900, windowId="w-shop", language="de-DE", status="expose")
ids = app.vid, app.sid
again = shown("at the boots", app.engagement("http://www.brand.test", "sec://shop/boots", identities=[guest]), 200, engagementId=311)
check("the same session", (app.vid, app.sid) == ids, (app.vid, app.sid))
check("the same context", again["contextId"] == first["contextId"], again)
call = shown("calling", app.engagement("tel://123"), 200, campaignId=32, engagementId=321)
check("another engagement, another context", call["contextId"] != first["contextId"], call)
hidden = app.engagement("sec://news")
check("nowhere in particular: nothing to show", hidden.status_code == 200 and "engagementDetails" not in hidden.json(), hidden.text)
check("the journal says why", "no engagement: no entry point" in brand.cause(), brand.cause())
hidden = app.engagement("sec://account", identities=[guest])
check("not for guests", "engagementDetails" not in hidden.json(), hidden.text)
shown("for who is signed in", app.engagement("sec://account", identities=[ada]), 200, engagementId=312)
token = brand.credential(form="jwe", subject="ada")
shown("for who is signed in, by a JWE", app.engagement("sec://account", identities=[ada | {"sub": token}]), 200, engagementId=312)

# ---------------------------------------------------------------- reports

sdes = [
    {"type": "personal", "personal": {"firstname": "Ada", "lastname": "L"}},
    {"type": "ctmrinfo", "info": {"ctype": "vip", "balance": -1.5}},
    {"type": "lead", "lead": {"topic": "boots", "value": 120}},
    {"type": "purchase", "total": 99.9, "orderId": "O-1"},
]
answer = app.report(*sdes, identities=[ada], pageId="p-77")
want = {"sessionId": app.sid, "visitorId": app.vid, "pageId": "p-77"}
check("a report", answer.status_code == 200 and answer.json() == want, f"{answer.status_code} {answer.text}")
check("the journal has it", "reported: personal, ctmrinfo, lead, purchase" in brand.cause(), brand.cause())
override = {"X-HTTP-Method-Override": "PUT"}
answer = app.send("POST", "report", {"engagementAttributes": sdes[:1], "identities": [ada]}, **override)
check("a report by POST", answer.status_code == 200 and set(answer.json()) == {"sessionId", "visitorId", "pageId"}, answer.text)
check("a page id is made", re.fullmatch(r"\d+", answer.json()["pageId"]), answer.text)
for kind in ("impDisplay", "impAccept", "impExpanded", "impTimeout", "impClose"):
    answer = app.report(impression(kind, first))
    check(kind, answer.status_code == 200, answer.text)
    said = brand.cause()
    check(f"{kind}: the journal has it", f"{kind} of engagement 311 of campaign 31" in said and "rules" not in said, said)
answer = app.report(impression("impDisplay", first, campaign=99))
check("an impression of nobody's campaign", answer.status_code == 200 and "no such campaign" in brand.cause(), brand.cause())
stranger = App(brand)
answer = stranger.report(impression("impDisplay", first), identities=[ada])
check("a report begins a session too", answer.status_code == 201, f"{answer.status_code} {answer.text}")
check("an impression in another session", "not fetched in this session" in brand.cause(), brand.cause())

# ---------------------------------------------------------------- sessions

brand.advance(3600)
ids = app.vid, app.sid
answer = app.engagement("sec://shop")
check("an hour later: a new session", answer.status_code == 201 and app.sid != ids[1], answer.text)
check("of the same visitor", app.vid == ids[0], answer.text)
app.vid, app.sid = "nobody-knows", "either-of-them"
answer = app.engagement("sec://shop")
check("unknown ids: a new session", answer.status_code == 201 and app.sid != "either-of-them", answer.text)

# ---------------------------------------------------------------- refusals, none of which is tried again


def never_again(name, answer, *arguments):
    refused(name, answer, *arguments)
    check(f"{name}: not tried again", app.waits == [], app.waits)


app = App(brand, version="3.0")
never_again("API version", app.engagement("sec://shop"), 400, 33)
app = App(brand)
never_again("no data", app.send("PUT", "report", {"identities": [ada]}), 400, 5, "engagementAttributes")
never_again("of nobody", app.report(sdes[0]), 400, 5, "consumerId")
raw = http.post(f"{app.root}/engagement?v=1.0", data="{", headers={"Content-Type": "application/json"}, timeout=60)
refused("not JSON", raw, 400, 5)
never_again("an impression with the question", app.engagement(engagementAttributes=[impression("impDisplay", first)]), 400, 5)
app.vid = "not a visitor"
never_again("visitor id", app.engagement("sec://shop"), 404, 37)
app.vid, app.sid = "visitor", "not a session"
never_again("session id", app.engagement("sec://shop"), 404, 39)
nobody = http.post(f"{app.root.replace(brand.account, 'nobody-' + uuid.uuid4().hex[:8])}/engagement?v=1.0", json={}, timeout=60)
check("account unknown", nobody.status_code == 404 and nobody.json()["message"] == "mock-account-unknown", nobody.text)
strict = Brand(monitoring={"appInstallationIds": ["the-app"]})
refused("app installation", App(strict).engagement("sec://shop"), 404, 18)
app = App(strict, installation="the-app")
shown("the app that is known", app.engagement(), 201, campaignId=880001, engagementId=880002)

# ---------------------------------------------------------------- trouble, and the retry

for version, status, code in (("1.0", 500, 20), ("1.1", 202, 38)):
    app = App(brand, version)
    brand.arm("liveperson.fetchEngagement account-loading times=1")
    loading = app.once("POST", "engagement", {})
    refused(f"loading, v{version}", loading, status, code)
    text = re.fullmatch(rf"Loading account: {brand.account}, vid: (\S+)", loading.json()["message"])
    check(f"loading, v{version}: text", text, loading.text)
    brand.arm("liveperson.fetchEngagement account-loading times=2")
    shown(f"loaded, v{version}", app.engagement("sec://shop"), 201, engagementId=311)
    check(f"loaded, v{version}: after 3 and 10 s", app.waits == [3, 10], app.waits)
    answers = [e["answer"]["body"] for e in brand.entries()[-3:] if "answer" in e]
    check(f"loaded, v{version}: the visitor that was named", all(app.vid in body for body in answers), answers)

app = App(brand)
brand.arm("liveperson.Monitoring.* unavailable times=5")
answer = app.engagement("sec://shop")
check("down for good", answer.status_code == 503 and app.waits == list(RETRIES), f"{answer.status_code} {app.waits}")
shown("up again", app.engagement("sec://shop"), 201, engagementId=311)
brand.arm("liveperson.reportAttributes internal-error times=1")
answer = app.report(sdes[0])
check("broken once", answer.status_code == 200 and app.waits == [3], f"{answer.status_code} {app.waits}")
brand.arm("liveperson.Monitoring.* rate-limited times=1")
answer = app.engagement("sec://shop")
check("too often", answer.status_code == 429 and int(answer.headers["Retry-After"]) > 0 and app.waits == [], answer.text)

for each in (brand, strict):
    findings = each.entries("finding")
    check("no finding against Sparring itself", findings == [], findings)
    admin("DELETE", f"sandboxes/{each.sandbox}")
finish()
