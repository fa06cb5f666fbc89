// The client's verdict so far. Judging changes nothing, so it is done again and again while entries come.

import { chip, fill, h, listen, muted, p, refill, strong, table } from './dom.js';
import { here } from './actions.js';
import { entryLink } from './forms.js';
import { store } from './store.js';

const groups = [
  ['✗ broken', 'bad', 'fail', 'advice'], ['? undecided', 'warn', 'undecided', 'excused', 'inconclusive'], ['✓ so far good', 'ok', 'pass'],
  ['– not exercised', 'muted', 'not-exercised'],
];
const isGood = ({ judged }) => ['first', 'good', 'open'].includes(judged);

/** Entry number → [{rule, isBad, attempt}], for what a rule has as evidence or as an attempt. */
let marks = new Map();
export const marksOf = (number) => marks.get(number) ?? [];

function mark(verdicts) {
  marks = new Map();
  const put = (number, rule, isBad, attempt) => {
    const others = marksOf(number).filter((one) => one.rule !== rule);
    if (isBad || attempt) marks.set(number, [...others, { rule, isBad, attempt }]);
  };
  for (const { rule, evidence = [], chains = [] } of verdicts) {
    for (const one of evidence) put(one.entry, rule, one.against);
    for (const one of chains.flatMap(({ attempts }) => attempts)) {
      for (const entry of one.entries) put(entry, rule, !isGood(one), one.number);
    }
  }
}

const seconds = (value) => (value === undefined ? '' : `${+value.toFixed(2)} s`);

const chain = ({ lane, what, attempts }) => [p(h('code', what), ` ${lane}`),
  table(['entry', 'seen', 'due', 'may come', 'answer', 'judged'], attempts.map((one) => [
    one.entries.map(entryLink), seconds(one.seen), seconds(one.due),
    one.due !== undefined && `${seconds(one.earliest)} – ${seconds(one.latest)}`, one.outcome,
    h('span', { class: isGood(one) ? 'ok' : 'bad' }, one.judged, one.offBy && ` ${seconds(Math.abs(one.offBy))}`)]))];

function rule({ evidence = [], chains = [], ...one }) {
  return h('details.item',
    h('summary', { 'data-key': one.rule }, strong(one.rule), one.expected && chip('expected'), ` ${one.summary}`),
    p(one.says, one.because && ` (${one.because})`), muted(`${one.vendor} · ${one.kind} · ${one.fidelity} · ${one.source}`),
    evidence.map(({ entry, words, against }) =>
      h('p', { class: against ? 'bad' : '' }, entry && entryLink(entry), ` ${words}`)), chains.map(chain));
}

class Verdict extends HTMLElement {
  #counts = h('span', { 'aria-live': 'polite' });
  #body = h('div.verdicts', { tabindex: 0, role: 'region', 'aria-label': 'Rules' });
  #drawer = h('details', {
    open: store.state.verdict, ontoggle: () => {
      store.set({ verdict: this.#drawer.open ? 'open' : null });
      this.#later(0);
    },
  }, h('summary', strong('Verdict '), this.#counts), this.#body);
  #timer;
  #next = 0;

  connectedCallback() {
    this.append(this.#drawer);
    const again = () => this.#later();
    listen(store, { entries: again, info: again, reset: again });
  }

  #later(when = this.#next) {
    this.#timer ??= setTimeout(async () => {
      const begun = performance.now();
      try {
        const report = await here('POST', 'verdicts', {});
        mark(report.verdicts);
        this.#draw(report);
        store.emit('verdict', report.counts);
      } catch (error) { fill(this.#counts, error.message); }
      this.#timer = undefined;
      this.#next = performance.now() + Math.max(this.#drawer.open ? 700 : 5000, 4 * (performance.now() - begun));
    }, Math.max(when - performance.now(), 300));
  }

  #draw({ verdicts, ownFailures }) {
    const failed = ownFailures.unrecorded + ownFailures.internalErrors;
    const sorted = groups.map(([name, style, ...results]) => [name, style, verdicts.filter(({ result }) => results.includes(result))]);
    fill(this.#counts, failed > 0 && chip(`Sparring itself failed ${failed} times`, 'bad'), sorted.map(([name, style, { length }]) => chip(`${name} ${length}`, length ? style : 'muted')));
    if (!this.#drawer.open) return;
    const isFirst = !this.#body.firstChild;
    refill(this.#body, failed > 0 && (ownFailures.evidence ?? []).map(({ entry, words }) =>
      h('p.bad', entry && entryLink(entry), ` ${words}`)), sorted.map(([name, style, rules], index) => rules.length > 0 && h('details', { open: isFirst && index < 2 },
      h('summary', { class: style, 'data-key': name }, `${name} (${rules.length})`), rules.map(rule))));
  }
}

customElements.define('sp-verdict', Verdict);
