"""The calls of the SDK at Talkdesk's gateway. Each call takes the token to bring."""

import requests

import env


class Gateway:
    def __init__(self):
        self.session = requests.Session()
        self.base = env.talkdesk("GATEWAY_URL") + "/visual-sessions/interactions"

    def call(self, method, path, token, body=None):
        headers = {"Authorization": "Bearer " + token}
        return self.session.request(method, self.base + path, headers=headers, json=body, timeout=60)

    def start(self, token, app, intention):
        return self.call("POST", "", token, {"app_id": app, "intention": intention, "metadata": {"order": "1001"}})

    def read(self, token, interaction):
        return self.call("GET", "/" + interaction, token)

    def send(self, token, interaction, text):
        return self.call("POST", "/%s/messages" % interaction, token, {"text": text})

    def end(self, token, interaction):
        return self.call("DELETE", "/" + interaction, token)

    def close(self):
        self.session.close()
