"""Files that the consumer sends (LivePerson reference 5.15)."""

import asyncio

from retry import Unavailable, available, standard
from world import LONGEST_CALL


class Files:
    """Uploads a file to a URL that the socket gives; such a URL is short-lived, so each try gets its own."""

    def __init__(self, world, services, window):
        self.world = world
        self.services = services
        self.window = window

    async def uploaded(self, picture):
        """The event that shows the picture. Raises `GaveUp`."""
        return await standard(self.world, lambda: self.attempt(picture))

    async def attempt(self, picture):
        place = await self.place(len(picture))
        url = self.services.url("swift", place["relativePath"])
        answer = await self.world.pool.call("PUT", url, params=place["queryParams"], headers={"Content-Type": "image/png"}, content=picture)
        if available(answer).status_code != 201 and not self.world.habits.has("publishes-the-lost-file"):
            raise Unavailable(f"upload: {answer.status_code}")
        shown = {"caption": "receipt", "relativePath": place["relativePath"], "fileType": "PNG", "preview": "data:image/png;base64,iVBORw0KGgo="}
        return {"type": "ContentEvent", "contentType": "hosted/file", "message": shown}

    async def place(self, size):
        """Where the file is to be put."""
        answered = asyncio.get_running_loop().create_future()

        async def on_answer(answer):
            if not answered.done():
                answered.set_result(answer)

        self.window.ask(self.window.conversation.request, "ms.GenerateURLForUploadFile", {"fileSize": size, "fileType": "PNG"}, on_answer)
        try:
            answer = await self.world.clock.within(LONGEST_CALL, answered)
        except TimeoutError as error:
            raise Unavailable("no URL for the upload") from error
        if answer["code"] >= 400:
            raise Unavailable(f"no URL for the upload: {answer['code']}")
        return answer["body"]
