"""Where the brand's backend gets the access tokens for its people from."""

from shared.pool import NetworkError
from talkdesk_id import Refused, TalkdeskID


class Unavailable(Exception):
    """There is no token now. `wait` is how many seconds Talkdesk ID wants to be left alone, if it said so."""

    def __init__(self, words, wait=0):
        super().__init__(words)
        self.wait = wait


class Tokens:
    """One backend's tokens, by the grant that the variant uses."""

    # Of a backend that persists: its app gets an answer within the 30 s that the SDK waits.
    TRIES = 3
    LONGEST_WAIT = 10  # seconds

    def __init__(self, world):
        self.clock = world.clock
        self.variant = world.variant
        self.habits = world.habits
        self.talkdesk_id = TalkdeskID(world)
        self.silent_until = 0
        self.refresh_tokens = {}
        self.cached = None  # of client_credentials, which are the same for everybody
        self.cached_until = 0

    async def token_for(self, person, fresh):
        """Raises `Unavailable`. `fresh`: the gateway has refused the last token."""
        if self.cached and not fresh and self.clock.now() < self.cached_until:
            return self.cached
        for attempt in range(1, self.TRIES + 1):
            try:
                return await self.token_once(person)
            except Unavailable as failure:
                if attempt == self.TRIES or not self.may_try_again(failure):
                    raise
                if not self.habits.has("ignores-retry-after"):
                    await self.clock.sleep(failure.wait)

    def may_try_again(self, failure):
        if isinstance(failure.__cause__, Refused) and not failure.wait:
            return self.habits.has("retries-a-refused-assertion")  # a refusal stays one
        return self.habits.has("ignores-retry-after") or self.variant.backend_persists and failure.wait <= self.LONGEST_WAIT

    async def token_once(self, person):
        silent = self.silent_until - self.clock.now()
        if silent > 0 and not self.habits.has("ignores-retry-after"):
            raise Unavailable("Talkdesk ID wants to be left alone", silent)
        try:
            tokens = await (self.by_code(person) if self.variant.grant == "authorization_code" else self.talkdesk_id.client_credentials())
        except Refused as refused:
            self.silent_until = self.clock.now() + refused.wait
            raise Unavailable("Talkdesk ID refused", refused.wait) from refused
        except NetworkError as error:
            raise Unavailable("Talkdesk ID does not answer") from error
        if self.variant.backend_caches:
            # As long as Talkdesk ID says each time, for the lifetime can change without notice.
            self.cached, self.cached_until = tokens["access_token"], self.clock.now() + tokens["expires_in"] - 10
        return tokens["access_token"]

    async def by_code(self, person):
        refresh_token = self.refresh_tokens.pop(person, None)  # good once: the answer replaces it
        try:
            tokens = await (self.talkdesk_id.refresh(refresh_token) if refresh_token else self.by_new_code(person))
        except Refused as refused:
            if not refresh_token or refused.error != "invalid_grant":
                raise
            tokens = await self.by_new_code(person)
        if "refresh_token" in tokens:
            self.refresh_tokens[person] = tokens["refresh_token"]
        return tokens

    async def by_new_code(self, person):
        code = await self.talkdesk_id.code_for(person)
        try:
            return await self.talkdesk_id.redeem(code)
        except NetworkError:
            # The code may be used up, so that it is never sent again (RFC 6749 section 4.1.2).
            if not self.habits.has("resends-a-code"):
                raise
            await self.clock.sleep(2)
            return await self.talkdesk_id.redeem(code)

    async def close(self):
        await self.talkdesk_id.close()
