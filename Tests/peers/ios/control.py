"""What is not the app: the agent, the push service's way to the device, and the marks that the app makes."""
import threading

import requests

TOKEN_LOOKS = 3  # seconds from one look at the device's token to the next


def readable(payload):
    """Dialog, sequence and badge of a push of LivePerson's; None for what cannot be read."""
    if not isinstance(payload, dict) or not isinstance(payload.get("aps"), dict):
        return None
    dialog, sequence, badge = payload.get("dialogId"), payload.get("sequence"), payload.get("badge")
    if not isinstance(payload.get("brandId"), str) or not isinstance(dialog, str) or not isinstance(sequence, int):
        return None
    return dialog, sequence, badge if isinstance(badge, int) else None


class Control:
    """The mock's control interface."""

    def __init__(self, settings, options, main_user):
        self._base, self._marks, self._main_user = settings.sandbox_url, options.marks, main_user
        self._session = requests.Session()
        self._session.trust_env = False
        self.several_devices = False

    def mark(self, name, device, lane, further):
        """Tells what is not on the network."""
        if self._marks:
            where = {"device": device.name} if self.several_devices else {}
            self._post("journal/marks", {"mark": name, "lane": lane or self._main_user, **where, **further})

    def agent_says(self, text, **aim):
        """An agent speaks, to a consumer or in a conversation."""
        self._post("liveperson/agent/say", {**aim, "text": text})

    def _post(self, path, body):
        self._session.post(f"{self._base}/{path}", json=body, timeout=30).raise_for_status()

    def notifications(self, device_token, since):
        """What has come to a device from a number on; waits a little for it."""
        answer = requests.get(f"{self._base}/devices/{device_token}/notifications/wait", timeout=30,
                              params={"since": since, "count": 1, "timeout": "2s"})
        return answer.json()["notifications"] if answer.status_code == 200 else []

    def renewed(self, device_token):
        """The token that a device has been given in place of this one, or None."""
        devices = requests.get(f"{self._base}/devices", timeout=30).json()["devices"]
        return next((each.get("renewed") for each in devices if each["token"] == device_token), None)


class Device:
    """A phone or tablet: gets the pushes, and keeps the SDK's memory while the app does not run."""

    def __init__(self, name, token, control, clock):
        self.name, self.token, self._control, self._clock = name, token, control, clock
        self.app, self.memory, self.services = None, None, None
        self.texts_shown = []
        self.pushes, self.banners = [], []
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._watch_token, daemon=True).start()

    def _listen(self):
        since = 1
        while True:
            for each in self._control.notifications(self.token, since):
                since = each["number"] + 1
                self._arrived(each["payload"])

    def _watch_token(self):
        """APNs give a device a new token now and then; the system hands it to the app that is open, or when it is opened next."""
        while True:
            self._clock.wait(TOKEN_LOOKS)
            token = self._control.renewed(self.token)
            if token:
                self.token, app = token, self.app
                if app and app.foreground:
                    app.token_changed()

    def _arrived(self, payload):
        app = self.app
        if app and app.foreground:
            banner = app.push_arrived(payload)
        else:
            # "Agent sends a push notification whilst the app is backgrounded": iOS displays it by itself.
            push = readable(payload)
            banner = push is not None
            if banner:
                dialog, sequence, badge = push
                self._control.mark("push-shown", self, None, {"dialog": dialog, "sequence": sequence})
                if badge is not None:
                    self._control.mark("badge", self, None, {"value": badge})
        self.pushes.append(payload)
        if banner:
            self.banners.append(payload)
        if app:
            app.changed()
