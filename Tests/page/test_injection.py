"""What clients send is text, whatever it looks like and wherever it is shown."""

import http.client
import json
import urllib.parse

import pytest
from playwright.sync_api import expect

from traffic import Consumer

TEXTS = [
    # Tags
    "<script>window.__x=1</script>",
    "</script><script>window.__x=1</script>",
    "<ScRiPt src=/__sparring/files/app.js>window.__x=1</sCrIpT >",
    "<script type=module>window.__x=1</script>",
    "<scr<script>ipt>window.__x=1</scr</script>ipt>",
    "<img src=x onerror=window.__x=1>",
    "<img/src/onerror=window.__x=1>",
    '<img src="x:x" onerror="window.__x=1">',
    "<image src=x onerror=window.__x=1>",
    "<iframe srcdoc='<script>parent.__x=1</script>'></iframe>",
    "<iframe src=javascript:parent.__x=1>",
    "<object data=javascript:window.__x=1></object>",
    "<embed src=javascript:window.__x=1>",
    "<video><source onerror=window.__x=1></video>",
    "<audio src=x onerror=window.__x=1>",
    "<body onload=window.__x=1>",
    "<details open ontoggle=window.__x=1>",
    "<input autofocus onfocus=window.__x=1>",
    "<marquee onstart=window.__x=1>",
    "<sp-entry onclick=window.__x=1></sp-entry><sp-evil></sp-evil>",
    "<form action=javascript:window.__x=1><button>go</button></form>",
    "<base href=//example.test/><script src=x.js></script>",
    "<meta http-equiv=refresh content='0;url=javascript:window.__x=1'>",
    "<link rel=stylesheet href=data:text/css,*{display:none}>",
    "<plaintext><xmp><!--<script>window.__x=1//-->",
    # Attributes that end early
    '" onmouseover="window.__x=1',
    "' onfocus='window.__x=1' autofocus='",
    '"><img src=x onerror=window.__x=1>',
    "'><svg onload=window.__x=1>",
    "` onerror=`window.__x=1",
    '" style="animation:x" onanimationstart="window.__x=1',
    # SVG, MathML, templates
    "<svg onload=window.__x=1>",
    "<svg><script>window.__x=1</script></svg>",
    "<svg><animate onbegin=window.__x=1 attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:window.__x=1><text y=20>x</text></a></svg>",
    "<svg><use href='data:image/svg+xml,<svg id=x onload=window.__x=1/>#x'>",
    "<math><mtext></p><style><!--</style><img title=\"--><img src=x onerror=window.__x=1>\">",
    "<template><script>window.__x=1</script></template>",
    "<div><template shadowrootmode=open><script>window.__x=1</script></template></div>",
    "<noscript><p title='</noscript><img src=x onerror=window.__x=1>'>",
    "{{constructor.constructor('window.__x=1')()}}",
    "${window.__x=1}",
    "#{window.__x=1}<%= window.__x=1 %>",
    # URLs and CSS
    "javascript:window.__x=1",
    "JaVaScRiPt:window.__x=1//http://",
    "data:text/html,<script>opener.__x=1</script>",
    "//example.test/%3Cscript%3E",
    "</style><style>*{display:none}</style>",
    "x;background:url(javascript:window.__x=1)}*{display:none",
    "@import '//example.test/x.css';",
    # Unicode and control characters
    "\u202e<script>window.__x=1</script>\u2066",
    "\uff1cscript\uff1ewindow.__x=1\uff1c/script\uff1e",
    "<\u200bscript>window.__x=1</\u200bscript>",
    "\u2028window.__x=1\u2029",
    "Z\u0351\u0321\u0322\u034d\u0347a\u0306\u0308lgo \U0001f642\U0001f3fd\u200d\U0001f525 \ufeff",
    # JSON and names of prototypes
    '"}]}</script><script>window.__x=1</script>',
    '{"__proto__":{"polluted":1,"innerHTML":"<img src=x onerror=window.__x=1>"}}',
    "__proto__",
    "constructor",
    "toString');window.__x=1;('",
]
# Before anything else of the page: what is made, and what is refused by the policy of the page.
INIT = """
globalThis.made = [];
globalThis.violations = [];
const evil = /^(script|img|image|svg|iframe|object|embed|video|audio|link|style|meta|base|template|math|marquee|plaintext|xmp|noscript|sp-evil)$/;
const look = (element) => {
  const isOwn = element.closest('head') || element.textContent === 'This page needs JavaScript.';
  if (evil.test(element.localName) && !isOwn) made.push(element.outerHTML.slice(0, 200));
  for (const { name, value } of element.attributes ?? []) {
    if (/^on/.test(name) || /^(javascript|data):/i.test(value) && name !== 'value' && name !== 'title' && !name.startsWith('data-')
      && !name.startsWith('aria-')) made.push(`${element.localName} ${name}=${value}`.slice(0, 200));
  }
};
document.addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile, sample }) =>
  violations.push(`${violatedDirective} ${sourceFile} ${sample}`));
new MutationObserver((records) => {
  if (document.readyState === 'loading') return;
  for (const { addedNodes } of records) {
    for (const node of addedNodes) if (node.nodeType === 1) [node, ...node.querySelectorAll('*')].forEach(look);
  }
}).observe(document, { childList: true, subtree: true });
"""

