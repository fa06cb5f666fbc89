"""The brand's app with the messaging SDK inside it, on one device."""
import sys
import threading
from contextlib import suppress

from brand import Brand
from clock import Retries
from control import readable
from failures import AuthenticationFailed, Cancelled, Failure, GivenUp, Refused, SessionOver
from habits import has, stay
from identity import AnonymousIdentity, Identity
from lookup import built_in, find_services
from memory import Memory, Outgoing
from monitoring import Monitoring
from pusher import Pusher
from screen import Screen
from web import Web
from window import Window


class App(Screen):
    """One run of the app, from its start to its end. What outlives it is kept by the device."""

    def __init__(self, device, settings, options, clock, tell):
        super().__init__(device, clock, tell)
        self.settings, self.options = settings, options
        self.web = Web(clock, settings.ca_file, options.other_case)
        self.brand = Brand(self.web, settings, options, clock)
        self.services = None
        self.disabled = False  # "User Logs into the App" 2: all further SDK calls
        self.identity, self.window, self.foreground = None, None, True
        self._stop = threading.Event()
        self._arrival = self._leaving = None
        device.app = self
        self.mark("started")

    # -- the user logs in and out -------------------------------------------

    def log_in(self, user):
        """"User Logs into the App". Registering and counting go on in the background; `settled` waits for them."""
        if self.memory is None or self.memory.user != user:
            self.memory = self.device.memory = Memory(user)
        self.identity = Identity(user, self) if user else AnonymousIdentity(user, self)
        self.socket_retries = Retries(self.clock, self.options)
        if has("registers-before-the-start"):
            self.services = built_in()
            self._register()
        if self._initialize():
            self._arrival = threading.Thread(target=self._arrive, daemon=True)
            self._arrival.start()

    def _initialize(self):
        """On every log-in; what goes wrong here cannot be made up for by waiting."""
        if self.device.services and has("looks-the-services-up-once"):
            self.services = self.device.services
            return True
        try:
            self.services = self.device.services = find_services(self.web, self.settings, self.options)
        except Failure as failure:
            if has("starts-once"):
                self.disabled = True
                self.give_up("initialize", failure)
                return False
            # Step 2: `logout` once as a catch-all, which here has nothing to unregister, then once again.
            self.memory = self.device.memory = Memory(self.memory.user)
            self.clock.wait(self.clock.varied(1), self._stop)
            if has("starts-again-five-times"):
                self._insist()
            try:
                self.services = find_services(self.web, self.settings, self.options)
            except Failure as failure:
                if has("goes-on-without-a-start"):
                    self.services = built_in()
                    return True
                self.disabled = True
                self.give_up("initialize", failure)
        return not self.disabled

    def _insist(self):
        """Initialises again by the retry policy."""
        for seconds in (2, 4, 8, 16):
            with suppress(Failure):
                find_services(self.web, self.settings, self.options)
            self.clock.wait(seconds, self._stop)

    def _arrive(self):
        with suppress(Cancelled):
            if has("counts-before-it-registers"):
                self.count_unread()
                self._register()
                return
            if self.options.pushes and not self._register() and not has("counts-though-it-is-not-registered"):
                # The next call can only be made after DidFinish, and the count is coupled to the pusher.
                self.set_badge(0)
            else:
                self.count_unread()

    def token_changed(self):
        """"Registering for push notifications": also if APNs tell that the token has changed."""
        if has("keeps-the-old-push-token"):
            return
        earlier = self._arrival
        self._arrival = threading.Thread(target=self._register_again, args=[earlier], daemon=True)
        self._arrival.start()

    def _register_again(self, earlier):
        if earlier:
            earlier.join()
        # Where nothing has been registered yet, it will be with the new token.
        if self.memory and self.memory.token_tried not in (None, self.device.token):
            with suppress(Cancelled):
                self._register()

    def _register(self):
        if has("registers-once-for-all") and self.memory.token_tried:
            return True
        before, self.memory.token_tried = self.memory.token_tried, self.device.token
        try:
            if has("insists-on-a-bad-registration"):
                self._pusher().insist()
            self._pusher().register(self.memory.token_tried)
            return True
        except SessionOver:
            self.session_ended()
            raise Cancelled() from None
        except (GivenUp, AuthenticationFailed, Refused) as failure:
            # "Registering for push notifications": registered the next time the SDK authenticates, where it could not so far.
            if self.identity.token is None:
                self.memory.token_tried, self.memory.registration_deferred = before, True
            self.give_up("sign-in" if self.identity.token is None else "pushes", failure)
            return False

    def signed_in(self):
        """The SDK has authenticated: a registration that was left for that is made now."""
        if self.memory.registration_deferred:
            self.memory.registration_deferred = False
            self._arrival = threading.Thread(target=self._arrive, daemon=True)
            self._arrival.start()

    def count_unread(self):
        """`getUnreadMessagesCount`; after N failures the count is reset to 0 ("User Logs into the App" 7)."""
        if has("never-counts"):
            return
        try:
            unread = self._pusher().unread() + (7 if has("shows-another-badge") else 0)
        except SessionOver:
            self.session_ended()
            return
        except Failure as failure:
            print(f"unread count: {failure}", file=sys.stderr)
            unread = 0
            if self.identity.token is None:
                self.give_up("sign-in", failure)
        # A window that has loaded meanwhile has downloaded what was counted.
        self.set_badge(0 if self.window and self.window.loaded else unread)

    def log_out(self):
        """"User is logged out of the App": the user is not signed out before the device is unregistered."""
        self.close_window()
        self._stop.set()
        self.settled()
        self._stop = threading.Event()
        if has("unregisters-afterwards"):
            self.mark("signed-out", lane=self.memory.user)
        if self.memory.token_tried and not has("forgets-to-unregister"):
            try:
                self._pusher().unregister()
            except Failure as failure:
                if not has("signs-out-all-the-same", "unregisters-in-passing"):
                    self.give_up("sign-out", failure)
                    return False
        self.set_badge(0)
        left = self._pusher()
        user, self.memory, self.device.memory, self.identity = self.memory.user, None, None, None
        self.brand.session_over = False  # the next user to log in has a session of their own
        if not has("unregisters-afterwards"):
            self.mark("signed-out", lane=user)
        if has("counts-after-signing-out"):
            left.unread()
        self.changed()
        return True

    def session_ended(self):
        """"User is logged out of the App" 1: "any remote log out flow". It does not wait for the log-out."""
        if self._leaving is None or not self._leaving.is_alive():
            self._leaving = threading.Thread(target=self.log_out, daemon=True)
            self._leaving.start()

    def settled(self, seconds=400):
        """Waits until what the log-in has begun is done."""
        if self._arrival:
            self._arrival.join(self.clock.real(seconds))

    # -- the user moves about ----------------------------------------------

    def navigate(self, place):
        """"User navigates about the App": whether there is an engagement to be shown."""
        try:
            self.memory.engagement = Monitoring(self, self.memory, self._stop).engagement(place)
        except Failure as failure:
            self.memory.engagement = None
            self.give_up("engagement", failure)
        return self.memory.engagement

    def open_window(self):
        """"User clicks messaging button". A window that is open already is not opened again."""
        if not self.disabled and (self.window is None or self.window.failure):
            self.mark("window-opened")
            self.window = Window(self)

    def close_window(self):
        if self.window:
            self.clock.wait(stay("window"))
            window, self.window = self.window, None
            window.close()
            self.mark("window-closed")
            if has("opens-a-socket-behind-the-window"):
                window.open_again()

    def say(self, event, photo=None):
        """The user sends something; it is kept until it is delivered."""
        item = Outgoing(event, photo)
        self.memory.outbox.append(item)
        if self.window:
            self.window.wake()
        return item

    def go_to_background(self):
        self.close_window()
        self.foreground = False

    def come_to_foreground(self):
        """A badge is only as true as the push that brought it, so the count is asked for."""
        self.foreground = True
        self.token_changed()
        if not has("counts-at-the-log-in-only"):
            self.count_unread()

    def kill(self):
        """The system ends the app without asking."""
        self._stop.set()
        if self.window:
            self.window.close(politely=False)
        self.device.app = None

    # -- pushes ------------------------------------------------------------

    def push_arrived(self, payload):
        """`didReceiveRemoteNotification` while the app is in the foreground. True if a banner is shown."""
        push = readable(payload)
        if push is None or payload["brandId"] != self.settings.account or self.memory is None:
            if has("takes-others-pushes-for-its-own"):
                self.mark("push-shown", dialog="none", sequence=0)
            return False
        dialog, sequence, badge = push
        seen = self.memory.transcripts.get(dialog)
        if self.window and not self.window.failure:
            self.window.stray()
        is_read = seen and sequence < seen.next and not has("announces-what-was-read")
        is_known = push[:2] in self.memory.pushes_shown and not has("shows-a-push-twice")
        if (self.window and not self.window.failure) or is_read or is_known:
            return False  # the conversation is on the screen, or was read meanwhile, or has been announced
        self.memory.pushes_shown.add(push[:2])
        self.mark("push-shown", dialog=dialog, sequence=sequence)
        if badge is not None:
            self.set_badge(badge)
        return True

    def _pusher(self):
        return Pusher(self, self.identity, self._stop)
