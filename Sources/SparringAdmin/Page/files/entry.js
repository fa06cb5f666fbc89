// The entry that is selected: what happened, why, and what one can do with it.

import { bad, blank, button, copy, div, facts, fill, fold, h, json, kbd, listen, muted, p, pre, red, row, span, strong, table } from './dom.js';
import { call } from './api.js';
import { here, run } from './actions.js';
import { body, compare, tree } from './body.js';
import { armForm, entryLink, form, input, part } from './forms.js';
import { store } from './store.js';
import { dot, tone } from './stream.js';
import { marksOf } from './verdict.js';

/** What a probe saw at the vendor. */
const seen = ({ time, hosts, differences }) =>
  `${time.slice(0, 10)} at ${hosts.join(', ')}: ${differences.length ? differences.join('; ') : 'as the vendor'}`;
const lines = (text = '') => text.split('\n').filter(Boolean);

/** What one can do while nothing is chosen: before the first call, and then. */
function guide(says) {
  const command = `sparring env --sandbox ${store.sandbox} --url ${location.origin}`;
  const filter = (text) => () => store.turn('filter', text);
  return h('div.panel.guide', { 'data-says': says }, !store.isNew ? blank('Choose an entry',
    p('Click a line of the stream, or press ', kbd('j', 'k'), 'to see its request, its answer and the reason here.'),
    row(button('Newest entry', () => store.select(store.last)), button('Refused calls', filter('refused')),
      button('Struck by a fault', filter('fault'))),
    h('dl.keys', Object.entries({ '/': 'filter the stream', f: 'arm a fault at the entry', r: 'send its request again',
      w: 'the world as it was then', ':': 'any command', '?': 'all keys' }).map(([key, says]) => h('div', h('dt', kbd(key)), h('dd', says)))))
    : blank('Waiting for the first call', p('Point your client at this sandbox. Its addresses, ids and keys are printed by'),
      row(h('code.grow', command), button('Copy', () => copy(command))),
      p('What your client then sends appears in the stream.')));
}

