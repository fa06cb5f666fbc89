"""Who gets the page, and whether everybody can read it."""

import pytest
import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from traffic import lively

AXE = Axe()
TOKEN = "s3cret-of-the-tests"


def status(server, path, **headers):
    answer = requests.get(server.url + path, headers={name.replace("_", "-"): value for name, value in headers.items()}, timeout=60, stream=True)
    answer.close()
    return answer.status_code


PATHS = ["/__sparring/", "/__sparring/default", "/__sparring/files/app.js", "/__admin/sandboxes/default/stream", "/__admin/sandboxes"]


@pytest.mark.short
@pytest.mark.parametrize("path", PATHS)
def test_pages_of_others_get_nothing(server, path):
    assert status(server, path, Accept="text/html") == 200
    own = {"Origin": server.url, "Sec_Fetch_Site": "same-origin"}
    assert status(server, path, **own) == 200
    assert status(server, path, Origin="http://evil.test") == 403
    assert status(server, path, Origin="null") == 403
    assert status(server, path, Origin=server.url.replace("http:", "https:").replace("127.0.0.1", "localhost")) == 403
    for site in ("cross-site", "same-site"):
        assert status(server, path, Sec_Fetch_Site=site) == 403
        # A frame or a script of another page; only the page itself may be opened by a link.
        assert status(server, path, Sec_Fetch_Site=site, Sec_Fetch_Mode="navigate", Sec_Fetch_Dest="iframe") == 403
    assert status(server, path, Host="evil.test") == 403


def test_no_frame_of_others_has_the_page(server, page):
    policy = requests.get(f"{server.url}/__sparring/", timeout=60).headers["Content-Security-Policy"]
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}
    assert rules["frame-ancestors"] == ["'none'"] and rules["default-src"] == ["'none'"] and rules["script-src"] == ["'self'"]
    assert "'unsafe-inline'" not in policy and "'unsafe-eval'" not in policy
    page.goto(f"{server.url}/__admin/health")
    framed = page.evaluate("""(url) => new Promise((done) => {
      const frame = document.createElement('iframe');
      frame.onload = () => { try { done(Boolean(frame.contentDocument?.querySelector('sp-stream'))); } catch { done(false); } };
      frame.src = url;
      document.body.append(frame);
    })""", f"{server.url}/__sparring/")
    assert not framed
    # Chromium says that it refused the frame, which is as it should be.
    page.complaints.clear()


def test_without_the_page(start):
    server = start("--no-tls", "--no-page")
    for path in ("/__sparring/", "/__sparring/default", "/__sparring/files/app.js", "/__sparring/files/page.css"):
        assert status(server, path, Accept="text/html") == 404, path
    answer = requests.get(server.url, headers={"Accept": "text/html"}, timeout=60)
    assert "<script" not in answer.text and "text/html" not in answer.headers.get("Content-Type", "")
    assert status(server, "/__admin/sandboxes") == 200


@pytest.fixture(scope="module")
def guarded(start):
    return start("--no-tls", "--admin-token", TOKEN)


def token_form(page):
    return page.get_by_role("dialog", name="Admin token")


def enter(page, token):
    form = token_form(page)
    form.get_by_label("Admin token").last.fill(token)
    page.keyboard.press("Enter")


def test_the_token_is_asked_for(guarded, page):
    assert status(guarded, "/__sparring/default") == 200
    assert status(guarded, "/__admin/sandboxes/default/stream") == 401
    assert status(guarded, "/__admin/sandboxes/default/stream", Authorization=f"Bearer {TOKEN}") == 200
    page.goto(f"{guarded.url}/__sparring/default")
    expect(token_form(page)).to_be_visible()
    enter(page, "wrong")
    expect(page.get_by_text("this is not the token of the admin API").first).to_be_visible()
    expect(token_form(page)).to_be_visible()
    enter(page, TOKEN)
    expect(page.connection).to_contain_text("live")
    expect(token_form(page)).to_be_hidden()
    page.reload()
    expect(page.connection).to_contain_text("live")
    expect(token_form(page)).to_be_hidden()
    assert TOKEN not in page.url and TOKEN not in page.content()
    # The token is this tab's alone.
    assert page.evaluate("localStorage.length + document.cookie.length") == 0


# Views, each as it is opened; what one opens stays open for the next where that is no matter.


def stream_alone(page, sandbox, ada):
    expect(page.stream.get_by_role("grid", name="Entries")).to_be_visible()


def on_entry(page, ada):
    page.select(ada.refusal)
    if page.narrow:
        page.views("Entry")


def tabs(page, sandbox, ada):
    """Each tab is a view of its own."""
    on_entry(page, ada)
    for tab in page.entry.get_by_role("tab").all():
        tab.click()
        expect(tab).to_have_attribute("aria-selected", "true")
        yield tab.inner_text()


def copy_menu(page, sandbox, ada):
    on_entry(page, ada)
    page.entry.get_by_text("Copy as").click()


