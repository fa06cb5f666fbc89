"""HTTP calls: one fresh connection each, in a thread of its own."""
import asyncio
import http.client
import json
import os
import ssl
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

import timing
from failures import NotTrusted, Refused, Unavailable
from habits import has

TIME_OUT = 45  # seconds, for each step of a call; the handshake is one of them
THREADS = ThreadPoolExecutor(max_workers=32)
TRUST = ssl.create_default_context(cafile=os.environ.get("SPARRING_CA_FILE"))


@dataclass
class Answer:
    """A status, headers in lower case, and the bytes of the body."""

    status: int
    headers: dict
    body: bytes

    @property
    def ok(self):
        return 200 <= self.status < 300

    def is_page(self):
        """Whether a page for people came: from a gateway, or from the Wi-Fi's sign-in."""
        return self.headers.get("content-type", "").startswith("text/html")

    def object(self):
        """The JSON object in the body. A body that is cut short, or is none, is as good as no answer."""
        try:
            value = json.loads(self.body)
        except ValueError as error:
            raise Unavailable(f"status {self.status} with a body that is not JSON") from error
        if not isinstance(value, dict):
            raise Unavailable(f"status {self.status} with a body that is no object")
        return value

    def check(self):
        """Raises what the status means, whatever the service."""
        if self.ok and not self.is_page():
            return self
        if self.ok or self.status == 429 or self.status >= 500:
            raise Unavailable(f"status {self.status}", retry_after_of(self.headers))
        raise Refused(f"status {self.status}: {self.body[:200]!r}", self.status)


def retry_after_of(headers):
    """The seconds of a Retry-After header, or None."""
    value = headers.get("retry-after", "")
    return float(value) if value.isdigit() else None


class Web:
    """Sends requests as the app's HTTP library does."""

    def __init__(self, options):
        self.options = options
        self.hosts = None  # of LivePerson's services, when they have been looked up

    def dump(self, value):
        """JSON, as this app's library orders it."""
        if self.options.other_case and isinstance(value, dict):
            value = dict(reversed(value.items()))
        return json.dumps(value)

    def headers(self, headers):
        """Header names, as this app's library writes them."""
        if not self.options.other_case:
            return headers
        return {name.upper(): value for name, value in headers.items()} | {"x-request-source": "brand-app"}

    async def call(self, method, url, *, headers=None, body=None, data=None, moment=None, time_out=TIME_OUT):
        """Sends a request at `moment` (None: at once) with a JSON body, or with bytes, and reads the whole answer."""
        sent = {"Accept": "application/json", "User-Agent": "BrandApp/4.2.0 (Android 14)", **(headers or {})}
        if body is not None:
            data = self.dump(body).encode()
            sent["Content-Type"] = "application/json"
        patience = timing.real(120 if has("waits-two-minutes") else time_out)
        work = lambda: exchange(method, url, self.headers(sent), data, patience, moment)
        return await asyncio.get_running_loop().run_in_executor(THREADS, work)


def exchange(method, url, headers, data, time_out, moment):
    """One call on a connection of its own, which is made before the moment to send."""
    parts = urlsplit(url)
    if has("trusts-any-certificate"):
        TRUST.check_hostname, TRUST.verify_mode = False, ssl.CERT_NONE
    if parts.scheme == "https":
        connection = http.client.HTTPSConnection(parts.netloc, timeout=time_out, context=TRUST)
    else:
        connection = http.client.HTTPConnection(parts.netloc, timeout=time_out)
    try:
        connection.connect()
        if moment is not None:
            timing.block_until(moment)
        connection.request(method, parts.path + ("?" + parts.query if parts.query else ""), data, headers)
        answer = connection.getresponse()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    except ssl.SSLCertVerificationError as error:
        raise NotTrusted(f"{parts.netloc}: {error}") from error
    except (OSError, http.client.HTTPException) as error:
        raise Unavailable(f"{method} {parts.path}: {error!r}") from error
    finally:
        connection.close()
