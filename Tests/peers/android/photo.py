"""Sending a photo: a URL from the socket, the bytes to the file service, then the message."""
from failures import Refused, Unavailable
from habits import has

UPLOAD_TIME = 90  # seconds: bytes take longer than words
PREVIEW = "data:image/png;base64,iVBORw0KGgo="


async def send_photo(sdk, window, data, caption):
    """Uploads a photo and puts it into the window's queue; returns the future of its being published."""

    kept = {}

    async def attempt(moment):
        # A URL serves for a minute: each attempt has one of its own.
        given = has("uploads-to-the-old-url") and kept or await window.connection.ask("ms.GenerateURLForUploadFile", {"fileSize": len(data), "fileType": "PNG"})
        kept.update(given)
        query = "&".join(f"{name}={value}" for name, value in given["queryParams"].items())
        url = f"https://{sdk.hosts['swift']}{given['relativePath']}?{query}"
        headers = {"Content-Type": "image/png"}
        answer = await sdk.web.call("PUT", url, headers=headers, data=data, moment=moment, time_out=UPLOAD_TIME)
        if has("publishes-what-is-not-there"):
            return given["relativePath"]
        if answer.status == 401:
            raise Unavailable("the URL has expired")
        answer.check()
        if answer.status != 201:
            raise Refused(f"the upload is answered {answer.status}", answer.status)
        return given["relativePath"]

    path = await sdk.policy.run(attempt)
    message = {"caption": caption, "relativePath": path, "fileType": "PNG", "preview": PREVIEW}
    return window.say({"type": "ContentEvent", "contentType": "hosted/file", "message": message})
