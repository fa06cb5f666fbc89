"""An app with LivePerson's SDK in it, in miniature: what its calls send, on iOS and Android (reference, section 10)."""

import base64
import hashlib
import json
import re
import secrets
from typing import NamedTuple

from brand import AGENT, REDIRECT, identified
from peer import base, check, http
from window import Window

SERVICES = ("idp", "pusher", "asyncMessagingEnt", "smt", "swift")
BACK_OFF = (1, 2, 4, 8, 16)  # the retry policy of LivePerson's SDK flows: 31 s in all
MONITORING_BACK_OFF = (3, 10, 30, 90)  # the Monitoring API's own (9.3)


class Platform(NamedTuple):
    name: str
    push_type: str
    device: str  # the push token
    properties: dict
    opening: str  # how the socket is authenticated: both ways of the reference are played


FEATURES = ["PHOTO_SHARING", "AUTO_MESSAGES", "RICH_CONTENT", "QUICK_REPLIES", "MULTI_DIALOG", "FILE_SHARING"]
COMMON = {"deviceFamily": "MOBILE", "integration": "MOBILE_SDK", "appId": "test.brand.app", "features": FEATURES}
IOS = Platform("ios", "APNS", "9a3f" * 16, COMMON | {"os": "IOS", "osName": "iOS", "osVersion": "17"}, "header")
ANDROID = Platform("android", "FCM", "dQw4:APA91b-x_Y", COMMON | {"os": "ANDROID", "osName": "Android", "osVersion": "14"}, "message")


def pkce():
    """[getPkceParams] A verifier (RFC 7636, section 4.1)."""
    return secrets.token_urlsafe(48)


