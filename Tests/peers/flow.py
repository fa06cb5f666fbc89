"""What a flow is: a function that plays an app, on each platform in a sandbox of its own."""

from app import ANDROID, IOS, App
from brand import Brand
from peer import check

flows = []


def flow(both=None, ios=None, android=None, findings=(), **tenants):
    """Names a flow: `both` where it is the same on iOS and Android, else by platform; a platform without a name has no flow.

    `findings` are words of each finding that the journal must have in the end: well-behaved apps cause none. Further arguments configure
    the sandbox's tenants."""

    def add(play):
        for platform, own in ((IOS, ios), (ANDROID, android)):
            if name := both or own:
                flows.append((platform, name, f"{platform.name} {name}" if own else name, play, findings, tenants))
        return play

    return add


def play_all(words=()):
    """Plays those whose names have the words; returns how many, and the titles under which transcripts have them."""
    chosen = [each for each in flows if all(word in f"{each[0].name}: {each[1]}" for word in words)]
    for platform, name, _, play, findings, tenants in chosen:
        print(f"flow {platform.name}: {name}", flush=True)
        app = App(Brand(**tenants), platform)
        try:
            play(app)
            if app.window:
                app.window.close()
            found = app.brand.findings()
            expected = len(found) == len(findings) and all(word in str(one) for one, words in zip(found, findings) for word in words)
            check("the journal has the findings that it should, no more", expected, found)
        except BaseException:
            print(f"in flow {platform.name}: {name}", flush=True)
            raise
        app.brand.leave()
    return len(chosen), {title for _, _, title, *_ in chosen}
