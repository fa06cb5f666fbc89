"""What users and agents do in each scenario. Nothing here knows what goes wrong: it is only about people."""
from push_stories import push_in_background, push_in_foreground, read_before_the_push, told_later

PKCE_BRANDS = ("brand-requires-pkce", "code-verifier-refused")  # every app of theirs is built for it
PHOTO = b"\x89PNG\r\n\x1a\n" + bytes(2000)


def chat(play, ada):
    """A user asks, an agent answers."""
    ada.arrive()
    ada.enter()
    ada.converse("Hello, where is my parcel?", "Good morning, I will have a look.")
    play.interlude(ada)
    ada.converse("Thank you.", "It will come today.")
    ada.app.close_window()
    play.farewell(ada)


def chat_with_pause(seconds):
    """As chat, with a long silence in which the window stays open."""
    def story(play, ada):
        ada.arrive()
        ada.enter()
        ada.converse("Hello, where is my parcel?", "Good morning, I will have a look.")
        play.interlude(ada)
        ada.until(seconds)
        ada.hear("It will come today.")
        ada.say("Thank you.")
        ada.app.close_window()
        play.farewell(ada)
    return story


def return_later(seconds):
    """A user talks to an agent, closes the window and opens it again later."""
    def story(play, ada):
        ada.arrive()
        ada.enter()
        ada.converse("Hello, where is my parcel?", "Good morning, I will have a look.")
        ada.app.close_window()
        play.interlude(ada, opened=False)
        ada.until(seconds)
        ada.enter()
        ada.converse("Any news?", "It will come today.")
        ada.app.close_window()
        play.farewell(ada)
    return story


def come_back_if_told(seconds):
    """Told that messaging does not work now, the user comes back to it after a while."""
    def story(play, ada):
        ada.app.log_in(ada.user)
        ada.app.settled()
        ada.until(seconds if ada.app.given_up else 0)
        ada.enter()
        ada.app.settled()
        ada.converse("Hello, where is my parcel?", "It will come today.")
        ada.app.close_window()
        play.farewell(ada)
    return story


def anonymous(play, nobody):
    """Somebody who never signs in talks for longer than the identity lives."""
    nobody.arrive()
    nobody.enter()
    nobody.converse("Do you deliver to islands?", "We do.")
    play.interlude(nobody)
    nobody.until(135)
    nobody.converse("Also at weekends?", "Also then.")
    nobody.app.close_window()


def look_around(play, ada):
    """A user goes about in the app, and talks if it is offered."""
    ada.arrive()
    places = [ada.app.navigate(place) for place in ("Parcels", "Offers", "Parcels")]
    if any(places):
        ada.tap()
        ada.app.close_window()
    play.farewell(ada)


def several_at_once(play, ada):
    """A user types fast."""
    ada.arrive()
    ada.enter()
    ada.say("Hello!", "Are you there?", "Where is my parcel?")
    play.interlude(ada)
    ada.hear("Good morning.", "I will have a look.", "It will come today.")
    ada.app.close_window()
    play.farewell(ada)


def agent_talks_much(play, ada):
    """An agent says one thing after the other."""
    ada.arrive()
    ada.enter()
    ada.say("Hello, where is my parcel?")
    ada.hear("Good morning.", "I will have a look.")
    play.interlude(ada)
    for number in range(1, 5):
        ada.say(f"Question {number}")
        ada.hear(f"Answer {number}", f"Addition {number}")
    ada.app.close_window()
    play.farewell(ada)


def photo(play, ada):
    """A user sends a photo."""
    ada.arrive()
    ada.enter()
    ada.converse("My parcel is damaged.", "Please send me a photo.")
    play.interlude(ada)
    ada.say("Here it is", photo=PHOTO)
    ada.hear("Oh dear.")
    ada.app.close_window()
    play.farewell(ada)


def log_in_again(seconds):
    """A user logs out, and logs in again later."""
    def story(play, ada):
        ada.arrive()
        ada.enter()
        ada.converse("Hello, where is my parcel?", "It will come today.")
        ada.app.close_window()
        ada.leave_app()
        ada.until(seconds)
        ada.arrive()
        ada.enter()
        ada.say("It has come.")
        ada.app.close_window()
        play.farewell(ada)
    return story


def start_again(seconds):
    """The app is ended by the system, and started again later."""
    def story(play, ada):
        ada.arrive()
        ada.enter()
        ada.converse("Hello, where is my parcel?", "I will have a look.")
        ada.app.close_window()
        ada.until(seconds)
        ada.restart()
        ada.enter()
        ada.converse("And?", "It will come today.")
        ada.app.close_window()
        play.farewell(ada)
    return story


def logged_out_by_the_brand(seconds):
    """The brand logs the user out elsewhere, while the window is open; some time after the app has, the user logs in again."""
    def story(play, ada):
        ada.arrive()
        ada.enter()
        ada.converse("Hello, where is my parcel?", "Good morning, I will have a look.")
        play.interlude(ada)
        play.brand_ends_session(ada)
        ada.is_logged_out()
        ada.until(seconds)
        ada.arrive()
        ada.enter()
        ada.converse("I am back.", "It will come today.")
        ada.app.close_window()
        play.farewell(ada)
    return story


STORIES = {
    "anonymous-identity-must-be-extended": anonymous,
    "brand-token-endpoint-down-for-a-minute": come_back_if_told(70),
    "device-clock-slow-by-five-minutes": return_later(250),
    "duplicate-push": push_in_foreground,
    "engagement-without-details": look_around,
    "half-open-socket": chat_with_pause(50),
    "idp-slow-then-503-then-well": return_later(36),
    "key-rotated-at-midnight": log_in_again(40),
    "logged-out-from-outside": logged_out_by_the_brand(80),
    "logged-out-on-another-device": chat_with_pause(66),
    "malformed-push": push_in_foreground,
    "message-never-distributed": agent_talks_much,
    "message-refused-as-too-many": several_at_once,
    "messages-out-of-order": agent_talks_much,
    "monitoring-down-for-good": look_around,
    "monitoring-loads-the-account": look_around,
    "push-arrives-30s-late": read_before_the_push,
    "push-never-arrives": push_in_background,
    "push-of-the-brands-own": told_later(110),
    "push-token-changes": told_later(110),
    "push-while-in-chat": chat_with_pause(126),
    "the-pusher-is-down-by-the-clock": start_again(61),
    "session-revoked-by-the-brand": chat_with_pause(66),
    "silent-socket-dropped-after-a-minute": chat_with_pause(135),
    "stale-badge": push_in_background,
    "token-expires-mid-conversation": chat_with_pause(130),
    "upload-url-expires": photo,
    "wifi-login-page": come_back_if_told(64),
}
