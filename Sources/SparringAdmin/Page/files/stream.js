// The stream: all entries of the journal that the filter lets through, one line each, and the calls that matched nothing. Only the rows on
// screen exist, and they never move while one looks at them.

import { blank, button, copy, facts, fill, fold, h, listen, muted, p, row as line, span, strong, thousands } from './dom.js';
import { call } from './api.js';
import { store } from './store.js';
import { marksOf } from './verdict.js';

// The filter's language: `operation:vendor.Tag.* status:5xx -lane:ada "two words"`. All terms must match; `-` negates one.
const keys = ['operation', 'lane', 'status', 'answer', 'outcome', 'kind', 'fault', 'effect', 'varied', 'method', 'target', 'connection', 'number'];
const words = {
  finding: ({ kind, findings }) => kind === 'finding' || findings !== undefined,
  fault: ({ faults }) => faults !== undefined,
  varied: ({ varied }) => varied !== undefined,
  refused: ({ outcome = 'ok' }) => outcome !== 'ok',
};

const help = [p('All terms must match; a leading minus negates one; * stands for any characters.'), facts({
  'operation:vendor.Tag.*': 'by name or tag', 'status:4xx': 'or answer:, outcome:, method:, target:', 'lane:ada': 'or kind:, connection:',
  'fault:1': 'or effect:, varied:', 'number:40..60': 'from one number to another', 'refused fault': 'refused, or struck by a fault',
  'finding varied': 'with a finding, or varied', '"two words"': 'a text in operation, reason, target, findings',
})];

/** A test for values; in the pattern, `*` stands for any characters, and `40..60` for numbers. */
function glob(pattern) {
  const [, from, to] = pattern.match(/^(\d+)\.\.(\d*)$/) ?? [];
  if (from) return (value) => value >= Number(from) && value <= (Number(to) || Infinity);
  const expression = new RegExp(`^${pattern.replace(/[\\^$.+?()[\]{}|/-]/g, '\\$&').replace(/\*+/g, '.*')}$`, 'is');
  return (value) => value !== undefined && expression.test(value);
}

function term(key, value, isQuoted) {
  if (!key && !isQuoted && Object.hasOwn(words, value)) return words[value];
  const test = glob(key === 'status' ? value.replace(/x/gi, '*') : key ? value : `*${value}*`);
  if (!key) {
    return ({ operation, cause, target, answer, lane, findings = [] }) =>
      [operation, cause, target, answer, lane, ...findings.map((one) => one.words)].some(test);
  }
  if (!keys.includes(key)) throw new Error(`the filter does not know '${key}:'; it knows ${keys.join(', ')}`);
  if (key === 'operation') return ({ operation, tag }) => test(operation) || (tag && test(operation?.replace('.', `.${tag}.`)));
  if (key === 'lane') return ({ lane, actor }) => test(lane) || test(actor);
  return (head) => [head[key] ?? head[`${key}s`]].flat().some(test);
}

