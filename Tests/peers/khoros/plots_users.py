"""Stories of users who come and go, and of pushes."""

from app import App
from plot_tools import USER, begin, end, greet, must, push_token, should


def another_user(world):
    token = push_token(world)
    first = begin(world, push_token=token)
    greet(world, first)
    if world.variant.pushes:
        first.background()
        deed = world.agent_says(USER, "One more thing")
        should(world, first.open_notification(world.newest_notification(token, deed)), "the vendor's push was not known as such")
        first.must_hear("One more thing")
    first.log_out()
    before = len(world.all_notifications(token)) if world.variant.pushes else 0
    second = switch_user(first, "leo")
    world.agent_says(USER, "Are you there, Mia?")
    second.say("Hi")
    world.agent_says("leo", "Hi Leo")
    second.must_hear("Hi Leo")
    should(world, not second.has("Are you there, Mia?"), "the second user reads what is the first one's")
    if world.variant.pushes:
        later = world.all_notifications(token)[before:]
        should(world, all(push["consumer"] == "leo" for push in later), "a push for the first user reached the device")
    end(second)


def switch_user(app, hint):
    """Another person takes the device; the installation of the app stays what it is."""
    app.hint = hint
    app.seen.clear()
    must(app.log_in(), "the second login failed")
    app.open()
    return app


def push_of_another_sender(world):
    user = "ada"
    token = push_token(world)
    app = begin(world, user, push_token=token)
    app.say("Hello")
    app.background()
    pushes = world.notifications(token, count=2, seconds=110)
    ours = [app.open_notification(push) for push in pushes]
    should(world, ours.count(True) == 1, f"of two pushes {ours.count(True)} were taken for Khoros'")
    app.must_hear("Your parcel waits")
    app.say("Thank you")
    end(app)


def push_token_refused(world):
    app = begin(world)
    greet(world, app)
    token = push_token(world)
    app.take_push_token(token)
    should(world, not app.tell_push_token(), "the token was taken at the first time")
    if world.variant.resends_token == "at-once":
        world.wait(2)
        should(world, app.tell_push_token(), "the token was not taken at the second time")
    else:
        app.restart()
        app.open()
    app.background()
    deed = world.agent_says(USER, "Your parcel is there")
    should(world, app.open_notification(world.newest_notification(token, deed)), "the vendor's push was not known as such")
    app.must_hear("Your parcel is there")
    end(app)


def made_by_the_first_message(world):
    app = begin(world)
    should(world, not app.messenger.app_user_id, "there is a user already")
    world.wait(5)
    greet(world, app)
    app.say("Where is my parcel?")
    app.restart()
    app.open()
    should(world, app.messenger.conversation_id, "the second login knows no conversation")
    world.agent_says(USER, "On its way")
    app.must_hear("On its way")
    end(app)


def anonymous_logs_in(world):
    app = App(world, USER, anonymous=True)
    must(app.start(), "the app is not active")
    app.say("Hello")
    world.agent_says(app.messenger.app_user_id, "Who are you?")
    app.must_hear("Who are you?")
    app.send_picture()
    app.close()
    must(app.log_in(), "the login failed")
    app.open()
    should(world, app.messenger.conversation_id, "the conversation did not come along")
    app.say("It is me, Mia")
    world.agent_says(USER, "Welcome, Mia")
    app.must_hear("Welcome, Mia")
    end(app)
