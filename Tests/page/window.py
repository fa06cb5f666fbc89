"""A window of the browser, as the tests look at it."""

import re

from playwright.sync_api import expect

from server import until

STORE = "import('/__sparring/files/store.js').then(({ store }) => %s)"


class Window:
    """Forwards to Playwright's page, and keeps what the page complains about."""

    def __init__(self, browser, width, height, **more):
        self.context = browser.new_context(viewport={"width": width, "height": height}, **more)
        self.page = self.context.new_page()
        self.complaints = []
        self.page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        self.page.on("console", self.heard)

    def __getattr__(self, name):
        return getattr(self.page, name)

    def heard(self, message):
        # Chromium itself reports each answer that is not a success.
        if "Content Security Policy" in message.text or (message.type == "error" and "Failed to load resource" not in message.text):
            self.complaints.append(f"console: {message.text}")

    def close(self):
        self.context.close()
        return self.complaints

    def open(self, sandbox, query=""):
        """Opens a sandbox's page, and waits until it has all that the journal has."""
        self.goto(sandbox.page + query)
        self.caught_up(sandbox)
        return self

    def caught_up(self, sandbox, seconds=60):
        last = sandbox.last()
        self.until(f"store.last >= {last}", seconds)
        expect(self.connection).to_contain_text("live")

    def store(self, expression):
        """What an expression has that may use the page's `store`."""
        return self.evaluate(STORE % expression)

    def until(self, expression, seconds=30):
        until(lambda: self.store(f"Boolean({expression})"), seconds, expression)

    @property
    def connection(self):
        return self.page.get_by_role("banner").get_by_role("status")

    @property
    def stream(self):
        return self.page.locator("sp-stream")

    @property
    def entry(self):
        return self.page.locator("sp-entry")

    @property
    def world(self):
        return self.page.locator("sp-world")

    @property
    def verdict(self):
        return self.page.locator("sp-verdict")

    @property
    def console_line(self):
        return self.page.locator("sp-console")

    @property
    def follow(self):
        return self.stream.get_by_role("button", name="Follow")

    def row(self, number):
        return self.stream.locator(f"#entry-{number}")

    def shows(self, number):
        """Waits until the entry's column has this entry."""
        expect(self.entry.get_by_role("heading", level=2)).to_contain_text(f"#{number} ")

    def select(self, number):
        self.store(f"store.select({number})")
        self.shows(number)

    def travel(self, number):
        """Shows the world as it was at an entry."""
        self.select(number)
        self.entry.get_by_role("button", name="World here").click()
        self.is_at(number)

    def is_at(self, number):
        expect(self.world.get_by_role("status").first).to_contain_text(re.compile(f"as of entry {number}", re.IGNORECASE))
