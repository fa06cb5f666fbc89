"""A consumer's messaging socket: requests and their answers, notifications, keep-alive."""
import asyncio
import json
import ssl

import websockets.asyncio.client
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

import timing
from failures import NotTrusted, Refused, SocketClosed, TokenRefused, Unavailable
from habits import has
from pusher import APP_ID
from web import TIME_OUT, TRUST, retry_after_of

KEEP_ALIVE = 30  # seconds: the later of the two figures that LivePerson gives
PATIENCE = 15  # seconds for the answer to a GetClock
CLIENT = {
    "appId": APP_ID,
    "appVersion": "4.2.0",
    "deviceFamily": "MOBILE",
    "os": "ANDROID",
    "osName": "Android",
    "osVersion": "14",
    "deviceManufacture": "Fairphone",
    "deviceModel": "FP5",
    "integration": "MOBILE_SDK",
    "integrationVersion": "5.24.0",
    "timeZone": "Europe/London",
    "features": ["PHOTO_SHARING", "AUTO_MESSAGES", "RICH_CONTENT", "QUICK_REPLIES", "MULTI_DIALOG", "FILE_SHARING"],
}


class Listening(websockets.asyncio.client.ClientConnection):
    """A connection that tells of its end when it comes, not only when TLS and TCP have ended after it."""

    closing = lambda self, code: None

    def data_received(self, data):
        super().data_received(data)
        if self.protocol.close_rcvd:
            self.closing(self.protocol.close_rcvd.code)

    def eof_received(self):
        self.closing(1006)
        return super().eof_received()


class Connecting(websockets.asyncio.client.connect):
    """A connect whose TLS handshake is done before the moment to send the upgrade."""

    def __init__(self, *given, moment, **named):
        super().__init__(*given, **named)
        self.moment = moment

    async def create_connection(self):
        connection = await super().create_connection()
        if self.moment is not None:
            await timing.wait_until(self.moment)
        return connection


async def open_socket(web, options, host, account, token, moment, on_notification):
    """A socket that is signed in, or on its way to it."""
    url = f"wss://{host}/ws_api/account/{account}/messaging/consumer?v=3"
    properties = json.dumps({"type": ".ClientProperties"} | CLIENT)
    headers = {"Authorization": f"jwt {token}", "Client-Properties": properties} if options.by_header else {}
    try:
        connection = await Connecting(
            url, moment=moment, create_connection=Listening, ssl=TRUST, proxy=None, additional_headers=web.headers(headers),
            open_timeout=timing.real(TIME_OUT), ping_interval=None, close_timeout=timing.real(10),
        )  # fmt: skip
    except InvalidStatus as error:
        response = error.response
        if response.status_code == 401:
            raise TokenRefused("the upgrade is answered 401") from error
        told = {name.lower(): value for name, value in response.headers.raw_items()}
        failure = Unavailable if response.status_code == 429 or response.status_code >= 500 else Refused
        text = f"the upgrade is answered {response.status_code}"
        raise (failure(text, retry_after_of(told)) if failure is Unavailable else failure(text)) from error
    except ssl.SSLCertVerificationError as error:
        raise NotTrusted(str(error)) from error
    except (OSError, EOFError, TimeoutError, InvalidHandshake, ConnectionClosed) as error:
        raise Unavailable(f"the socket does not open: {error!r}") from error
    socket = Socket(connection, web, on_notification)
    if not options.by_header:
        said = [
            {"type": ".ams.headers.ClientProperties"} | CLIENT,
            {"type": ".ams.headers.ConsumerAuthentication", "jwt": token},
        ]
        try:
            await socket.request("InitConnection", headers=said)
        except BaseException:
            socket.abandon()
            raise
    return socket


class Socket:
    """An open socket. `ended` is done, with the close code, when it is none any more."""

    def __init__(self, connection, web, on_notification):
        self.connection, self.web, self.on_notification = connection, web, on_notification
        self.ended = asyncio.get_running_loop().create_future()
        self.waiting, self.last_id = {}, 0
        connection.closing = self.finish
        self.tasks = [asyncio.create_task(self.read()), asyncio.create_task(self.keep_alive())]

    async def request(self, kind, body=None, headers=None, time_out=TIME_OUT):
        """Sends a request and returns the body of its answer."""
        self.last_id += 1
        key = str(self.last_id)
        message = {"kind": "req", "id": key, "type": kind}
        message |= {"body": body} if body is not None else {}
        message |= {"headers": headers} if headers else {}
        answered = self.waiting[key] = asyncio.get_running_loop().create_future()
        try:
            if self.ended.done():
                raise SocketClosed(self.ended.result())
            await self.connection.send(self.web.dump(message))
            patience = None if has("misses-no-answer") else timing.real(time_out)
            await asyncio.wait({answered, self.ended}, timeout=patience, return_when=asyncio.FIRST_COMPLETED)
        except ConnectionClosed:
            await self.end()
        finally:
            self.waiting.pop(key, None)
        if answered.done():
            return understood(kind, answered.result())
        self.abandon()
        raise SocketClosed(self.ended.result())

    async def end(self):
        """Waits for the end; returns its code."""
        await asyncio.wait({self.ended})
        return self.ended.result()

    async def read(self):
        """Hands on what comes, until the socket ends."""
        try:
            async for text in self.connection:
                try:
                    message = json.loads(text)
                except ValueError:
                    continue  # it answers nothing that anybody waits for
                if message.get("kind") == "resp":
                    waiting = self.waiting.get(str(message.get("reqId")))
                    if waiting and not waiting.done():
                        waiting.set_result(message)
                elif message.get("kind") == "notification":
                    self.on_notification(message.get("type"), message.get("body") or {})
        except ConnectionClosed:
            pass
        self.finish(self.connection.close_code or 1006)

    async def keep_alive(self):
        """Says something often enough, and misses the answer where the socket is only half open."""
        while not has("keeps-nothing-alive"):
            await timing.wait(KEEP_ALIVE)
            try:
                await self.request("GetClock", time_out=PATIENCE)
            except (Refused, Unavailable, TokenRefused):
                pass  # an answer, whatever it says
            except SocketClosed:
                return

    def abandon(self, code=1006):
        """Gives the socket up without a word, as one does where nobody listens."""
        self.connection.transport.abort()
        self.finish(code)

    async def close(self):
        """Closes the socket as RFC 6455 requires."""
        self.tasks[1].cancel()
        await self.connection.close(1000)
        self.finish(1000)

    def finish(self, code):
        if not self.ended.done():
            self.ended.set_result(code)
        self.tasks[1].cancel()


def understood(kind, answer):
    """The body of an answer, or what its code means."""
    code = answer.get("code", 0)
    if code < 400:
        return answer.get("body")
    text = f"{kind} is answered {code}: {answer.get('body')}"
    if code == 401:
        raise TokenRefused(text)
    if code == 429 or code >= 500:
        raise Unavailable(text)
    raise Refused(text, code)
