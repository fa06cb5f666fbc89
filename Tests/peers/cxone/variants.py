"""The variants: which SDK, which kind of chat, and which habits of user and phone."""

import random

PLATFORMS = ("ios", "android", "web")
MODES = ("single", "multi", "live")
HABITS = ("restart", "jitter", "other-order", "patient-user", "impatient-user")


class Variant:
    """One variant, and all choices that depend on it (the reasons stand in CHOICES.md)."""

    def __init__(self, name, scenario=""):
        parts = name.split("-", 2)
        self.name = name
        self.platform = parts[0]
        self.mode = parts[1] if len(parts) > 1 else ""
        self.habit = parts[2] if len(parts) > 2 else ""
        if self.platform not in PLATFORMS or self.mode not in MODES or self.habit not in ("",) + HABITS:
            raise ValueError(f"there is no variant {name}")
        self.draw = random.Random(f"{scenario} {name}")

    def is_habit(self, *names):
        """Whether the variant has one of these habits."""
        return self.habit in names

    # The person

    def reading(self):
        """Seconds that the person looks at something before the next step."""
        seconds = {"patient-user": 8, "impatient-user": 0.5}.get(self.habit, 2)
        return seconds + (self.draw.random() * 2 if self.habit == "jitter" else 0)

    def before_trying_again(self, attempt):
        """Seconds until the person taps again after an error."""
        if self.habit == "patient-user":
            return 30
        if self.habit == "impatient-user":
            return 2 * attempt
        return 5 * 2 ** (attempt - 1)

    def tries(self):
        """How often the person tries something in all."""
        return {"patient-user": 2, "impatient-user": 4}.get(self.habit, 3)

    def fresh_codes(self):
        """How often the app asks the brand for a fresh code after a refusal."""
        return 1 if self.platform == "web" or self.habit == "patient-user" else 2

    def refused_text_is_written_anew(self):
        """A refused message is a new one when it is written again; else its id stays."""
        return self.platform != "android"

    def silence_reopens_the_chat(self):
        """The app reopens the chat where a message stays without any answer: the Web SDK never closes a dead socket."""
        return self.platform == "web"

    # Where the page and the SDKs disagree

    def takes_any_visitor_status(self):
        """iOS reads no status of the visitor call; the page resets the state (C3)."""
        return self.platform == "ios" and self.habit == "jitter"

    def config_attempts(self):
        """How often one preparation asks for the configuration."""
        if self.platform == "ios":
            return 1 if self.is_habit("patient-user", "impatient-user") else 4
        return 5 if self.platform == "web" else 1

    def ends_contact_at_once(self):
        """iOS closes the thread before any answer; the page waits for it."""
        return self.platform == "ios" and not self.is_habit("patient-user", "other-order")

    def reopens_the_same_address(self):
        """iOS reconnects to the same address, whatever the age of the token in it."""
        return self.platform == "ios" and not self.is_habit("patient-user", "other-order")

    def failed_live_recover_is_fatal(self):
        """iOS tears down a failed live recover while the feature is on; in the page's spirit it is no failure."""
        return self.platform == "ios" and not self.is_habit("patient-user", "impatient-user")

    def ends_pages_in_their_visit(self):
        """The end of a page bears the visit that the page was seen in."""
        return self.is_habit("patient-user")

    def chat_hides_the_page(self):
        """The page view ends when the chat covers it."""
        return self.platform == "ios"

    def keeps_unrecovered_thread_id(self):
        """The app writes on in the thread that could not be recovered."""
        return self.platform == "web"
