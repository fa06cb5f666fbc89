"""Stories in which the agent writes while the messaging window is closed."""


def push_in_foreground(play, ada):
    """The agent writes while the app is open and the window closed; the user taps the banner, if there is one."""
    begun(play, ada)
    ada.agent_says("It will come today.")
    ada.push_comes(1, 60)
    ada.push_comes(2, 15)
    play.interlude(ada, opened=False)
    if not ada.device.banners:
        ada.app.go_to_background()
        ada.clock.wait(5)
        ada.app.come_to_foreground()
    ada.tap_banner()  # "Tapping the banner should be handled in the same way as pressing any messaging button"
    ada.see("It will come today.")
    ada.app.close_window()
    play.farewell(ada)


def push_in_background(play, ada):
    """The agent writes while the app is in the background; the user comes back to the app later, if no push has come."""
    begun(play, ada)
    ada.app.go_to_background()
    ada.agent_says("It will come today.")
    ada.push_comes(1, 40)
    ada.clock.wait(2)
    play.interlude(ada, opened=False)
    ada.app.come_to_foreground()
    ada.tap_banner()
    ada.see("It will come today.")
    ada.app.close_window()
    play.farewell(ada)


def read_before_the_push(play, ada):
    """The user reads the agent's message in the app before the push for it has come."""
    begun(play, ada)
    ada.agent_says("It will come today.")
    ada.clock.wait(5)
    ada.enter()
    ada.see("It will come today.")
    ada.app.close_window()
    play.interlude(ada, opened=False)
    ada.push_comes(1, 45)
    ada.clock.wait(2)
    play.farewell(ada)


def told_later(seconds):
    """The app is open and the window closed; sooner or later something is announced, and the user taps it and answers."""
    def story(play, ada):
        begun(play, ada)
        play.interlude(ada, opened=False)
        ada.app.wait_for(lambda: ada.device.banners, max(0, seconds - play.clock.elapsed()))
        ada.tap_banner()
        ada.converse("Thank you.", "You are welcome.")
        ada.app.close_window()
        play.farewell(ada)
    return story


def begun(play, ada):
    """A conversation with an agent in it, and the window closed again."""
    ada.arrive()
    ada.enter()
    ada.converse("Hello, where is my parcel?", "I will have a look.")
    ada.app.close_window()
