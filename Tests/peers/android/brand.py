"""The brand's identity provider, as the app asks it: a code or a JWT for the SDK's authentication parameters."""
import base64
import hashlib
import os
import secrets
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from failures import Refused, SignInFailed, Unavailable

# The codes are bound to it, and it is named in each sign-in too: LivePerson may be configured with another spelling of it.
REDIRECT_URI = "https://liveperson.net"


class SignInForm(HTMLParser):
    """The fields of the provider's sign-in page, and where they are to be sent."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields = None, {}
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "form":
            self.action = given.get("action")
        elif tag == "input" and given.get("name"):
            self.fields[given["name"]] = given.get("value") or ""


class Brand:
    """Fetches what identifies the user; a JWT is kept for reuse, a code never is."""

    def __init__(self, web, policy, options, user):
        self.web, self.policy, self.options, self.user = web, policy, options, user
        self.authorization_endpoint = None
        self.jwt = None

    async def credentials(self):
        """What the SDK's authentication parameters carry: a JWT, or a fresh code."""
        # "Authentication Params when and why": codes cannot be reused, tokens can until they expire. Whether one has expired
        # is LivePerson's to say, not the phone's clock's.
        if self.jwt:
            return {"id_token": self.jwt}
        try:
            return await self.policy.run(self.authorize)
        except (Refused, Unavailable) as failure:
            raise SignInFailed(f"the brand's sign-in: {failure}") from failure

    def forget(self):
        """What was handed out last was refused: it is not used again."""
        self.jwt = None

    async def authorize(self, moment):
        """One call of the authorization endpoint."""
        if self.authorization_endpoint is None:
            metadata = (await self.web.call("GET", os.environ["SPARRING_IDENTITY_DISCOVERY_URL"])).check().object()
            self.authorization_endpoint = metadata["authorization_endpoint"]
        implicit = self.options.flow == "implicit"
        state, verifier = secrets.token_urlsafe(16), secrets.token_urlsafe(48)
        query = {
            "response_type": "id_token" if implicit else "code",
            "client_id": os.environ["SPARRING_IDENTITY_CLIENT_ID"],
            "redirect_uri": REDIRECT_URI,
            "scope": "openid profile",
            "state": state,
            "nonce": secrets.token_urlsafe(16),
        }
        if self.options.flow == "pkce":
            # "Authorization with PKCE": the challenge goes to the authorization endpoint, the verifier to the SDK.
            digest = hashlib.sha256(verifier.encode()).digest()
            query["code_challenge"] = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            query["code_challenge_method"] = "S256"
        if not self.options.page:
            query["login_hint"] = self.user
        # Past every cache: a code from a cached redirect would be the one of the last time.
        fresh = {"Cache-Control": "no-cache", "Accept": "text/html"}
        url = self.authorization_endpoint + "?" + urlencode(query)
        answer = await self.web.call("GET", url, headers=fresh, moment=moment)
        if answer.status == 200 and self.options.page:
            form = SignInForm(answer.body.decode("utf-8", "replace"))
            data = urlencode(form.fields | {"username": self.user}).encode()
            headers = fresh | {"Content-Type": "application/x-www-form-urlencoded"}
            answer = await self.web.call("POST", urljoin(url, form.action or url), headers=headers, data=data)
        given = self.redirected(answer, state)
        if implicit:
            self.jwt = given["id_token"]
            return {"id_token": self.jwt}
        credentials = {"code": given["code"], "redirect_uri": REDIRECT_URI}
        return credentials | ({"code_verifier": verifier} if self.options.flow == "pkce" else {})

    def redirected(self, answer, state):
        """What the provider handed over with its redirect."""
        if answer.status != 302:
            answer.check()
            raise Unavailable(f"the sign-in page answered {answer.status} and no redirect")
        location = urlsplit(answer.headers.get("location", ""))
        given = dict(parse_qsl(location.fragment or location.query))
        if given.get("state") != state:
            raise Refused("the redirect is the answer to another request")
        if given.get("error") in ("temporarily_unavailable", "server_error"):
            raise Unavailable(given["error"])
        if "error" in given:
            raise Refused(given["error"])
        return given