COUNT = "[...document.querySelectorAll('script, img, svg, iframe, object, embed, style, link, meta, base, template')].map((one) => one.localName).sort()"

# Opens an entry, and each of its tabs.
TABS = """async ([from, to]) => {
  const { store } = await import('/__sparring/files/store.js');
  const frame = () => new Promise(requestAnimationFrame);
  const tabs = () => [...document.querySelectorAll('sp-entry [role=tab]')];
  let [panels, telling] = [0, 0];
  for (const number of [...store.heads.keys()].filter((one) => one >= from && one <= to)) {
    store.select(number);
    for (let left = 600; left && !document.querySelector('sp-entry h2')?.textContent.includes(`#${number} `); left -= 1) await frame();
    for (let at = 0; at < tabs().length; at += 1) {
      tabs()[at].click();
      panels += 1;
      telling += document.querySelector('sp-entry [role=tabpanel]').textContent.includes('window.__x') ? 1 : 0;
    }
    for (const at of [1, 2]) {
      tabs()[at].click();
      for (let button = 0; button < 3; button += 1) document.querySelectorAll('sp-entry [role=tabpanel] button')[button]?.click();
    }
    tabs()[0]?.click();
  }
  return [panels, telling];
}"""


class Wire:
    """Calls as they stand, without what a client's library would make of them."""

    def __init__(self, sandbox):
        self.wire = http.client.HTTPConnection("127.0.0.1", sandbox.server.port, timeout=60)

    def send(self, method, target, body=b"", **headers):
        # Only what can stand in no head at all is escaped.
        target = "".join(one if "!" <= one <= "~" else urllib.parse.quote(one) for one in target)
        self.wire.putrequest(method, target, skip_accept_encoding=True)
        for name, value in {"content_length": str(len(body)), **headers}.items():
            self.wire.putheader(name.replace("_", "-"), "".join(one if one >= " " else "?" for one in value).strip().encode())
        self.wire.endheaders(body)
        try:
            answer = self.wire.getresponse()
            answer.read()
            if answer.will_close:
                self.wire.close()
            return answer.status
        except (http.client.HTTPException, OSError):
            self.wire.close()
            return None


def attack(sandbox, texts):
    """Puts each text into every field that a client controls. Returns a consumer whose socket is open."""
    wire = Wire(sandbox)
    identity = urllib.parse.urlsplit(sandbox.tenants["identity"]["tokenEndpoint"]).path
    account = f"/api/account/{sandbox.tenants['liveperson']['accountId']}"
    ada = Consumer(sandbox).talk()
    for at, text in enumerate(texts):
        quoted = urllib.parse.quote(text)
        wire.send("GET", f"{account}/service/{text}/baseURI.json?version=1.0")
        wire.send("GET", f"{account}/service/idp/baseURI.json?version=1.0&{text}={text}")
        wire.send("GET", f"{account}/service/idp/baseURI.json?version=1.0", X_Note=text, User_Agent=text, Referer=text)
        wire.send("GET", f"{account}/service/idp/baseURI.json?version=1.0", X_Sparring_Lane=text)
        told = json.dumps({"id_token": text, text: {text: [text]}}).encode()
        wire.send("POST", f"{account}/app/default/authenticate?v=2.0", told, Content_Type="application/json")
        form = f"grant_type=authorization_code&code={quoted}&{quoted}={quoted}".encode()
        wire.send("POST", identity, form, Content_Type="application/x-www-form-urlencoded")
        wire.send("POST", f"{account}/app/default/authenticate?v=2.0", text.encode(), Content_Type=f"text/html; charset={text}")
        wire.send("GET", f"/nowhere/{text}?{text}", Host=f"127.0.0.1:{sandbox.server.port}")
        wire.send("PUT", f"{account}/nowhere/{text}", told, Content_Type=text)
        ada.say(text)
        ada.request("cm.ConsumerRequestConversation", {"ttrDefName": text, text: text})
        ada.request(text, {text: text})
        mark = {"mark": text[:100], "lane": text, "device": text, text if text not in ("mark", "lane", "device") else "x": {text: text}}
        sandbox.call("POST", "journal/marks", mark)
        if at % 6 == 0:
            # Signing in and registering take longer.
            Consumer(sandbox, text).register(text).talk().say(text)
            sandbox.call("POST", "liveperson/push", {"consumer": text, "text": text})
            sandbox.call("POST", "liveperson/agent/say", {"consumer": text, "text": text})
    return ada


