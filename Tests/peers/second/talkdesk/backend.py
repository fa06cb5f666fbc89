"""The brand's own backend, which hands access tokens to the brand's app."""

from math import ceil

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from server import Reply, Server
from shared.pool import Pool
from shared.sandbox import Sandbox
from tokens import Tokens, Unavailable


class Backend:
    """Both calls of Talkdesk reference 3.3: GET /access and POST /token/{app_id}."""

    def __init__(self, world):
        self.clock = world.clock
        self.sandbox = world.sandbox
        self.habits = world.habits
        self.pool = Pool(world.sandbox.authority, 10 * world.clock.scale)
        self.tokens = Tokens(world)
        self.server = Server(self.answer)
        self.keys = None

    async def start(self):
        """Returns the address."""
        return await self.server.start()

    async def stop(self):
        await self.server.stop()
        await self.tokens.close()
        await self.pool.close()

    async def answer(self, request):
        reply = await self.reply_to(request)
        await self.sandbox.mark("app-answered", Sandbox.setting("TALKDESK_CLIENT_ID"), status=reply.status)
        return reply

    async def reply_to(self, request):
        if request.method == "POST" and request.path.startswith("/token/"):
            success = 201
        elif request.method == "GET" and request.path == "/access":
            success = 200
        else:
            return Reply(404, {"error": "not_found"})
        person = await self.person(request.headers.get("authorization", ""))
        if not person:
            return Reply(401, {"error": "session_required"})
        try:
            token = await self.tokens.token_for(person, "fresh" in request.query)
        except Unavailable as failure:
            if self.habits.has("null-token"):
                return Reply(201, {"auth_token": None})
            if failure.wait:
                return Reply(503, {"error": "service_unavailable"}, {"Retry-After": ceil(failure.wait)})
            return Reply(502, {"error": "bad_gateway"})
        return Reply(success, token if success == 200 else {"auth_token": token})

    async def person(self, authorization):
        """Whom the brand's identity provider has signed in, by the ID token that the app sends."""
        kind, _, token = authorization.partition(" ")
        if kind != "Bearer":
            return None
        if not self.keys:
            answer = await self.pool.call("GET", Sandbox.setting("IDENTITY_JWKS_URI"))
            self.keys = KeySet.import_key_set(answer.json())
        expected = {
            "iss": {"essential": True, "value": Sandbox.setting("IDENTITY_ISSUER")},
            "aud": {"essential": True, "value": Sandbox.setting("IDENTITY_CLIENT_ID")},
            "exp": {"essential": True},
        }
        try:
            found = jwt.decode(token, self.keys, algorithms=[Sandbox.setting("IDENTITY_ALGORITHM")])
            jwt.JWTClaimsRegistry(now=lambda: int(self.clock.now()), leeway=60, **expected).validate(found.claims)
        except (JoseError, ValueError):
            return None
        return found.claims["sub"]
