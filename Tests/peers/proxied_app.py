"""An app with its vendors' host names built in: it knows a proxy from its environment only, as `requests`, `httpx`, `urllib` and `websockets` read it.

    proxied_app.py IDS     (JSON: the tenants' ids)

Prints one line for each thing that worked, and ends with an exception at the first that does not.
"""

import base64
import json
import ssl
import sys
import urllib.request

import httpx
import requests
from websockets.sync.client import connect

ids = json.loads(sys.argv[1])
account, brand = ids["liveperson"], ids["cxone"]

# LivePerson: the lookup, an anonymous consumer, their socket.
lookup = requests.get(f"https://api.liveperson.net/api/account/{account}/service/baseURI.json", params={"version": "1.0"}, timeout=20)
lookup.raise_for_status()
hosts = {entry["service"]: entry["baseURI"] for entry in lookup.json()["baseURIs"]}
print("looked up", hosts["idp"], hosts["asyncMessagingEnt"])
# As production names them.
token = requests.post(f"https://va.idp.liveperson.net/api/account/{account}/signup", timeout=20).json()["jwt"]
for host in (hosts["asyncMessagingEnt"], "va.msg.liveperson.net"):
    url = f"wss://{host}/ws_api/account/{account}/messaging/consumer?v=3"
    with connect(url, additional_headers={"Authorization": f"jwt {token}"}, ssl=ssl.create_default_context(), open_timeout=20) as socket:
        socket.send(json.dumps({"kind": "req", "id": "1", "type": "GetClock", "body": {}}))
        answer = json.loads(socket.recv(timeout=20))
        assert answer["code"] == 200, answer
        print("talked with", host, answer["body"])

# The others: what each asks for first.
with httpx.Client(timeout=20) as client:
    channel = client.get(f"https://channels-de-na1.niceincontact.com/chat/1.0/brand/{brand}/channel/{ids['channel']}")
    channel.raise_for_status()
    print("CXone", sorted(channel.json())[0])
    config = client.get(f"https://{ids['khoros']}.config.smooch.io/sdk/v2/integrations/{ids['khoros']}/config")
    config.raise_for_status()
    print("Khoros", config.json()["config"]["app"]["_id"])
    # What it names is called next.
    print("Khoros' base", config.json()["config"]["baseUrl"]["ios"])
gateway = f"wss://chat-gateway-de-na1.niceincontact.com/?brandId={brand}&channelId={ids['channel']}&visitorId=0b1e5ab5-9a28-4ee2-9d4a-7d9a1fa3a2f1"
with connect(gateway, ssl=ssl.create_default_context(), open_timeout=20):
    print("CXone's socket is open")
secret = base64.b64encode(f"{ids['talkdesk']}:{ids['talkdeskSecret']}".encode()).decode()
asked = urllib.request.Request(
    "https://brand.talkdeskid.com/oauth/token", data=b"grant_type=client_credentials", headers={"Authorization": f"Basic {secret}"})
with urllib.request.urlopen(asked, timeout=20) as answer:
    print("Talkdesk", json.load(answer)["token_type"])
