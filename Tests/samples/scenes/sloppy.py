"""A client that misspells a parameter, leaves one out, registers for pushes with a member too much, and does so once where nobody is."""

import json
import os
import urllib.error
import urllib.request

URL, ACCOUNT = os.environ["SPARRING_URL"], os.environ["SPARRING_LIVEPERSON_ACCOUNT_ID"]


def call(method, path, body=None):
    request = urllib.request.Request(URL + path, body and json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
    try:
        urllib.request.urlopen(request).read()
    except urllib.error.HTTPError:
        pass


DEVICE = {"deviceToken": "phone-1", "pushType": "APNS", "langg": "en-US"}
call("GET", f"/api/account/{ACCOUNT}/service/pusher/baseURI.json?verison=1.0")
call("PUT", f"/api/account/{ACCOUNT}/app/7c1e2b9a-5d40-4f66-9b7e-30d8a1c4f205/report", {"engagementAttributes": []})
call("PUT", f"/push/v1/account/{ACCOUNT}/registrations/app", DEVICE)
for _ in range(3):
    call("PUT", f"/mock/pusher/account/{ACCOUNT}/registrations/app", DEVICE)
