"""HTTP calls, one connection each, made in threads so that nothing else waits."""

import asyncio
import concurrent.futures
import http.client
import json
import ssl
import threading
import urllib.parse


class TransportFailure(Exception):
    """No complete answer came."""


def seconds_of(text):
    """Retry-After in seconds; 0 where there is none."""
    return int(text) if text and text.isdigit() else 0


class Answer:
    """What a call was answered."""

    def __init__(self, status, headers, body):
        self.status = status
        self.headers = headers
        self.body = body

    @property
    def is_good(self):
        return 200 <= self.status < 300

    @property
    def retry_after(self):
        """Seconds that the server wants to be left alone."""
        return seconds_of(self.headers.get("Retry-After"))

    def json(self):
        """The body; ValueError where it is not JSON."""
        return json.loads(self.body.decode("utf-8"))

    def error_code(self):
        """The vendor's error code, if there is one."""
        try:
            return self.json()["error"]["errorCode"]
        except (ValueError, KeyError, TypeError, UnicodeDecodeError):
            return None


class Calls:
    """Makes calls. Time-outs are in seconds of the machine."""

    def __init__(self, ca_file=None):
        self.ca_file = ca_file

    async def send(self, method, url, headers, body=None, seconds=10):
        """Sends a request and returns its answer; TransportFailure if there is none."""
        promise = concurrent.futures.Future()

        def run():
            try:
                promise.set_result(self._send(method, url, headers, body, seconds))
            except Exception as problem:
                promise.set_exception(problem)

        threading.Thread(target=run, daemon=True).start()
        try:
            return await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(promise)), seconds)
        except asyncio.TimeoutError:
            raise TransportFailure("no answer in time") from None
        except (OSError, http.client.HTTPException) as problem:
            raise TransportFailure(f"{type(problem).__name__}: {problem}") from None

    def _send(self, method, url, headers, body, seconds):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme == "https":
            context = ssl.create_default_context(cafile=self.ca_file)
            link = http.client.HTTPSConnection(parts.hostname, parts.port, timeout=seconds, context=context)
        else:
            link = http.client.HTTPConnection(parts.hostname, parts.port, timeout=seconds)
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            link.request(method, path, body=body, headers=headers)
            answer = link.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            link.close()