/** The test of a head that a filter asks for. Throws Error with words for people. */
function parse(source) {
  const terms = [];
  // A quote that is still open ends with the line.
  for (const [whole, minus, key, quoted, bare] of source.matchAll(/(-?)(?:([A-Za-z]+):)?(?:"([^"]*)(?:"|$)|(\S*))/g)) {
    if (whole === '' || whole === '-') continue;
    const matches = term(key?.toLowerCase(), quoted ?? bare, quoted !== undefined);
    terms.push(minus ? (head) => !matches(head) : matches);
  }
  return (head) => terms.every((matches) => matches(head));
}

/** 'bad' if the client met a failure, 'warn' if it was refused. */
export function tone({ outcome, delivery, received }) {
  if (outcome === 'unavailable' || delivery || received === 'nothing') return 'bad';
  return outcome && outcome !== 'ok' ? 'warn' : '';
}

export function dot(lane) {
  const element = h('i.dot');
  element.style.setProperty('--hue', (store.lanes.get(lane)?.place ?? 0) * 45 + 20);
  return element;
}

const icons = {
  exchange: '⇄', message: '↑', notification: '↓', outbound: '→', due: '◷', clock: '◷', fault: 'ϟ', configuration: '⚙', mark: '✎',
  finding: '⚠',
};
const columns = { number: '#', time: 'Time', delta: 'Δ', lane: 'Lane', kind: 'Kind', what: 'What', result: 'Answer', marks: 'Marks' };

const resultOf = ({ status, answer, delivery }) => [status, answer].filter(Boolean).join(' ') || delivery || '';
const ruler = h('canvas').getContext('2d');

/** What is to be said of an entry beside its answer: [sign, style, words]. Signs that repeat are counted. */
function marksFor({ number, faults, effects = '', varied, findings = [] }) {
  const rules = marksOf(number);
  const counted = (sign, style, all) => all.length > 0 && [`${sign}${all.length > 1 ? all.length : ''}`, style, all.join('\n')];
  const says = ({ rule, isBad, isAdvice }) => `${!isBad ? 'attempt of' : isAdvice ? 'against advice' : 'breaks'} ${rule}`;
  const plain = (isAdvice) => rules.filter((one) => !one.attempt && one.isAdvice === isAdvice).map(says);
  return [
    faults && [`ϟ${faults}`, 'key', `struck by fault ${faults}: ${effects}`],
    varied && [`≈${varied.join(' ')}`, 'muted', `varied: ${varied.join(', ')}`],
    counted('⚠', 'warn', findings.map((one) => one.words)), counted('✗', 'bad', plain(false)), counted('!', 'warn', plain(true)),
    ...rules.filter(({ attempt }) => attempt).map((one) => {
      const [sign, style] = !one.isBad ? ['', 'muted'] : one.isAdvice ? ['!', 'warn'] : ['✗', 'bad'];
      return [`${sign}↻${one.attempt}`, style, says(one)];
    }),
  ].filter(Boolean);
}

function row(head, index, before) {
  const { number, operation = '', cause = '', lane, kind, depth } = head;
  const isSelected = store.selected === number;
  const says = marksFor(head);
  const result = resultOf(head);
  const cells = {
    number, time: [head.sandboxTime.slice(11, 19), h('span.ms', head.sandboxTime.slice(19, 23))],
    delta: before && `+${span(Math.max(0, head.wall - before.wall))}`,
    // Who has no name is in a lane named after the operation, which stands beside it.
    lane: lane && [dot(lane), lane === operation ? '–' : lane],
    kind: [h('i', { 'aria-hidden': 'true' }, icons[kind] ?? '○'), h('span.word', ` ${kind}`)],
    what: [h('span.vendor', operation.replace(/[^.]*$/, '')), operation.replace(/.*\./, '') || cause,
      operation && h('span.muted', ` ${cause}`)],
    result: h('span', { class: tone(head) }, result),
    marks: says.map(([sign, style]) => [h('span', { class: style }, sign), ' ']),
  };
  const titles = { kind, lane, what: `${operation} ${cause}`, result, marks: says.map(([, , words]) => words).join('\n') };
  // The edge has the colour of the worst.
  const worst = ['bad', 'warn'].find((style) => says.some((one) => one[1] === style)) ?? '';
  const element = h('div', {
    class: `r edge-${worst}${isSelected ? ' selected' : ''}${result || store.state.lanes ? '' : ' wide'}`, id: `entry-${number}`, role: 'row', 'aria-rowindex': index + 2,
    'aria-selected': String(isSelected), 'data-number': number,
  }, Object.keys(columns).map((name) => h('span', { class: `c-${name}${depth && name === 'what' ? ' caused' : ''}`, role: 'gridcell',
    title: titles[name] }, cells[name])));
  element.style.transform = `translateY(calc(${index} * var(--row)))`;
  element.style.setProperty('--depth', depth);
  element.style.setProperty('--lane', store.lanes.get(lane)?.place ?? 0);
  return element;
}

const unplacedCard = ({ arrival, method, target, host, reason, nearest, stub }) => h('article.card',
  p(h('code', `${method} ${target}`)), muted(`${arrival.wall.slice(11, 23)} at ${host}`), p(strong('Why not? '), reason),
  nearest?.length > 0 && [p('Nearest:'), h('ul', nearest.map((name) => h('li', h('code', name))))],
  stub && line('To answer it: ', h('code.grow', stub), button('Copy', () => copy(stub))));

const toggle = (text, onclick) => button(text, onclick, { 'aria-pressed': 'false' });
const press = (element, on) => element.setAttribute('aria-pressed', String(on));

class Stream extends HTMLElement {
  #items = [];
  #isFollowing = !store.selected;
  #matches = null;
  #unseen = 0;
  #drawn = '';
  #frame;
  #ours = 0;
  #row = 24;
  #height = 0;
  #typing;
  #known = 0;
  #widths = {};
  #link = 'connecting…';

  #rows = h('div.rows', { role: 'rowgroup', onclick: ({ target }) => store.select(Number(target.closest('.r').dataset.number)) });
  #header = h('div.r.head', { role: 'row', 'aria-rowindex': 1 },
    Object.entries(columns).map(([name, title]) => h('span', { class: `c-${name}`, role: 'columnheader' }, title)));
  #grid = h('div.grid', {
    role: 'grid', tabindex: 0, 'aria-label': 'Entries', onscroll: () => this.#scrolled(),
    // At 1,000 rows a second the list would be at its end again before the scroll event of a small turn of the wheel.
    onwheel: ({ deltaY }) => { if (deltaY < 0) this.follow(false); },
  }, this.#header, this.#rows);
  #problem = h('p.bad', { role: 'status' });
  #follow = toggle('Follow', () => this.follow());
  #count = h('span.muted.count');
  #unplaced = h('div.unplaced', { hidden: true, tabindex: 0, role: 'region', 'aria-label': 'Calls that matched nothing' });
  #unplacedButton = toggle('Unplaced', () => {
    this.#grid.hidden = !this.#grid.hidden;
    this.#unplaced.hidden = !this.#grid.hidden;
    press(this.#unplacedButton, this.#grid.hidden);
  });
  #more = button('', () => this.follow(true), { class: 'more', hidden: true });
  #empty = h('div.empty', { role: 'status' });
  #lanes = toggle('Lanes', () => this.lanes());
  input = h('input.grow', {
    type: 'search', placeholder: 'Filter: status:4xx', 'aria-label': 'Filter', spellcheck: 'false',
    oninput: () => this.#typed(120),
    onkeydown: ({ key }) => {
      if (key !== 'Escape' && key !== 'Enter') return;
      this.#typed(0);
      this.#grid.focus();
    },
  });

  connectedCallback() {
    fill(this, h('div.bar', this.input, this.#follow, this.#lanes, this.#unplacedButton, fold('Help', h('div', help)), this.#count),
    this.#problem, h('div.frame', this.#grid, this.#empty, this.#unplaced, this.#more));
    // Once at first, for where nothing is drawn yet: in a tab that is opened behind others.
    this.#measure();
    new ResizeObserver(() => this.#measure()).observe(this.#grid);
    listen(store, {
      entries: (heads) => this.#arrived(heads), pruned: () => this.#rebuild(), filter: () => this.#filtered(),
      reset: () => {
        this.#known = 0;
        this.#widths = {};
        this.#swim();
        this.follow(true);
        this.#rebuild();
      },
      verdict: () => this.#redraw(), selected: (number) => this.#selected(number),
      opened: () => this.#say(''),
      connection: ([state, problem]) => state !== 'open' && this.#say(problem?.message ?? 'connecting…'),
    });
    this.#filtered();
    this.#swim();
    press(this.#follow, this.#isFollowing);
    setInterval(() => this.#readUnplaced(), 5000);
    this.#readUnplaced();
  }

  #typed(after) {
    const apply = () => store.turn('filter', this.input.value.trim());
    clearTimeout(this.#typing);
    if (after) this.#typing = setTimeout(apply, after);
    else apply();
  }

  /** What is to be said as long as there is no entry. */
  #say(words) {
    this.#link = words;
    this.#tell();
  }

  #measure() {
    const style = getComputedStyle(this.#grid);
    ruler.font = style.font;
    this.#row = parseFloat(style.getPropertyValue('--row'));
    this.#height = this.#grid.clientHeight - this.#header.offsetHeight;
    this.#redraw();
  }

  /** Columns grow, and never shrink under one's eyes. Measured is what has more characters than `share` of the longest. */
  #widen(name, text, more = 0, share = 0.8) {
    const widest = this.#widths[name] ??= { length: 0, width: 0 };
    if (text.length <= widest.length * share) return;
    const width = Math.ceil(ruler.measureText(text).width) + more + 2;
    widest.length = Math.max(widest.length, text.length);
    if (width <= widest.width) return;
    widest.width = width;
    this.#grid.style.setProperty(`--w-${name}`, `${width}px`);
  }

  /** Makes room for an entry; `name` is what must be legible first. */
  #fit({ number, lane = '', operation = '', cause = '', depth, ...head }, share) {
    const indent = depth && depth * 14 + 16;
    this.#widen('number', String(number), 0, share);
    this.#widen('lane', lane, 16, share);
    this.#widen('name', operation.slice(operation.lastIndexOf('.') + 1), indent, share);
    this.#widen('what', `${operation} ${cause}`, indent, share);
    this.#widen('result', resultOf(head), 0, share);
  }

  lanes() {
    store.set({ lanes: store.state.lanes ? null : 'on' });
    this.#swim();
  }

  /** One column for each lane, in which its entries stand; those of no lane, and of more than eight, share them. */
  #swim() {
    const { lanes } = store.state;
    press(this.#lanes, Boolean(lanes));
    this.#grid.classList.toggle('lanes', Boolean(lanes));
    const names = lanes ? [...store.lanes.keys()].slice(0, 8) : [];
    this.#grid.style.setProperty('--lanes', Math.max(1, names.length));
    fill(this.#header.querySelector('.c-what'), names.length ? names.map((title) => h('span', { title }, dot(title), title)) : columns.what);
    if (this.#height) this.#measure();
  }

  async #readUnplaced() {
    const { entries } = document.hidden ? {} : await call('GET', 'unplaced?limit=500').catch(() => ({}));
    const last = String(entries?.at(-1)?.number ?? '');
    if (!entries || last === this.#unplaced.dataset.last) return;
    this.#unplaced.dataset.last = last;
    this.#unplacedButton.textContent = `Unplaced ${entries.length}`;
    fill(this.#unplaced, entries.reverse().map(unplacedCard),
      !entries.length && blank('Nothing is unplaced', p('A call that matches no operation is listed here, with the reason.')));
  }

  #filtered() {
    if (document.activeElement !== this.input) this.input.value = store.filter;
    try {
      this.#matches = parse(store.filter);
      fill(this.#problem);
      this.#rebuild();
    } catch (error) { fill(this.#problem, error.message); }
  }

  #arrived(heads) {
    for (const head of heads) this.#fit(head, 1);
    const matching = heads.filter(this.#matches).map(({ number }) => number);
    if (!this.#isFollowing) this.#unseen += matching.filter((number) => number >= store.next).length;
    for (const number of matching) this.#items.push(number);
    if (store.state.lanes && store.lanes.size !== this.#known) this.#swim();
    this.#known = store.lanes.size;
    if (matching.includes(store.selected)) this.#show(store.selected);
    this.#later();
    this.#tell();
  }

  /** Makes all rows anew. The selected one, if it is in view, else the first in view, stays where it is on screen. */
  #rebuild() {
    const top = this.#grid.scrollTop;
    const first = Math.floor(top / this.#row);
    const selected = this.#items.indexOf(store.selected);
    const index = selected >= first && selected * this.#row < top + this.#height ? selected : first;
    const anchor = this.#items[index];
    this.#items = [...store.heads.values()].filter(this.#matches).map(({ number }) => number);
    const now = this.#items.findIndex((number) => number >= anchor);
    if (now >= 0) this.#scroll(top + (now - index) * this.#row);
    this.#draw();
    this.#tell();
  }

  #selected(number) {
    if (number) {
      this.follow(false);
      this.#grid.setAttribute('aria-activedescendant', `entry-${number}`);
      this.#show(number);
    } else this.#grid.removeAttribute('aria-activedescendant');
    this.#redraw();
  }

  move(steps) {
    const { length } = this.#items;
    const now = this.#items.indexOf(store.selected);
    const at = (now < 0 && steps < 0 ? length : now) + steps;
    if (length) store.select(this.#items[Math.max(0, Math.min(length - 1, at))]);
  }

  follow(on = !this.#isFollowing) {
    this.#isFollowing = on;
    press(this.#follow, on);
    this.#unseen = 0;
    this.#tell();
    this.#later();
  }

  #tell() {
    this.#more.hidden = this.#unseen === 0;
    fill(this.#more, `${this.#unseen} new ↓`);
    const [shown, all] = [this.#items.length, store.heads.size];
    fill(this.#count, shown === all ? `${thousands(all)} entries` : `${thousands(shown)} of ${thousands(all)}`);
    const state = shown ? '' : all ? 'none' : this.#link || (store.isNew ? 'new' : 'reading the journal…');
    if (state === this.#empty.dataset.state) return;
    this.#empty.dataset.state = state;
    this.#empty.hidden = !state;
    fill(this.#empty, {
      '': '', none: blank('No entry matches the filter', button('Clear the filter', () => store.turn('filter', ''))),
      new: blank('No entry yet', p('Each call of a client, and each change of the sandbox, becomes a line here as it comes.')),
    }[state] ?? muted(state));
  }

  #scrolled() {
    const top = this.#grid.scrollTop;
    if (top < this.#ours - 1) this.follow(false);
    else if (top > this.#ours + 1 && top + this.#height >= this.#items.length * this.#row - 1) this.follow(true);
    this.#ours = top;
    this.#later();
  }

  #scroll(top) {
    this.#rows.style.height = `${this.#items.length * this.#row}px`;
    this.#grid.scrollTop = top;
    this.#ours = this.#grid.scrollTop;
  }

  #show(number) {
    const from = this.#items.indexOf(number) * this.#row;
    if (from >= 0) this.#scroll(Math.max(from + this.#row - this.#height, Math.min(from, this.#grid.scrollTop)));
  }

  #redraw() {
    this.#drawn = '';
    this.#later();
  }

  #later() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#draw();
    });
  }

  #draw() {
    if (!this.#height) return;
    const { length } = this.#items;
    this.#scroll(this.#isFollowing ? length * this.#row : this.#grid.scrollTop);
    this.#grid.setAttribute('aria-rowcount', length + 1);
    const first = Math.max(0, Math.floor(this.#grid.scrollTop / this.#row) - 4);
    const shown = this.#items.slice(first, first + Math.ceil(this.#height / this.#row) + 8);
    const drawn = `${first} ${shown}`;
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    fill(this.#rows, shown.map((number, at) => row(store.heads.get(number), first + at, store.heads.get(this.#items[first + at - 1]))));
    for (const number of shown) this.#fit(store.heads.get(number));
    for (const one of this.#rows.querySelectorAll('.c-marks')) this.#widen('marks', one.textContent);
  }
}

customElements.define('sp-stream', Stream);
