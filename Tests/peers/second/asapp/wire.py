"""ASAPP's HTTP, as the SDK speaks it (asapp.openapi.yaml)."""

from dataclasses import dataclass, field

from shared.pool import NetworkError


@dataclass(frozen=True)
class Answer:
    """What a call came to; the status is 0 where no answer came."""

    status: int
    body: dict = field(default_factory=dict)
    retry_after: float = 0.0

    @property
    def ok(self):
        return 200 <= self.status < 300

    @property
    def code(self):
        """ASAPP's own code, such as 401-02."""
        return self.body.get("error", {}).get("code", "")

    @property
    def passing(self):
        """Whether the same call may well succeed later."""
        return self.status in (0, 429) or self.status >= 500

    @property
    def session_gone(self):
        """401-03 and 401-04 call for a new session (asapp.openapi.yaml, Codes)."""
        return self.code in ("401-03", "401-04")

    @property
    def context_expired(self):
        """Only 401-02 calls for fresh credentials from the app (asapp.openapi.yaml, Codes)."""
        return self.code == "401-02"


class Wire:
    """Calls the host of the app's configuration."""

    def __init__(self, pool, host, app_id):
        self.pool = pool
        self.base = f"https://{host}/chat/v1"
        self.headers = {"asapp-api-id": app_id, "asapp-api-secret": "not-used-today"}

    async def call(self, method, path, bearer=None, body=None):
        headers = dict(self.headers)
        if bearer:
            headers["Authorization"] = f"Bearer {bearer}"
        try:
            response = await self.pool.call(method, self.base + path, headers=headers, json=body)
        except NetworkError:
            return Answer(0)
        return Answer(response.status_code, self.read(response), self.wait_of(response))

    @staticmethod
    def read(response):
        """The body, if it is an object: a gateway's error page is not."""
        try:
            body = response.json()
        except ValueError:
            return {}
        return body if isinstance(body, dict) else {}

    @staticmethod
    def wait_of(response):
        """Seconds that the server asks for (RFC 9110 10.2.3)."""
        words = response.headers.get("Retry-After", "")
        return float(words) if words.isdigit() else 0.0
