"""The customer's own push endpoint: it checks the caller, drops repeats, and hands pushes on to the phones."""

import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Push:
    """One push in the customer's own terms, whatever the agreed template."""

    def __init__(self, secret, to, message_id, unread, live, title, body, click_action):
        if not all(isinstance(text, str) and text for text in (to, message_id, title, body)):
            raise ValueError("a text is missing")
        if type(unread) is not int or unread < 0 or type(live) is not bool:
            raise ValueError("the status is wrong")
        self.secret, self.to, self.message_id, self.unread = secret, to, message_id, unread
        self.payload = {"aps": {"alert": {"title": title, "body": body}, "badge": unread},
                        "UnreadMessages": unread, "isLiveChat": live, "click_action": click_action}


def read_usual(body, headers):
    payload = body["payload"]
    alert = payload["aps"]["alert"]
    return Push(body["authToken"], body["deviceToken"], body["messageId"], payload["UnreadMessages"], payload["isLiveChat"],
                alert["title"], alert["body"], payload["click_action"])


def read_middleware(body, headers):
    notification, data = body["notification"], body["data"]
    return Push(headers.get("x-push-key"), notification["to"], body["reference"], data["UnreadMessages"], data["isLiveChat"],
                notification["heading"], notification["text"], data["click_action"])


MIDDLEWARE = {"headers": {"x-push-key": "{{authToken}}"}, "template": {
    "notification": {"to": "{{deviceToken}}", "heading": "{{title}}", "text": "{{body}}"},
    "data": {"UnreadMessages": "{{unreadMessages}}", "isLiveChat": "{{isLiveChat}}", "click_action": "{{clickAction}}"},
    "reference": "{{messageId}}"}}


class Backend:
    def __init__(self, world, template):
        self.world = world
        self.secret = world.setting("ASAPP_PUSH_SECRET")
        self.read = read_middleware if template else read_usual
        self.phones = {}
        self.handed_on = set()
        self.refused_at = None
        self.lock = threading.Lock()
        backend = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status, answer = backend.receive(text, self.headers) if self.path == "/push" else (404, {"error": "not-found"})
                body = b"" if status == 204 else json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                """Keep standard error for what goes wrong."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{self.server.server_port}/push"
        world.change_tenant("asapp", {"push": {"url": url, **(MIDDLEWARE if template else {})}})

    def knows(self, phone):
        self.phones[phone.token] = phone

    def forgets(self, token):
        self.phones.pop(token, None)

    def may_call(self, push):
        return isinstance(push.secret, str) and hmac.compare_digest(push.secret.encode(), self.secret.encode())

    def is_repeat(self, push):
        """Each message goes to each phone once. Two phones get the same message."""
        with self.lock:
            if (push.to, push.message_id) in self.handed_on:
                return True
            self.handed_on.add((push.to, push.message_id))
            return False

    def receive(self, text, headers):
        try:
            push = self.read(json.loads(text), headers)
        except (ValueError, KeyError, TypeError, AttributeError) as wrong:
            return 400, {"error": "push-malformed", "message": str(wrong)}
        if not self.may_call(push):
            return 401, {"error": "push-credentials-refused", "message": "The secret is not the agreed one"}
        phone = self.phones.get(push.to)
        if not phone:
            self.refused_at = time.monotonic()
            return 404, {"error": "device-unknown", "message": "No device has this token"}
        if not self.is_repeat(push):
            self.forward(phone, push)
        return 200, {"status": "accepted"}

    def stop(self):
        """ASAPP repeats a push that was refused, after 1, 2 and 4 seconds: an endpoint that stops before would leave it unanswered."""
        while self.refused_at and time.monotonic() - self.refused_at < 6 * self.world.scale:
            time.sleep(0.5 * self.world.scale)

    def forward(self, phone, push):
        self.world.mark("push-forwarded", "backend", to=push.to, messageId=push.message_id, unreadMessages=push.unread)
        phone.hand_over(push.payload)
