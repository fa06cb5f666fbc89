"""Pictures of the page with a lively sandbox, wide, less wide and narrow, light and dark.

    screenshots.py FOLDER --binary .build-test/debug/sparring
"""

import argparse
import tempfile
from functools import partial
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from server import ROOT, Server
from traffic import lively
from window import Window


def open_world(page):
    for pane in ("Conversations", "Devices & pushes", "Sockets", "Faults"):
        page.world.get_by_text(pane, exact=True).click()
    expect(page.world.get_by_role("log", name="Transcript")).to_contain_text("My card does not work")


def open_verdict(page):
    page.verdict.locator("summary").first.click()
    expect(page.verdict.get_by_role("region", name="Rules")).to_contain_text("not exercised")


def picture(page, folder, kind, name):
    page.screenshot(path=folder / f"{kind}-{name}.png")


def wide(page, ada, picture):
    page.select(ada.refusal)
    open_world(page)
    picture("refusal")
    page.entry.get_by_role("button", name="Arm a fault here").click()
    expect(page.entry).to_contain_text("sparring fault add")
    picture("fault")
    page.entry.get_by_role("tab", name="Request").click()
    page.travel(11)
    expect(page.world).to_contain_text("No fault is armed.")
    picture("past")
    page.world.get_by_role("button", name="Back to now").click()
    open_verdict(page)
    picture("verdict")


def narrow(page, ada, picture):
    views = page.get_by_role("navigation", name="Parts of the page")
    picture("stream")
    page.select(ada.refusal)
    picture("entry")
    views.get_by_role("button", name="World").click()
    open_world(page)
    picture("world")
    views.get_by_role("button", name="Verdict").click()
    expect(page.verdict.get_by_role("region", name="Rules")).to_contain_text("not exercised")
    picture("verdict")


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--binary", default=str(ROOT / ".build-test/debug/sparring"))
    options.add_argument("--chromium", default="/usr/bin/chromium")
    given = options.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = Server(given.binary, folder, "--no-tls")
        browser = playwright.chromium.launch(executable_path=given.chromium, args=["--no-sandbox"])
        try:
            sandbox = server.sandbox("checkout")
            ada = lively(sandbox)
            for scheme in ("light", "dark"):
                for width, views in ((1400, wide), (1000, wide), (390, narrow)):
                    page = Window(browser, width, 900 if width > 800 else 844, color_scheme=scheme).open(sandbox)
                    views(page, ada, partial(picture, page, given.folder, f"{width}-{scheme}"))
                    page.close()
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
