"""HTTP as mobile libraries do it: pooled connections, and a request that a reused connection has lost is sent again at once, on a new one."""

import httpx


class NetworkError(Exception):
    """No answer: the connection was lost, refused, not trusted, or it took too long."""


class Pool:
    """What OkHttp and URLSession have in common. `limit` is how long a call may take, in seconds of this machine."""

    IDEMPOTENT = ("GET", "HEAD", "PUT", "DELETE", "OPTIONS")

    def __init__(self, authority, limit, sends_again=IDEMPOTENT):
        self.http = httpx.AsyncClient(verify=authority or True, timeout=limit, trust_env=False)
        self.sends_again = sends_again

    async def call(self, method, url, **options):
        """The answer, whatever its status; redirects are not followed. Raises `NetworkError`."""
        seen = set()

        async def trace(event, _):
            seen.add(event)

        request = self.http.build_request(method, url, extensions={"trace": trace, "timeout": self.http.timeout.as_dict()}, **options)
        try:
            try:
                return await self.http.send(request)
            except (httpx.ReadError, httpx.WriteError, httpx.RemoteProtocolError):
                is_lost = not seen & {"connection.connect_tcp.started", "http11.receive_response_headers.complete"}
                if not is_lost or method not in self.sends_again:
                    raise
                return await self.http.send(request)
        except (httpx.TransportError, httpx.DecodingError) as error:
            raise NetworkError(f"{method} {url}: {type(error).__name__} {error}") from error

    async def close(self):
        await self.http.aclose()
