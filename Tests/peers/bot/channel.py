"""The agent's socket, service facadeMsg."""

import json
import time
import uuid

from failures import Failure, retry_after
from websockets.exceptions import ConnectionClosed, InvalidStatus, WebSocketException
from websockets.sync.client import connect


class Channel:
    """An open socket of a signed-in bot."""

    def __init__(self, sandbox, session):
        self.sandbox, self.session = sandbox, session
        url = f"ws{sandbox.url.removeprefix('http')}/ws_api/account/{sandbox.account}/messaging/brand/{session.bearer}?v=2.1"
        try:
            # The library's own pings would go by the wall clock.
            self.socket = connect(url, open_timeout=sandbox.timeout(60), close_timeout=sandbox.timeout(10), ping_interval=None, proxy=None)
        except InvalidStatus as error:
            raise Failure("socket", error.response.status_code, retry_after=retry_after(error.response.headers)) from error
        except (OSError, WebSocketException) as error:
            raise Failure("socket", words=f"not opened, {error}") from error

    def subscribe(self):
        """Goes online, and follows the bot's own conversations and what is offered to it."""
        own, account = self.session.user_pid, self.sandbox.account
        state = {"availability": "ONLINE", "channels": ["MESSAGING"], "agentUserId": f"{account}.{self.session.user_id}"}
        self.request(".ams.routing.SetAgentState", state)
        self.request(".ams.aam.SubscribeExConversations", {"convState": ["OPEN"], "agentIds": [own]})
        self.request(".ams.routing.SubscribeRoutingTasks", {"agentId": own, "brandId": account, "channelType": "MESSAGING"})

    def request(self, kind, body):
        """Asks, and waits for the answer; this bot ignores what arrives in between."""
        asked, deadline = self.send(kind, body), time.monotonic() + self.sandbox.timeout(60)
        while (left := deadline - time.monotonic()) > 0:
            message = self.receive(left)
            if message and message.get("reqId") == asked:
                if message["code"] > 399:
                    raise Failure("request", message["code"])
                return message.get("body")
        raise Failure("request", words=f"{kind} is not answered")

    def keep_alive(self, way):
        if way in ("ping", "both"):
            self.during(self.socket.ping)
        if way in ("clock", "both"):
            self.send(".GetClock", {})

    def send(self, kind, body):
        message = {"kind": "req", "id": str(uuid.uuid4()), "type": kind, "body": body}
        self.during(lambda: self.socket.send(json.dumps(message)))
        return message["id"]

    def receive(self, seconds):
        """The next message, or None if there is none within so many seconds of the wall clock."""
        try:
            return json.loads(self.during(lambda: self.socket.recv(max(0, seconds))))
        except TimeoutError:
            return None

    def during(self, act):
        try:
            return act()
        except ConnectionClosed as error:
            raise Failure("socket", close_code=error.rcvd.code if error.rcvd else 1006) from error

    def close(self):
        self.socket.close()
