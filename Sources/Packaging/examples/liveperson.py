"""A consumer of LivePerson's: signs in, registers for pushes, chats, survives a bad network, and signs out.

    sparring run -- sh -c '(echo Hello; sleep 5) | python3 liveperson.py'

Each line of its input is said, what the agent says is printed, and the end of the input signs the user out. It needs Python's `websockets`, and
beside it liveperson_window.py (the socket), liveperson_dialog.py (the order of messages) and patience.py (retries).
"""
import asyncio, os, sys
from liveperson_window import Window
from patience import SCALE, Failed, call, mark, mint, patiently, tell

CSDS, ACCOUNT = os.environ["SPARRING_LIVEPERSON_CSDS_DOMAIN"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
USER, APP, DEVICE = "ada", "test.brand.app", "phone-1"


class Consumer:
    def __init__(self):
        self.account, self.name, self.token, self.signing_in = ACCOUNT, USER, None, asyncio.Lock()
        self.window = Window(self)

    async def look_up(self):
        url = f"https://{CSDS}/api/account/{ACCOUNT}/service/baseURI.json?version=1.0"
        try:
            found = await call("GET", url)
        except Failed:
            found = await call("GET", url)  # LivePerson asks for one more attempt to initialise, and no others
        self.hosts = {each["service"]: each["baseURI"] for each in found["baseURIs"]}

    async def sign_in(self, refused=None):
        async def attempt():
            jwt = await mint("jwt", USER)  # another one at each attempt: what was refused once is refused again
            try:
                url = f"https://{self.hosts['idp']}/api/account/{ACCOUNT}/app/default/authenticate?v=2.0"
                self.token = (await call("POST", url, {"id_token": jwt}))["jwt"]
            except Failed as failure:
                failure.is_refusal = failure.status == 500  # LivePerson's status for a bad token
                raise

        async with self.signing_in:  # the socket and a call to the pusher may find at the same time that the token has expired
            if self.token == refused:
                await patiently(attempt)

    async def pusher(self, method, path, body=None):
        async def attempt():
            url, token = f"https://{self.hosts['pusher']}/mock/pusher/account/{ACCOUNT}/{path}", self.token
            try:
                return await call(method, url, body, token)
            except Failed as failure:
                if failure.status != 401:
                    raise
            await self.sign_in(refused=token)
            return await call(method, url, body, self.token)
        return await patiently(attempt)

    async def register(self):
        """For pushes; then reads the unread count, which is the badge until the window is open."""
        try:
            await self.pusher("PUT", f"registrations/{APP}", {"deviceToken": DEVICE, "pushType": "APNS"})
            unread = (await self.pusher("GET", f"unread?appId={APP}"))["total"]
            await mark("badge", USER, value=0 if self.window.socket else unread)
        except Failed as failure:
            await tell(f"No pushes or no unread count: {failure}", USER)  # the chat goes on without

    async def sign_out(self):
        """Unregisters first, with retries: otherwise the next user of the device would get this one's pushes."""
        try:
            await self.pusher("DELETE", f"registrations/{APP}?type=ALL")
        except Failed as failure:
            return await tell(f"Still signed in, as the pusher cannot be reached: {failure}", USER)
        self.token = None
        await mark("signed-out", USER)


async def main():
    consumer = Consumer()
    try:
        await consumer.look_up()
        await consumer.sign_in()
    except Failed as failure:
        return await tell(f"Cannot sign in: {failure}", USER)
    registered, window = asyncio.create_task(consumer.register()), asyncio.create_task(consumer.window.stay())
    while line := await asyncio.to_thread(sys.stdin.readline):
        consumer.window.say(line.strip())
    while consumer.window.outbox and not window.done():  # what was written is sent first
        await asyncio.sleep(0.1 * SCALE)
    await registered
    await consumer.sign_out()
    window.cancel()
    await asyncio.gather(window, return_exceptions=True)


asyncio.run(main())
