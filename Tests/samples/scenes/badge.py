"""A client that counts the unread messages, and takes an answer for JSON only if its Content-Type is spelt as usual."""

import json
import os
import sys
import urllib.request

URL, ACCOUNT = os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]
ADMIN = f"{URL}/__admin/sandboxes/{os.environ['SPARRING_SANDBOX']}"


def call(url, body=None, token="", method=None):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    with urllib.request.urlopen(urllib.request.Request(url, body and json.dumps(body).encode(), headers, method=method)) as answer:
        return answer.headers["Content-Type"], json.load(answer)


call(f"{URL}/api/account/{ACCOUNT}/service/pusher/baseURI.json?version=1.0")
jwt = call(f"{ADMIN}/credentials", {"form": "jwt", "subject": "alice"})[1]["credential"]
token = call(f"{URL}/api/account/{ACCOUNT}/app/default/authenticate?v=2.0", {"id_token": jwt})[1]["jwt"]
call(f"{URL}/mock/pusher/account/{ACCOUNT}/registrations/app", {"deviceToken": "phone-1", "pushType": "APNS"}, token, "PUT")
kind, unread = call(f"{URL}/mock/pusher/account/{ACCOUNT}/unread?appId=app", token=token)
if kind != "application/json":
    sys.exit(1)
print(unread["total"])
