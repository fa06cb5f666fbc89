"""Photos: put into the storage first, told about in the conversation afterwards."""
from clock import Retries
from failures import Refused, TokenRefused, Unreachable
from habits import has
from web import UPLOAD_TIME_OUT, meaning


def upload(app, item, ask, cancel):
    """Uploads a photo. A URL serves for a minute and once: after any failure a fresh one is asked for."""
    retries, expired, place = Retries(app.clock, app.options, cancel), 0, None
    while True:
        if not place or not has("uploads-to-the-old-url"):
            place = ask("ms.GenerateURLForUploadFile", {"fileSize": len(item.photo), "fileType": "PNG"})
        try:
            _put(app, place, item.photo)
            item.event["message"]["relativePath"] = place["relativePath"]
            return
        except TokenRefused as failure:
            if has("publishes-what-is-not-there"):
                item.event["message"]["relativePath"] = place["relativePath"]
                return
            expired += 1
            if expired == 3:
                raise Refused(f"upload URLs are refused again and again: {failure}") from failure
        except Unreachable as failure:
            retries.pause(failure)


def _put(app, place, photo):
    signed = "&".join(f"{name}={value}" for name, value in place["queryParams"].items())
    answer = app.web.call("PUT", f"https://{app.services['swift']}{place['relativePath']}?{signed}", data=photo,
                          headers={"Content-Type": "image/png"}, time_out=UPLOAD_TIME_OUT)
    if answer.status != 201:
        raise meaning(answer, "upload")