def challenge(verifier):
    """Of it, by S256 (section 4.2)."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


class App:
    """The app on one device, with its user."""

    id = "test.brand.app"

    def __init__(self, brand, platform, user="alice"):
        self.brand, self.platform, self.user = brand, platform, user
        self.device = platform.device
        self.wipe()
        self.hosts = {}
        self.visitor = self.session = None

    def wipe(self):
        self.token = self.consumer = self.window = None

    def url(self, service, path):
        return f"{self.brand.web}://{self.hosts[service]}{path.replace('{account}', self.brand.account)}"

    # Finding the services, signing in

    def initialize(self):
        """[initialize] Looks up the hosts; says whether it could (2.1)."""
        self.hosts = {}
        for service in SERVICES:
            answer = self.look_up(service)
            if answer.status_code > 299:
                return False
            said = answer.json()
            check(f"{service} is looked up", said.keys() == {"service", "account", "baseURI"} and said["service"] == service, said)
            check("for this account, as a bare host", said["account"] == self.brand.account and "/" not in said["baseURI"], said)
            self.hosts[service] = said["baseURI"]
        return True

    def look_up(self, service, account=None):
        path = f"/api/account/{account or self.brand.account}/service/{service}/baseURI.json"
        return http.get(base + path, params={"version": "1.0"}, timeout=60)

    def jwt(self, **parameters):
        """An ID token of the brand's, for the implicit flow."""
        return {"id_token": self.brand.authorize(self.user, response_type="id_token", nonce=secrets.token_hex(8), **parameters)["id_token"]}

    def code(self, **parameters):
        """A code of the brand's, for the code flow."""
        return {"code": self.brand.authorize(self.user, response_type="code", **parameters)["code"], "redirect_uri": REDIRECT}

    def pkce_code(self, verifier):
        return self.code(code_challenge=challenge(verifier), code_challenge_method="S256") | {"code_verifier": verifier}

    def own(self):
        """Fresh credentials: by the implicit flow on iOS and by the code flow on Android, where it does not matter which."""
        return self.jwt() if self.platform.name == "ios" else self.code()

    def authenticate(self, credentials):
        """The SDK hands the brand's credentials to LivePerson (4.1 d)."""
        answer = http.post(self.url("idp", "/api/account/{account}/app/default/authenticate?v=2.0"), json=credentials, timeout=60)
        if answer.status_code == 200:
            self.token = answer.json()["jwt"]
            self.consumer = identified(self.token, self.brand, self.user)
        return answer

    def sign_in(self, credentials):
        calls = len(self.brand.redeemed())
        answer = self.authenticate(credentials)
        check("signed in", answer.status_code == 200 and list(answer.json()) == ["jwt"], f"{answer.status_code} {answer.text}")
        client = f"{self.brand.identity['clientId']}:{self.brand.identity['clientSecret']}"
        form = {"grant_type": "authorization_code"} | credentials
        want = [{"kind": "application/x-www-form-urlencoded", "client": client, "form": form}] if "code" in credentials else []
        redeemed = self.brand.redeemed()[calls:]
        check("LivePerson redeems a code at the brand, and nothing else (3.3)", redeemed == want, redeemed)

    def refused(self, credentials, code=None):
        """[AuthenticationFailed, onError(IDP)] 500 with a code in text; which is public for a signature only (4.3)."""
        answer = self.authenticate(credentials)
        said = answer.json()
        check("refused with 500", answer.status_code == 500 and list(said) == ["internalErrorCode"], f"{answer.status_code} {answer.text}")
        known = said["internalErrorCode"] == code if code else said["internalErrorCode"].startswith("mock-")
        check(f"as {code or 'a cause without a public code'}", known, said)

    # Retries

    def retrying(self, call, waits=BACK_OFF):
        """Calls until it succeeds or the waits are used up, on the sandbox's clock; returns all the answers."""
        answers = [call()]
        for wait in waits:
            if answers[-1].status_code < 300 and answers[-1].status_code != 202:
                break
            self.brand.advance(wait)
            answers.append(call())
        return answers

    # The pusher (8.3)

    def pusher(self, method, path, body=None, token=None, **query):
        token = self.token if token is None else token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        url = self.url("pusher", f"/mock/pusher/account/{{account}}/{path}")
        return http.request(method, url, params=query, json=body, headers=headers, timeout=60)

    def put(self, push_type=None, **members):
        """[registerPushNotifications, registerLPPusher], once."""
        body = {"deviceToken": self.device, "pushType": push_type or self.platform.push_type, "lang": "en-US"}
        return self.pusher("PUT", f"registrations/{self.id}", body, **members)

    def register(self, status=201, push_type=None):
        answer = self.put(push_type)
        check(f"registered for pushes: {status}", answer.status_code == status and list(answer.json()) == ["registrationId"], answer.text)
        check("so it is", self.registered())
        return answer.json()["registrationId"]

    def registered(self, device=None):
        answer = self.pusher("GET", f"registrations/{self.id}", deviceToken=device or self.device)
        check("the pusher says whether", answer.status_code == 200 and list(answer.json()) == ["registered"], answer.text)
        return answer.json()["registered"]

    def unregister(self, kind):
        return self.pusher("DELETE", f"registrations/{self.id}", type=kind)

    def count(self, token=None):
        return self.pusher("GET", "unread", token=token, appId=self.id)

    def unread(self, total):
        """[getUnreadMessagesCount]"""
        answer = self.count()
        said = answer.json()
        check(f"{total} unread", answer.status_code == 200 and said["total"] == total, answer.text)
        check("which the conversations add up to", sum(said["conversations"].values()) == total, answer.text)
        return said["conversations"]

    def logout(self, kind="ALL"):
        """[logout] Unregisters, which must succeed, then forgets everything that is stored on the device (8.1)."""
        answers = self.retrying(lambda: self.unregister(kind))
        check(f"unregistered from {kind}", answers[-1].status_code == 204 and answers[-1].content == b"", answers[-1].text)
        if self.window:
            self.window.close()
        self.wipe()
        return answers

    # What comes to the device

    def pushed(self, number, words, badge, service="ams", **members):
        """The device's notification: known by its brandId, with a running badge, in its platform's form (8.4, 8.5)."""
        got = self.brand.notifications(self.device, number)
        check(f"notification {number} of the device, no more", len(got) == number and got[-1]["number"] == number, got)
        note = got[-1]
        check(f"is {self.user}'s", note["consumer"] == self.user and note["appId"] == self.id and note["device"] == self.device, note)
        payload = note["payload"]
        if self.platform.name == "ios":
            check(f"it says '{words}'", payload["aps"] == {"alert": words, "sound": "default"}, payload)
            check("in APNs' form", payload["notificationType"] == "apn" and payload.keys().isdisjoint({"push-service", "device-token"}), payload)
        else:
            data = payload["data"]
            check("data are texts, as with FCM", all(type(value) is str for value in data.values()), data)
            check(f"it says '{words}'", data["message"] == words, data)
            payload = json.loads(data["payload"])
        want = {"brandId": self.brand.account, "badge": badge, "backendService": service, **members}
        check(f"with badge {badge}, by {service}", {member: payload.get(member) for member in want} == want, payload)
        return note

    def brand_alert(self, words):
        """A proactive push's alert: who it is by stands before it as an agent's nickname does (assumed)."""
        return f"Brand: {words}" if self.platform.name == "ios" else words

    def agent_pushes(self, words, number, badge, sequence, conversation):
        """An agent says something to somebody who is away: a push comes."""
        deed = self.brand.act(self.user, "say", text=words)
        check("the agent's text goes by push", (deed["delivery"], deed["sequence"]) == ("push", sequence), deed)
        alert = f"Alex: {words}" if self.platform.name == "ios" else words  # the nickname: 8.4
        members = {"conversationId": conversation, "dialogId": conversation, "sequence": sequence}
        return self.pushed(number, alert, badge, originatorId=f"{self.brand.account}.{AGENT}", **members)

    # The Monitoring API (9.1)

    def fetch(self, *entry_points, **members):
        query = {"v": "1.1", "vid": self.visitor, "sid": self.session}
        body = {"entryPoints": entry_points, "clientProperties": {m: v for m, v in self.platform.properties.items() if m in PROPERTIES}, **members}
        url = self.url("smt", f"/api/account/{{account}}/app/{self.id}/engagement")
        answer = http.post(url, params={name: value for name, value in query.items() if value}, json=body, timeout=60)
        if answer.status_code in (200, 201):
            self.visitor, self.session = answer.json()["visitorId"], answer.json()["sessionId"]
        elif named := re.search(r"vid: (\S+)$", answer.json().get("message", "")):
            self.visitor = named[1]  # of an account that is still loading: the next call is for this visitor
        return answer

    def engagement(self, *entry_points, **members):
        """[getEngagement] What is to be shown, if anything is."""
        known = self.session
        answer = self.fetch(*entry_points, **members)
        check("a session begins with 201 and goes on with 200", answer.status_code == (200 if known else 201), f"{answer.status_code} {answer.text}")
        check("and stays the same", known in (None, self.session) and answer.json()["pageId"], answer.text)
        details = answer.json().get("engagementDetails")
        check("one engagement or no member at all", details is None or len(details) == 1, answer.text)
        return details[0] if details else None

    # The window

    def show(self, credentials=None):
        """[showConversation, reconnect]"""
        if credentials:
            self.sign_in(credentials)
        self.window = Window(self)
        if self.platform.opening == "message":
            said = self.window.initialisation
            check("InitConnection is answered with a text (5.5)", said["code"] == 200 and type(said["body"]) is str, said)
        return self.window

    def converse(self, **members):
        """As most flows begin: signed in and registered, a conversation was opened, and its window is closed again."""
        self.initialize()
        self.sign_in(self.own())
        self.register()
        window = self.show()
        window.begin(**members)
        window.close()
        return window.conversation

    def barred(self):
        """The code with which a window is closed that was opened with a token that does not hold (5.3)."""
        return Window(self).closed()


PROPERTIES = {"deviceFamily", "os", "osName", "osVersion"}  # those of 9.1
