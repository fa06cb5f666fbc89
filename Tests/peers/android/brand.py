"""The brand's identity provider, as the app asks it: a code or a JWT for the SDK's authentication parameters."""
import base64
import hashlib
import os
import secrets
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import timing
from failures import Refused, SessionOver, SignInFailed, Unavailable
from habits import has
from login import claims

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
        self.kept = self.again = None  # what was handed out last, and first, for those who bring it again
        self.session_over = False  # what the brand's own back end says; it is not played

    def check_session(self):
        """Asks the brand's back end whether the user is still logged in."""
        if self.session_over:
            raise SessionOver("the brand has logged the user out")

    async def credentials(self):
        """What the SDK's authentication parameters carry: a JWT, or a fresh code."""
        # "Authentication Params when and why": codes cannot be reused, tokens can until they expire. Whether one has expired
        # is LivePerson's to say, not the phone's clock's.
        if self.jwt and not (has("looks-at-its-own-clock") and timing.has_passed(claims(self.jwt)["exp"])):
            return {"id_token": self.jwt}
        if self.again:
            return await self.redeem_again()
        if self.kept and has("brings-a-code-again", "brings-one-code-each-time"):
            return self.kept
        try:
            self.kept = await self.policy.run(self.authorize, (lambda retry, failure: 0.2) if has("hurries-the-brand") else None)
            return self.kept
        except (Refused, Unavailable) as failure:
            raise SignInFailed(f"the brand's sign-in: {failure}") from failure

    def forget(self):
        """What was handed out last was refused: it is not used again."""
        self.jwt = self.kept = None

    async def authorize(self, moment, retries_left=3):
        """One call of the authorization endpoint."""
        self.check_session()
        if self.authorization_endpoint is None:
            metadata = (await self.web.call("GET", os.environ["SPARRING_IDENTITY_DISCOVERY_URL"])).check().object()
            self.authorization_endpoint = metadata["authorization_endpoint"]
        implicit = self.options.flow == "implicit"
        state = "the-state" if has("has-one-state") else secrets.token_urlsafe(16)
        verifier = "v" * 48 if has("has-one-verifier") else secrets.token_urlsafe(48)
        query = {
            "response_type": "id_token" if implicit else "code",
            "client_id": os.environ["SPARRING_IDENTITY_CLIENT_ID"],
            "redirect_uri": REDIRECT_URI + ("/app" if has("names-another-redirect-uri") else ""),
            "scope": "openid profile",
            "state": state,
            "nonce": secrets.token_urlsafe(16),
        }
        if has("sends-no-state"):
            state = query.pop("state") and None
            del query["nonce"]
        if self.options.flow == "pkce" and not has("verifies-without-a-challenge"):
            # "Authorization with PKCE": the challenge goes to the authorization endpoint, the verifier to the SDK.
            digest = hashlib.sha256(verifier.encode()).digest()
            query["code_challenge"] = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            query["code_challenge_method"] = "S256"
            if has("challenges-plainly"):
                query |= {"code_challenge": verifier, "code_challenge_method": "plain"}
            if has("names-no-challenge-method"):
                query["code_challenge"] = verifier
                del query["code_challenge_method"]
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
            if has("looks-at-its-own-clock") and retries_left and timing.has_passed(claims(self.jwt)["exp"]):
                return await self.authorize(moment, retries_left - 1)
            return {"id_token": self.jwt}
        credentials = {"code": given["code"], "redirect_uri": REDIRECT_URI + ("/app" if has("names-another-uri-at-the-sign-in") else "")}
        if has("keeps-its-redirect-uri-to-itself"):
            del credentials["redirect_uri"]
        if has("keeps-its-first-refresh-token", "redeems-a-code-again"):
            told = await self.redeem(code=given["code"])
            again = {"code": given["code"]} if has("redeems-a-code-again") else {"refresh_token": told["refresh_token"]}
            self.again = self.again or again
            return {"id_token": told["id_token"]}
        if has("brings-another-verifier"):
            verifier = secrets.token_urlsafe(48)
        return credentials | ({"code_verifier": verifier} if self.options.flow == "pkce" and not has("keeps-its-verifier") else {})

    async def redeem_again(self):
        """The brand's token for the code or refresh token that came first, or, where that is refused, for another code."""
        told = await self.redeem(**self.again)
        return {"id_token": told["id_token"]} if "id_token" in told else await self.policy.run(self.authorize)

    async def redeem(self, **credential):
        """What the brand's token endpoint gives for a code, or for a refresh token."""
        form = {"grant_type": "authorization_code", "redirect_uri": REDIRECT_URI} if "code" in credential else {"grant_type": "refresh_token"}
        form |= credential | {"client_id": os.environ["SPARRING_IDENTITY_CLIENT_ID"], "client_secret": os.environ["SPARRING_IDENTITY_CLIENT_SECRET"]}
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        url = os.environ["SPARRING_IDENTITY_TOKEN_ENDPOINT"]
        return (await self.web.call("POST", url, headers=headers, data=urlencode(form).encode())).object()

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
