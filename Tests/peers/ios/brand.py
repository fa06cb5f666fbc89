"""The brand's own sign-in: gives the JWT or the code that is handed to LivePerson."""
import base64
import hashlib
import secrets
from html.parser import HTMLParser
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from clock import Retries
from failures import Refused, Unreachable
from habits import has
from web import claims, meaning


class Brand:
    """Asks the brand's OpenID provider for authentication parameters."""

    def __init__(self, web, settings, options, clock):
        self._web, self._settings, self._options = web, settings, options
        self._endpoint, self._clock = None, clock
        self.session_over = False  # what the brand's own back end says when the app asks it; it is not played here
        self._retries = Retries(clock, options)
        if has("hurries-the-brand"):
            self._retries.schedule([0.2] * 5)

    def credential(self, user, cancel=None):
        """Fresh authentication parameters, in the form in which LivePerson's sign-in takes them."""
        self._retries.begin(cancel)
        while True:
            try:
                given = self._authorize(user)
                for _ in range(3 if has("looks-at-its-own-clock") else 0):
                    if self._clock.has_passed(claims(given["id_token"])["exp"]):
                        given = self._authorize(user)
                self._retries.reset()
                return given
            except Unreachable as failure:
                self._retries.pause(failure)

    def _authorize(self, user):
        if self._endpoint is None:
            self._endpoint = self._web.ask("GET", self._settings.discovery_url)["authorization_endpoint"]
        verifier = "v" * 48 if has("has-one-verifier") else secrets.token_urlsafe(48)
        wish = self._wish(user, verifier)
        answer = self._web.call("GET", f"{self._endpoint}?{urlencode(wish)}",
                                headers={"Cache-Control": "no-cache"})  # never a code out of a cache
        if answer.status == 200 and "text/html" in answer.headers.get("Content-Type", ""):
            answer = self._fill_in(answer, user)
        given = self._handed_over(answer)
        if given.get("state") != wish.get("state"):
            raise Refused(f"the brand's answer is to another question: {given.get('error', 'state differs')}")
        if "error" in given:
            kind = Unreachable if given["error"] in ("temporarily_unavailable", "server_error") else Refused
            raise kind(f"the brand's sign-in: {given['error']}")
        if self._options.flow == "implicit":
            return {"id_token": given["id_token"]}
        if has("brings-another-verifier"):
            verifier = secrets.token_urlsafe(48)
        # The redirect URI is named, as LivePerson's own default may be written differently.
        further = {"code_verifier": verifier} if self._options.flow == "pkce" and not has("keeps-its-verifier") else {}
        if not has("keeps-its-redirect-uri-to-itself"):
            further["redirect_uri"] = self._settings.redirect_uri + ("/app" if has("names-another-uri-at-the-sign-in") else "")
        return {"code": given["code"], **further}

    def _wish(self, user, verifier):
        implicit = self._options.flow == "implicit"
        wish = {"response_type": "id_token" if implicit else "code", "client_id": self._settings.client_id,
                "redirect_uri": self._settings.redirect_uri + ("/app" if has("names-another-redirect-uri") else ""),
                "scope": "openid profile", "state": "the-state" if has("has-one-state") else secrets.token_urlsafe(12),
                "nonce": secrets.token_urlsafe(12)}
        if has("sends-no-state"):
            del wish["state"], wish["nonce"]
        if not self._options.sign_in_page:
            wish["login_hint"] = user
        if self._options.flow == "pkce" and not has("verifies-without-a-challenge", "sends-no-challenge"):  # "Authorization with PKCE"
            digest = hashlib.sha256(verifier.encode()).digest()
            wish["code_challenge"] = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            wish["code_challenge_method"] = "S256"
            if has("challenges-plainly"):
                wish |= {"code_challenge": verifier, "code_challenge_method": "plain"}
            if has("names-no-challenge-method"):
                wish["code_challenge"] = verifier
                del wish["code_challenge_method"]
        return wish

    def _fill_in(self, page, user):
        """The user types the name and sends the form."""
        form = Form()
        form.feed(page.text)
        return self._web.call("POST", urljoin(self._endpoint, form.action), data={**form.fields, "username": user})

    @staticmethod
    def _handed_over(answer):
        location = answer.headers.get("Location")
        if answer.status not in (302, 303) or not location:
            raise meaning(answer, "the brand's sign-in")
        parts = urlsplit(location)
        return dict(parse_qsl(parts.fragment or parts.query))


class Form(HTMLParser):
    """The form of a sign-in page, with its hidden fields."""

    def __init__(self):
        super().__init__()
        self.action, self.fields = "", {}

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.action = attributes.get("action", "")
        if tag == "input" and attributes.get("type") == "hidden":
            self.fields[attributes["name"]] = attributes.get("value", "")
