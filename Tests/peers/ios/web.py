"""HTTP as the app speaks it."""
import base64
import json
from contextlib import suppress
from dataclasses import dataclass

import requests
import urllib3

from failures import Refused, TokenRefused, Unreachable
from habits import has

TIME_OUT = 50  # seconds, the TLS handshake included; slow answers are still answers
UPLOAD_TIME_OUT = 90


@dataclass
class Answer:
    """A status, and the body where it is JSON."""

    status: int
    headers: dict
    text: str
    body: object


class Web:
    """A session of HTTP that trusts one authority and never waits for ever."""

    def __init__(self, clock, ca_file, other_case=False):
        self._clock, self._other_case, self._ca_file = clock, other_case, ca_file
        self._session = requests.Session()
        self._session.trust_env = False
        self._session.verify = False if has("trusts-any-certificate") else ca_file
        self._session.headers["User-Agent"] = "BrandApp/4.2.0 (iPhone; iOS 17.5)"

    def call(self, method, url, body=None, headers=None, time_out=TIME_OUT, **further):
        """One request. Raises Unreachable where no complete answer came."""
        headers = dict(headers or {})
        if body is not None:
            headers["Content-Type"] = "application/json"
            further["data"] = json.dumps(self.ordered(body))
        try:
            response = self._session.request(method, url, headers=self.cased(headers), allow_redirects=False,
                                             timeout=self._clock.real(120 if has("waits-two-minutes") else time_out), **further)
            return Answer(response.status_code, response.headers, response.text, parsed(response))
        except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
            raise Unreachable(f"{method} {url}: {type(error).__name__}: {error}") from error

    def ask(self, method, url, **further):
        """One request that is answered with JSON. Raises what an unhappy answer means."""
        answer = self.call(method, url, **further)
        if 200 <= answer.status < 300 and answer.status != 202 and (answer.body is not None or answer.status == 204):
            return answer.body
        raise meaning(answer, f"{method} {url.split('?')[0]}")

    def warm(self, url):
        """Opens the connection for the next request beforehand, so that no handshake delays it."""
        with suppress(requests.RequestException, urllib3.exceptions.HTTPError, OSError):
            prepared = self._session.prepare_request(requests.Request("GET", url))
            adapter = self._session.get_adapter(url)
            pool = adapter.get_connection_with_tls_context(prepared, self._ca_file)
            connection = pool._get_conn()
            if not connection.is_connected:
                connection.timeout = self._clock.real(TIME_OUT)
                connection.connect()
            pool._put_conn(connection)

    def cased(self, headers):
        """Header names as the variant writes them."""
        if not self._other_case:
            return headers
        return {**{name.lower(): value for name, value in headers.items()}, "X-REQUEST-SOURCE": "app", "x-trace": "1"}

    def ordered(self, body):
        """The members of an object in the order of the variant."""
        if self._other_case and isinstance(body, dict):
            return {name: self.ordered(value) for name, value in reversed(body.items())}
        return body


def parsed(response):
    """The JSON of an answer; None where it says to be something else, or is only half of it."""
    if "json" not in response.headers.get("Content-Type", "").lower():
        return None
    try:
        return response.json()
    except ValueError:
        return None


def retry_after(headers):
    """Seconds that the server asks to wait, if it does."""
    asked = headers.get("Retry-After", "")
    return float(asked) if asked.isdigit() else None


def meaning(answer, what):
    """The failure that an unhappy answer stands for, by its status."""
    told = f"{what}: {answer.status} {answer.text[:200]}"
    if answer.status == 401:
        return TokenRefused(told)
    if answer.status == 429:
        return Unreachable(told, retry_after(answer.headers) or 1)  # LivePerson reference 5.3: one second or more
    if 400 <= answer.status < 500 and answer.status != 408:
        return Refused(told)
    # 5xx, and 2xx that is not what was asked for, such as the page of a Wi-Fi or half an object.
    return Unreachable(told, retry_after(answer.headers))


def claims(token):
    """The claims of a token, unchecked; None if it is no token."""
    try:
        part = token.split(".")[1]
        return json.loads(base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)))
    except (AttributeError, IndexError, ValueError):
        return None
