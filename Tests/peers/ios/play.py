"""Plays one story, in one variant."""
import hashlib

from clock import Clock
from control import Control, Device
from habits import has
from person import Ended, Person
from settings import Options, Settings
from stories import PKCE_BRANDS, STORIES, anonymous, chat


class Play:
    """The stage: who takes part, and what a variant adds to the story."""

    def __init__(self, scenario, variant):
        self.variant = variant
        brand = {"flow": "pkce"} if scenario in PKCE_BRANDS else {}
        self.settings, self.options = Settings(), Options.of(variant, **brand)
        self.clock = Clock(self.settings.time_scale, self.options.jitter)
        self._story = STORIES.get(scenario, chat)
        self._user = None if self._story is anonymous else "ada"
        self.control = Control(self.settings, self.options, "ada")
        self.control.several_devices = variant == "two-devices"
        self._tablet = None

    def run(self):
        """Tells the story to its end, or to the point where the app has given up."""
        try:
            if self.variant == "two-devices":
                # First, as the device that registers last gets the pushes.
                self._tablet = self._person("tablet")
                self._tablet.arrive()
            self._story(self, self._person("phone"))
        except Ended:
            pass

    def _person(self, device):
        token = hashlib.sha256(f"{self.settings.sandbox} {device}".encode()).hexdigest()
        return Person(self, self._user, Device(device, token, self.control, self.clock))

    def interlude(self, person, opened=True):
        """In the middle of the story."""
        if self.variant == "restart":
            person.restart()
            if opened:
                person.enter()
        if self.variant == "impatient-user" and opened:
            person.fidget()
            person.tap()
        if self._tablet:
            self._tablet.enter()
            self._tablet.see(*person.device.texts_shown)
            self._tablet.app.close_window()

    def brand_ends_session(self, person):
        """From now on the brand's back end says, to an app that asks, that the user is not logged in any more."""
        for each in (person, self._tablet):
            if each:
                each.app.brand.session_over = True

    def farewell(self, person):
        """At the end users log out; in one variant somebody else logs in on the same device then."""
        person.app.settled()
        person.leave_app()
        if self.variant == "two-users":
            person.user = "bob"
            person.arrive()
            if has("forgets-to-unregister", "unregisters-another-app"):
                self.control.agent_says("This is for Ada only.", consumer="ada")
                self.clock.wait(5)
            person.enter()
            person.converse("Good evening.", "How can I help?")
            person.app.close_window()
            person.leave_app()
        if self._tablet:
            self._tablet.leave_app()