class Entry extends HTMLElement {
  #entry = null;
  #tab = store.state.tab ?? 'summary';
  #marked = Number(store.state.marked) || null;
  #extra = h('div.extra');
  #panel = h('div.panel', { role: 'tabpanel', id: 'panel', tabindex: 0 });
  #tabs = {
    summary: () => this.#summary(this.#entry), request: ({ request }) => this.#message(request, 'body:'),
    response: ({ answer }) => this.#message(answer, 'answer:'), token: (entry) => this.#tokens(entry),
    contract: (entry) => this.#contract(entry), JSON: tree,
  };

  connectedCallback() {
    const read = () => this.#read();
    listen(store, {
      selected: read, info: () => this.#entry ?? read(), verdict: () => this.#tab === 'summary' && this.tab(),
      // The first call has come, or it is known that there was none.
      entries: () => store.selected || this.#guide(), opened: () => store.selected || this.#guide(),
    });
    this.#read();
  }

  async #read() {
    const number = store.selected;
    this.#entry = null;
    this.close();
    if (!number) this.#guide();
    if (!number || !store.sandbox) return;
    try {
      const entry = await store.entry(number);
      if (store.selected !== number) return;
      this.#entry = entry;
      this.#draw();
    } catch (error) { fill(this, bad(error)); }
  }

  /** Made only when it says something else: the focus may be in it. */
  #guide() {
    const says = `${store.sandbox} ${store.isNew}`;
    if (this.querySelector('.guide')?.dataset.says !== says) fill(this, guide(says));
    this.parentElement.classList.add('free');
  }

  #draw() {
    const { number, kind, operation, answer } = this.#entry;
    const isMarked = this.#marked === number;
    this.parentElement.classList.remove('free');
    const menu = fold('Copy as', div(Object.entries(this.#copies()).map(([name, text]) => text && button(name, () => {
      this.copy(text);
      menu.open = false;
    }))));
    fill(this, h('h2', `#${number} `, h('span.muted', kind), ` ${operation ?? ''} `,
      h('span', { class: tone({ ...answer }) }, answer?.status, ' ', answer?.name)),
    h('div.bar', menu, kind === 'exchange' && [button('Resend', () => this.resend()), button('Resend changed…', () => this.#change())],
      operation && button('Arm a fault here…', () => this.arm()), button('World here', () => this.travel()),
      button('Mark', () => this.mark(), { 'aria-pressed': String(isMarked) }),
      this.#marked && !isMarked && button(`Compare with #${this.#marked}`, () => this.compare())),
    h('div.tabs', { role: 'tablist', 'aria-label': 'Parts of the entry' }, Object.keys(this.#tabs).map((name) =>
      button(name[0].toUpperCase() + name.slice(1), () => this.tab(name), { role: 'tab', id: `tab-${name}`, 'aria-controls': 'panel' }))),
    this.#extra, this.#panel);
    this.tab();
  }

  tab(name = this.#tab) {
    this.#tab = Object.hasOwn(this.#tabs, name) ? name : 'summary';
    store.set({ tab: this.#tab === 'summary' ? null : this.#tab });
    if (!this.#entry) return;
    for (const each of this.querySelectorAll('[role=tab]')) {
      const isThis = each.id === `tab-${this.#tab}`;
      each.setAttribute('aria-selected', String(isThis));
      each.tabIndex = isThis ? 0 : -1;
    }
    this.#panel.setAttribute('aria-labelledby', `tab-${this.#tab}`);
    fill(this.#panel, this.#tabs[this.#tab](this.#entry));
  }

  turn(by) {
    const names = Object.keys(this.#tabs);
    const isFocused = document.activeElement.role === 'tab';
    this.tab(names.at((names.indexOf(this.#tab) + by) % names.length));
    if (isFocused) this.querySelector('[aria-selected=true]').focus();
  }

  #summary({ number, cause, findings = [], lane, ordinal, causedBy: by, request, answer = {}, arrival, ...entry }) {
    const parent = store.heads.get(number)?.parent;
    return [
      p(cause), findings.map(({ words }) => h('p.warn', `⚠ ${words}`)),
      marksOf(number).map(({ rule, isBad, isAdvice, attempt }) => h('p', { class: !isBad ? 'ok' : isAdvice ? 'warn' : 'bad' },
        `${!isBad ? '✓ keeps' : isAdvice ? '! against advice' : '✗ breaks'} ${rule}${attempt ? `, attempt ${attempt}` : ''}`)),
      facts({
        Lane: lane && [dot(lane), lane, ordinal && `, call ${ordinal}`], Person: entry.actor, Code: entry.causeCode,
        Outcome: answer.outcome, Delivery: answer.delivery, Received: answer.received,
        Faults: entry.faults?.join(), Effects: entry.effects?.join(),
        'Caused by': by && [parent > 0 && entryLink(parent), ` ${by.operation}, call ${by.ordinal} of ${by.lane}`],
        'Sandbox time': entry.sandboxTime, Arrived: arrival.wall, Connection: request?.connection,
        Answered: arrival.answered && `after ${span((arrival.answered - arrival.monotonic) / 1e6)}`,
      }),
      entry.varied && [h('h3', 'Varied'),
        table(['id', 'place', 'what'], entry.varied.map(({ id, place = '', words }) => [id, place, words]))],
      entry.details && tree(entry.details),
    ];
  }

  #message(message, place) {
    if (!message) return muted('This entry has none.');
    const { method = '', target = '', status = '', name = '', headers, bodySize } = message;
    const { findings = [], varied = [] } = this.#entry;
    const flags = findings.filter((finding) => finding.place?.startsWith(place))
      .map((finding) => ({ pointer: finding.place.slice(place.length), words: `⚠ ${finding.words}`, style: 'warn' }));
    if (place === 'answer:') flags.push(...varied.map(({ place: pointer, words }) => ({ pointer, words: `≈ ${words}`, style: 'muted' })));
    return [h('code', `${method || status} ${target || name}`), facts(headers),
      bodySize && red(`Only the beginning of ${bodySize} bytes was kept.`),
      body(message, flags)];
  }

  #tokens({ number }) {
    const place = div();
    here('GET', `journal/${number}/export?as=tokens`).then((text) => fill(place, pre(text)), (error) => fill(place, muted(error.message)));
    return place;
  }

  #contract({ findings = [], operation, answer }) {
    const place = div();
    if (operation) {
      call('GET', `operations/${part(operation)}`).then((found) => fill(place, p(found.summary),
        facts({
          Operation: operation, Path: found.path && `${found.method} ${found.path}`, Channel: found.channel, Fidelity: found.fidelity + (found.stub ? ', a stub' : ''), Live: found.live && seen(found.live),
          Source: found.source, Contract: found.file && `${found.file}:${found.line}`,
        }),
        table(['answer', 'status', 'outcome', 'example'], found.answers.map(({ name, status, outcome, example }) => [
          name === answer?.name ? strong(name) : name, status, outcome, example !== undefined && json('example', example)]))),
      (error) => fill(place, bad(error)));
    }
    return [findings.map(({ words, code, place: where, contract: at, overlay }) => h('section.card', h('p.warn', `⚠ ${words}`),
      facts({ Code: code, Place: where, Contract: at && `${at.file ?? at.document}:${at.line} ${at.path}` }),
      overlay && json('An overlay that would allow it', overlay))), place];
  }

  // Actions. What they show stands above the tab, until it is closed or another entry is selected.

  /** Texts, and of what the server writes the words that ask for it. */
  #copies() {
    const { number, kind, request, answer } = this.#entry;
    const as = (form) => ['journal', 'show', number, '--as', form];
    return {
      .../^(exchange|outbound)$/.test(kind) ? { curl: as('curl'), Python: as('python'), 'Swift test': as('swift') }
        : { Message: request?.body }, Answer: answer?.body,
      'Scenario step': /^(configuration|fault)$/.test(kind) && as('step'), JSON: JSON.stringify(this.#entry, null, 2),
    };
  }

  copy(text = this.#entry && Object.values(this.#copies()).find(Boolean)) {
    if (text) copy(Array.isArray(text) ? run(text) : text);
  }

  resend() {
    const { kind, number } = this.#entry ?? {};
    if (kind === 'exchange') run(['journal', 'resend', number]).then((result) => this.#resent(result), (error) => this.#put('Not sent', bad(error)));
  }

  #resent({ number, status = '', delivery }) {
    this.#put('Sent again', p({ role: 'status' }, `${delivery} ${status} `, number && entryLink(number)));
  }

  #change() {
    const { number, request: { method, target, headers, body: sent = '' } } = this.#entry;
    const before = { method, target, headers: Object.entries(headers).map((pair) => pair.join(': ')).join('\n'), body: sent };
    // What is a single line has a field of a single line.
    const rows = { headers: 5, body: Math.min(12, Math.max(3, sent.split('\n').length)) };
    const fields = Object.keys(before).map((name) => input(name, { rows: rows[name], class: 'mono' }));
    const element = form('Send', 'journal resend', fields, (after) => [
      // Only what differs is sent, so that the command line says no more than it must.
      number, ...Object.keys(before).filter((name) => (after[name] ?? '') !== before[name]).flatMap((name) => (name !== 'headers'
        ? `--${name}=${after[name] ?? ''}`
        : lines(after.headers).filter((one) => !lines(before.headers).includes(one)).map((one) => `--header=${one}`))),
    ], (result) => this.#resent(result));
    for (const [name, value] of Object.entries(before)) {
      element.elements[name].value = value;
      // A field has its own ends of lines.
      before[name] = element.elements[name].value;
    }
    this.#put(`Send #${number} again, changed`, element);
  }

  arm() { if (this.#entry?.operation) this.#put('Arm a fault', armForm(this.#entry)); }

  travel() { if (this.#entry) store.turn('at', this.#entry.number); }

  mark() {
    if (!this.#entry) return;
    this.#marked = this.#marked === this.#entry.number ? null : this.#entry.number;
    store.set({ marked: this.#marked });
    this.#draw();
  }

  async compare() {
    if (this.#marked && this.#entry) {
      const [entry, marked] = [this.#entry, await store.entry(this.#marked).catch(bad)];
      this.#put(`#${this.#marked} (−) and #${entry.number} (+)`, marked.number ? compare(marked, entry) : marked);
    }
  }

  #put(title, element) {
    const close = button('×', () => this.close(), { 'aria-label': 'Close', title: 'Close (Esc)' });
    fill(this.#extra, row(h('h3.grow', title), close), element);
    (element.querySelector('input, textarea') ?? close).focus();
  }

  close() {
    const had = this.#extra.hasChildNodes();
    fill(this.#extra);
    return had;
  }
}

customElements.define('sp-entry', Entry);
