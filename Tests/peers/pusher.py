"""A client of LivePerson's pusher, as somebody else would write it: registers devices, asks, unregisters, reads what was pushed.

    python pusher.py http://127.0.0.1:8080

Knows the pusher's wire (LivePerson reference 8.3), the forms of pushes (8.4, 8.5) and the admin API, and nothing of Sparring's code. Prints a line
for each check; the first that fails ends it with status 1.
"""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from consumer import lp_token
from peer import admin, base, check, finish, http


class Proxy(BaseHTTPRequestHandler):
    """The brand's push proxy: answers as it is set to, and keeps what it got."""

    statuses, got = [], []

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        Proxy.got.append((dict(self.headers), body))
        self.send_response(Proxy.statuses.pop(0) if Proxy.statuses else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


proxy = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
threading.Thread(target=proxy.serve_forever, daemon=True).start()


class App:
    """An app of the brand's, with somebody signed in."""

    def __init__(self, sandbox, subject, app, device, push_type):
        self.sandbox, self.app, self.device, self.type = sandbox["id"], app, device, push_type
        self.account = sandbox["tenants"]["liveperson"]["accountId"]
        self.token = lp_token(self.sandbox, self.account, subject)

    def call(self, method, path, body=None, token=None, **query):
        headers = {"Authorization": f"Bearer {self.token if token is None else token}"} if token != "" else {}
        url = f"{base}/mock/pusher/account/{self.account}/{path}"
        return http.request(method, url, json=body, params=query, headers=headers, timeout=60)

    def register(self):
        body = {"deviceToken": self.device, "pushType": self.type, "lang": "en-US"}
        return self.call("PUT", f"registrations/{self.app}", body)

    def status(self):
        return self.call("GET", f"registrations/{self.app}", deviceToken=self.device).json()

    def unregister(self, kind):
        return self.call("DELETE", f"registrations/{self.app}", type=kind)

    def unread(self):
        return self.call("GET", "unread", appId=self.app)

    def notifications(self, count):
        path = f"sandboxes/{self.sandbox}/devices/{self.device}/notifications"
        return admin("GET", f"{path}/wait?count={count}&timeout=50s")["notifications"]


def push(sandbox, consumer, text, **more):
    return admin("POST", f"sandboxes/{sandbox['id']}/liveperson/push", {"consumer": consumer, "text": text} | more)


clock = {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}
sandbox = admin("POST", "sandboxes", {"clock": clock})
phone = App(sandbox, "ada", "test.brand.app", "ios-1", "APNS")

# ---------------------------------------------------------------- registrations

check("nothing is registered at first", phone.status() == {"registered": False})
first = phone.register()
check("a new registration", first.status_code == 201 and first.json().keys() == {"registrationId"}, first.text)
check("it is registered", phone.status() == {"registered": True})
again = phone.register()
check("the same again", again.status_code == 200 and again.json() == first.json(), again.text)
old, phone.device = phone.device, "ios-2"
check("a new device token is not registered", phone.status() == {"registered": False})
check("it takes the place of the old one", phone.register().status_code == 200 and phone.status() == {"registered": True})
for kind in ("ALL", "ALL", "AGENT"):
    gone = phone.unregister(kind)
    check(f"unregistered, {kind}", gone.status_code == 204 and gone.content == b"", gone.text)
check("it is gone", phone.status() == {"registered": False})
check("registered again", phone.register().status_code == 201)
check("nothing is unread", phone.unread().json() == {"total": 0, "conversations": {}})

for name, token in (("no token", ""), ("no JWT", "x"), ("a tampered one", phone.token[:-6] + "AAAAAA")):
    answer = phone.call("GET", "unread", token=token, appId="a")
    check(f"{name} is refused", answer.status_code == 401 and answer.json() == {"error": "token_invalid"}, answer.text)
bad = phone.call("PUT", f"registrations/{phone.app}", {"deviceToken": "x", "pushType": "GCM"})
check("an unknown push type is malformed", bad.status_code == 400, bad.text)
stray = http.get(f"{base}/mock/pusher/account/nobody/unread?appId=a", timeout=60)
check("an unknown account", stray.status_code == 404, stray.text)

# ---------------------------------------------------------------- pushes to devices

push(sandbox, "ada", "Your parcel waits", backendService="prmsg", lookBackPeriod=86400000)
got = phone.notifications(1)[0]
check("iOS: how an app knows it for its own", got["payload"]["brandId"] == phone.account and got["payload"]["aps"], got)
check("iOS: text and service", got["payload"]["backendService"] == "prmsg" and "Your parcel waits" in got["text"], got)
file = admin("GET", f"sandboxes/{sandbox['id']}/devices/{phone.device}/notifications/1.apns")
check("iOS: the simulator's file", file["Simulator Target Bundle"] == "test.brand.app" and file["aps"], file)
android = App(sandbox, "grace", "test.brand.app", "fcm-1", "FCM")
android.register()
push(sandbox, "grace", "Go on here", backendService="c2m", campaignInfo={"campaignId": 1, "engagementId": 2})
data = android.notifications(1)[0]["payload"]["data"]
check("Android: data are strings", all(isinstance(value, str) for value in data.values()), data)
payload = json.loads(data["payload"])
check("Android: the payload", payload["brandId"] == android.account and payload["campaignInfo"]["engagementId"] == 2, payload)
phone.unregister("AGENT")
push(sandbox, "ada", "still proactive")
check("after AGENT proactive pushes go on", len(phone.notifications(2)) == 2)
phone.unregister("ALL")
push(sandbox, "ada", "never")
push(sandbox, "grace", "fence")
android.notifications(2)
check("after ALL nothing comes", len(phone.notifications(1)) == 2)

# ---------------------------------------------------------------- the brand's push proxy

config = {
    "url": f"http://127.0.0.1:{proxy.server_port}/push", "username": "brand", "password": "secret", "headers": {"Brand-Key": "k.1"},
}
admin("PATCH", f"sandboxes/{sandbox['id']}/tenants/liveperson", {"push": {"proxy": config}})
Proxy.statuses = [500, 503]
push(sandbox, "grace", "by proxy")
for _ in range(5):
    admin("POST", f"sandboxes/{sandbox['id']}/clock/advance", {"by": "10s"})
check("5XX is sent again until it is taken", len(Proxy.got) == 3, len(Proxy.got))
headers, body = Proxy.got[0]
check("proxy: Basic", headers["Authorization"] == "Basic " + base64.b64encode(b"brand:secret").decode(), headers)
check("proxy: the custom header", headers["Brand-Key"] == "k.1", headers)
check("proxy: the form", body["push-service"] == 2 and body["notificationType"] == "gcm" and body["device-token"] == "fcm-1", body)
check("proxy: the payload is an object", body["data"]["payload"]["brandId"] == android.account, body)
check("proxy: each attempt is the same", all(one[1] == body for one in Proxy.got))
check("what it took is on the device", android.notifications(3)[2]["payload"]["data"]["message"] == "by proxy")
Proxy.got.clear()
Proxy.statuses = [403]
push(sandbox, "grace", "refused")
for _ in range(5):
    admin("POST", f"sandboxes/{sandbox['id']}/clock/advance", {"by": "10s"})
check("403 is final", len(Proxy.got) == 1, len(Proxy.got))

# ---------------------------------------------------------------- the token's end

admin("POST", f"sandboxes/{sandbox['id']}/clock/advance", {"by": "2h"})
late = android.register()
check("an expired token", late.status_code == 401 and late.json() == {"error": "token_expired"}, late.text)
findings = admin("GET", f"sandboxes/{sandbox['id']}/journal?kind=finding")["entries"]
check("no finding against Sparring itself", findings == [], findings)
admin("DELETE", f"sandboxes/{sandbox['id']}")
finish()
