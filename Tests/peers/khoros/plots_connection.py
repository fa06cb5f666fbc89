"""Stories of JWTs, logins and realtime. Each raises StoryFailed where a good client would have come further."""

import threading

from app import App
from plot_tools import USER, begin, end, greet, join_on_tablet, must, push_token, should


def chat_a_little(world):
    """Log in and chat: for stories where the trouble is at the login."""
    app = begin(world)
    greet(world, app)
    tablet = join_on_tablet(world, app)
    app.say("Where is my parcel?")
    world.agent_types(USER)
    world.agent_says(USER, "On its way")
    app.must_hear("On its way")
    if tablet:
        tablet.must_hear("On its way")
    end(app, tablet)


def jwt_expires(world):
    app = begin(world)
    greet(world, app)
    tablet = join_on_tablet(world, app)
    if world.variant.leaves:
        app.background()
    world.wait(125)
    if world.variant.leaves:
        app.foreground()
    ask_late(app)
    world.agent_says(USER, "Yes, I am")
    app.must_hear("Yes, I am")
    if tablet:
        tablet.must_hear("Yes, I am")
        tablet.say("Good")
        app.must_hear("Good")
    end(app, tablet)


def ask_late(app):
    """The first call after a long time. Some apps make several at once."""
    others = []
    if app.variant.at_once:
        others = [threading.Thread(target=app.messenger.fetch_messages), threading.Thread(target=app.messenger.read_user)]
    for other in others:
        other.start()
    app.say("Are you still there?")
    for other in others:
        other.join()
    app.care_for_new_jwt()


def no_jwt_is_taken(world):
    app = App(world, USER)
    must(app.start(), "the app is not active")
    must(not app.log_in(), "the login went well")
    # The user looks at the failure; nothing is called any more.
    world.wait(30)


def realtime_dropped(world):
    app = begin(world)
    greet(world, app)
    tablet = join_on_tablet(world, app)
    monitor = app.monitor
    should(world, monitor.lost.wait(world.real(60) + 2) or tablet and tablet.monitor.lost.is_set(), "the socket was not dropped")
    world.agent_says(USER, "Did I lose you?")
    app.must_hear("Did I lose you?", 30)
    world.agent_says(USER, "There you are")
    app.must_hear("There you are")
    if tablet:
        tablet.must_hear("Did I lose you?")
        tablet.must_hear("There you are")
    app.say("I am here")
    end(app, tablet)


def realtime_forgotten(world):
    app = begin(world)
    greet(world, app)
    tablet = join_on_tablet(world, app)
    # The second connect is answered at once or after the long poll; then realtime must be there again.
    world.wait(60)
    world.agent_says(USER, "Still here")
    app.must_hear("Still here")
    if tablet:
        tablet.must_hear("Still here")
    app.say("So am I")
    end(app, tablet)


def second_device(world):
    phone = begin(world)
    greet(world, phone)
    phone.send_picture()
    tablet = begin(world, device="tablet")
    should(world, tablet.has("Hello") and tablet.has("How can I help?"), "the tablet does not show the conversation")
    tablet.messenger.list_conversations()
    tablet.messenger.update_user({"givenName": "Mia", "properties": {"tablet": True}})
    phone.say("I am on two devices")
    tablet.must_hear("I am on two devices")
    tablet.say("Here I am too")
    phone.must_hear("Here I am too")
    world.agent_says(USER, "I see both")
    phone.must_hear("I see both")
    tablet.must_hear("I see both")
    if world.variant.redeems_code:
        come_in_by_code(world)
    tablet.log_out()
    world.agent_says(USER, "And on the phone?")
    phone.must_hear("And on the phone?")
    end(phone)


def come_in_by_code(world):
    """The user's browser, say, hands them over to the app on a third device."""
    code = world.admin("POST", "khoros/users/auth-code", {"consumer": USER, "lifetime": "10m"})["code"]
    watch = App(world, USER, device="watch")
    must(watch.start(), "the app is not active")
    watch.messenger.redeem_code(code)
    watch.messenger.read_user()
    watch.open()
    must(watch.has("Hello"), "the watch does not show the conversation")
    watch.close()


def subscription_refused(world):
    token = push_token(world)
    app = begin(world, push_token=token)
    app.say("Hello")
    world.agent_says(USER, "How can I help?")
    app.must_hear("How can I help?")
    tablet = join_on_tablet(world, app)
    app.say("Where is my parcel?")
    world.agent_says(USER, "On its way")
    app.must_hear("On its way")
    if tablet:
        tablet.must_hear("On its way")
    end(app, tablet)