def clean(page):
    """Nothing of the texts was taken for anything but text."""
    assert page.evaluate("[typeof __x, typeof ({}).polluted, made, violations]") == ["undefined", "undefined", [], []]


def visit(page, sandbox):
    """Opens each view."""
    stream = page.stream
    stream.get_by_role("grid").focus()
    for _ in range(sandbox.last() // 10):
        page.keyboard.press("PageUp")
    clean(page)

    stream.get_by_role("button", name="Unplaced").click()
    expect(stream.get_by_role("region", name="Calls that matched nothing")).to_contain_text("Why not?")
    for details in stream.get_by_role("region", name="Calls that matched nothing").locator("details").all()[:20]:
        details.locator("summary").click()
    stream.get_by_role("button", name="Unplaced").click()
    clean(page)

    last = sandbox.last()
    panels, telling = page.evaluate(TABS, [1, last])
    assert panels >= 5 * last and telling > last / 2, (panels, telling, last)
    clean(page)

    for pane in ("Conversations", "Devices & pushes", "Sockets", "Faults", "Scenario", "Tenants & credentials"):
        page.world.get_by_text(pane, exact=True).click()
    expect(page.world.get_by_role("log", name="Transcript")).to_be_visible()
    people = page.world.locator("details", has=page.get_by_role("log", name="Transcript"))
    for each in people.locator("[aria-pressed]").all():
        each.click()
    devices = page.world.locator("[aria-expanded]")
    expect(devices.first).to_be_visible()
    for at in range(devices.count()):
        devices.nth(at).click()
        expect(devices.nth(at)).to_have_attribute("aria-expanded", "true")
    clean(page)

    page.travel(last)
    expect(page.world.get_by_role("log", name="Transcript")).to_be_visible()
    clean(page)
    page.world.get_by_role("button", name="Back to now").click()

    page.verdict.locator("summary").first.click()
    expect(page.verdict.get_by_role("region", name="Rules")).to_contain_text("not exercised")
    page.evaluate("document.querySelectorAll('sp-verdict details').forEach((one) => { one.open = true; })")
    clean(page)


def mention(page, sandbox, texts):
    """Takes the texts through what one types, and what acts on an entry."""
    line = page.console_line.get_by_label("Command")
    search = page.stream.get_by_role("searchbox", name="Filter")
    for text in texts:
        search.fill(text)
        search.fill(f'operation:"{text}"')
        line.fill(f"{text} ")
        line.press("Tab")
        line.fill(f"journal mark '{text}")
        line.press("Enter")
        line.fill(f"fault add {text}")
        line.press("Enter")
        line.fill("")
    search.fill("")
    numbers = [entry["number"] for entry in sandbox.entries() if entry["kind"] == "exchange" and entry.get("operation")]
    for number in numbers[5::40]:
        page.select(number)
        page.stream.get_by_role("grid").focus()
        page.keyboard.press("m")
        page.entry.get_by_role("button", name="Resend changed").click()
        page.entry.get_by_role("button", name="Send", exact=True).click()
        page.entry.get_by_role("button", name="Arm a fault here").click()
        page.entry.get_by_text("Copy as").click()
        page.store(f"store.select({number} - 1)")
        page.shows(number - 1)
        page.entry.get_by_role("button", name=f"Compare with #{number}").click()
        expect(page.entry).to_contain_text("differ")
    clean(page)


def attacked(window, server, texts):
    sandbox = server.sandbox()
    ada = attack(sandbox, texts)
    one = window()
    one.add_init_script(INIT)
    one.open(sandbox)
    before = one.evaluate(COUNT)
    visit(one, sandbox)
    mention(one, sandbox, texts)
    assert one.evaluate(COUNT) == before
    assert any(texts[0] in str(head) for head in one.store("[...store.heads.values()].map(({ cause, target, lane }) => [cause, target, lane])"))
    ada.wire.close_socket()


@pytest.mark.short
def test_a_few_texts(window, server):
    attacked(window, server, TEXTS[::12])


def test_all_texts(window, server):
    assert len(TEXTS) == len(set(TEXTS)) >= 60
    attacked(window, server, TEXTS)
