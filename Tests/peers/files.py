"""Two consumers' devices sharing files, as somebody else would write it: asks for URLs on the socket, puts, publishes, fetches, is refused.

    python files.py http://127.0.0.1:8080

Knows the vendor's wire reference and the admin API, and nothing of Sparring's code. Prints a line for each check; the first that fails
ends it with status 1.
"""

import base64
import itertools
import os
import re
import struct
import uuid
import zlib

from consumer import Consumer, lp_token
from peer import admin, base, check, finish, http


def picture(width, height):
    """A PNG of noise, made by hand."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + os.urandom(width * 3) for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")


name = f"files-{uuid.uuid4().hex[:8]}"
made = admin("POST", "sandboxes", {"name": name, "clock": {"mode": "frozen", "now": "2027-01-15T08:00:00Z"}})
account = made["tenants"]["liveperson"]["accountId"]


def url(answer, slash=""):
    check(f"{answer['type']} has a path and a query", set(answer["body"]) == {"relativePath", "queryParams"}, answer)
    query = answer["body"]["queryParams"]
    return f"{base}{slash}{answer['body']['relativePath']}?temp_url_sig={query['temp_url_sig']}&temp_url_expires={query['temp_url_expires']}"


looked_up = http.get(f"{base}/api/account/{account}/service/swift/baseURI.json?version=1.0", timeout=60).json()
check("the domain lookup names the file host", looked_up["service"] == "swift" and looked_up["baseURI"], looked_up)

token = lp_token(name, account, "ada")
phone, tablet = (Consumer(account, token, ids=itertools.count(1)) for _ in range(2))  # ids may be numbers (5.4)
conversation = phone.request("cm.ConsumerRequestConversation", {"ttrDefName": "NORMAL"})["body"]["conversationId"]
for device in (phone, tablet):
    device.follow(conversation)

photo = picture(400, 300)
room = phone.request("ms.GenerateURLForUploadFile", {"fileSize": str(len(photo)), "fileType": "PNG"})
path = room["body"]["relativePath"]
check("the path is the documented one", re.fullmatch(rf"/v1/AUTH_async-images/{account}/[0-9a-f-]{{36}}\.PNG", path), path)
check("the signature has 40 hexadecimal digits", re.fullmatch(r"[0-9a-f]{40}", room["body"]["queryParams"]["temp_url_sig"]))
check("the URL is for a minute", room["body"]["queryParams"]["temp_url_expires"] == "1800000060", room)
put = http.put(url(room), data=photo, timeout=60)
check("the bytes are taken", put.status_code == 201, put.text)

preview = "data:image/png;base64," + base64.b64encode(picture(40, 30)).decode()
event = {
    "type": "ContentEvent",
    "contentType": "hosted/file",
    "message": {"caption": "my receipt", "relativePath": path, "fileType": "PNG", "preview": preview},
}
sent = phone.publish(conversation, event)
check("the file is published", sent["code"] == 200 and sent["body"]["sequence"] == 0, sent)
heard = tablet.changes()[0]["event"]
check("the other device hears of it", heard == event, heard)

fetch = tablet.request("ms.GenerateURLForDownloadFile", {"relativePath": heard["message"]["relativePath"]})
got = http.get(url(fetch), timeout=60)
check("and fetches the very same bytes", got.status_code == 200 and got.content == photo, got.status_code)
check("as a picture", got.headers["Content-Type"] == "image/png", got.headers)
check("also with two slashes", http.get(url(fetch, slash="/"), timeout=60).content == photo)
check("which changes nothing for HEAD", http.head(url(fetch), timeout=60).headers["Content-Length"] == str(len(photo)))

check("the upload's URL fetches nothing", http.get(url(room), timeout=60).status_code == 401)
check("the download's URL puts nothing", http.put(url(fetch), data=b"x", timeout=60).status_code == 401)
check("another path is not open", http.get(url(fetch).replace(".PNG", ".GIF"), timeout=60).status_code == 401)
check("nor a later expiry", http.get(url(fetch).replace("1800000060", "1900000000"), timeout=60).status_code == 401)

large = phone.request("ms.GenerateURLForUploadFile", {"fileSize": 3 * 1024 * 1024 + 1, "fileType": "JPG"})
check("more than 3 MB get no URL", large["code"] >= 400, large)
check("nor does a film", phone.request("ms.GenerateURLForUploadFile", {"fileSize": 10, "fileType": "MP4"})["code"] >= 400)
big = dict(event, message=dict(event["message"], preview="data:image/png;base64," + base64.b64encode(os.urandom(30 * 1024)).decode()))
check("nor is a preview of 30 KB published", phone.publish(conversation, big)["code"] >= 400)
room = phone.request("ms.GenerateURLForUploadFile", {"fileSize": 3 * 1024 * 1024, "fileType": "JPEG"})
jpeg = b"\xff\xd8\xff" + os.urandom(3 * 1024 * 1024 - 3)
check("3 MB themselves are taken", http.put(url(room), data=jpeg, timeout=60).status_code == 201)
over = http.put(url(room), data=jpeg + b"x", timeout=60)
check("and not a byte more, whatever was announced", over.status_code == 413, over.status_code)

empty = phone.request("ms.GenerateURLForUploadFile", {"fileSize": 10, "fileType": "GIF"})
nothing = tablet.request("ms.GenerateURLForDownloadFile", {"relativePath": empty["body"]["relativePath"]})
check("what was never put cannot be fetched", http.get(url(nothing), timeout=60).status_code == 404)
admin("POST", f"sandboxes/{name}/clock/advance", {"by": "59s"})
check("a URL holds to its last second", http.get(url(fetch), timeout=60).status_code == 200)
admin("POST", f"sandboxes/{name}/clock/advance", {"by": "1s"})
check("and no longer", http.get(url(fetch), timeout=60).status_code == 401)
check("nor does the one for the upload", http.put(url(empty), data=b"GIF89a", timeout=60).status_code == 401)
admin("DELETE", f"sandboxes/{name}")
finish()