def fault_form(page, sandbox, ada):
    on_entry(page, ada)
    page.entry.get_by_role("button", name="Arm a fault here").click()
    expect(page.entry).to_contain_text("sparring fault add")


def resend_form(page, sandbox, ada):
    on_entry(page, ada)
    page.entry.get_by_role("button", name="Resend changed").click()
    expect(page.entry.get_by_role("button", name="Send", exact=True)).to_be_visible()


def comparison(page, sandbox, ada):
    on_entry(page, ada)
    page.entry.get_by_role("button", name="Mark").click()
    page.store(f"store.select({ada.refusal - 1})")
    page.shows(ada.refusal - 1)
    page.entry.get_by_role("button", name=f"Compare with #{ada.refusal}").click()
    expect(page.entry).to_contain_text("differ")


def filtered(page, sandbox, ada):
    page.stream.get_by_role("searchbox", name="Filter").fill("refused nonsense:x")
    page.stream.locator("summary").first.click()


def unplaced(page, sandbox, ada):
    page.stream.get_by_role("button", name="Unplaced").click()
    expect(page.stream).to_contain_text("Why not?")


def world(page, sandbox, ada):
    if page.narrow:
        page.views("World")
    for pane in ("Conversations", "Devices & pushes", "Sockets", "Faults", "Scenario", "Tenants & credentials"):
        page.world.get_by_text(pane, exact=True).click()
    expect(page.world.get_by_role("log", name="Transcript")).to_contain_text("My card does not work")
    page.world.locator("[aria-expanded]").first.click()
    expect(page.world).to_contain_text("Your parcel waits")
    expect(page.world.get_by_role("button", name="Mint")).to_be_visible()
    page.world.get_by_text("Arm a fault", exact=True).first.click()


def verdict(page, sandbox, ada):
    if page.narrow:
        page.views("Verdict")
    else:
        page.verdict.locator("summary").first.click()
    expect(page.verdict.get_by_role("region", name="Rules")).to_contain_text("not exercised")
    page.evaluate("document.querySelectorAll('sp-verdict details').forEach((one) => { one.open = true; })")


def keys(page, sandbox, ada):
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()


def past(page, sandbox, ada):
    on_entry(page, ada)
    page.entry.get_by_role("button", name="World here").click()
    for pane in ("Conversations", "Devices & pushes", "Faults"):
        page.world.get_by_text(pane, exact=True).click()
    page.is_at(ada.refusal)
    expect(page.world).to_contain_text("Nobody has begun a conversation.")
    page.world.get_by_role("button", name="Fork from here").click()
    expect(page.world).to_contain_text("The new sandbox is")


def console(page, sandbox, ada):
    line = page.console_line.get_by_label("Command")
    for text in ("clock advance 1s", "fault nonsense"):
        line.fill(text)
        line.press("Enter")
    expect(page.console_line).to_contain_text("there is")


VIEWS = {
    "stream": stream_alone, "tab": tabs, "copy as": copy_menu, "fault form": fault_form,
    "resend form": resend_form, "comparison": comparison, "filter": filtered, "unplaced": unplaced,
    "world": world, "verdict": verdict, "past": past, "keys": keys, "console": console,
}  # fmt: skip


def violations(page):
    """What axe finds, as lines."""
    found = AXE.run(page.page).response["violations"]
    return [
        f"{one['id']} ({one['impact']}): {node['html'][:150]}  {' '.join(check['message'] for check in node['any'][:1])[:150]}"
        for one in found for node in one["nodes"][:3]
    ]  # fmt: skip


@pytest.fixture(scope="module")
def scene(server):
    sandbox = server.sandbox()
    return sandbox, lively(sandbox)


SCHEMES = [(scheme, width) for scheme in ("light", "dark") for width in (1400, 390)]


@pytest.mark.parametrize(("scheme", "width"), SCHEMES, ids=[f"{scheme}-{width}" for scheme, width in SCHEMES])
def test_axe_finds_nothing(scene, guarded, window, scheme, width):
    sandbox, ada = scene
    page = window(width, 900, color_scheme=scheme)
    page.narrow = width < 800
    views = page.get_by_role("navigation", name="Parts of the page")
    page.views = lambda name: views.get_by_role("button", name=name).click()
    wrong = []
    for name, view in VIEWS.items():
        page.open(sandbox)
        for part in view(page, sandbox, ada) or [""]:
            wrong += [f"{name} {part}: {line}" for line in violations(page)]
            if page.evaluate("document.documentElement.scrollWidth") > width:
                wrong.append(f"{name} {part}: the page is wider than the window")
    page.goto(f"{guarded.url}/__sparring/default")
    expect(token_form(page)).to_be_visible()
    wrong += [f"token form: {line}" for line in violations(page)]
    assert not wrong, "\n" + "\n".join(dict.fromkeys(wrong))
