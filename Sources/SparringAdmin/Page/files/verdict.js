// The client's verdict so far. Judging changes nothing, so it is done again and again while entries come.

import { chip, fill, h, listen, muted, p, refill, strong, table } from './dom.js';
import { here } from './actions.js';
import { entryLink } from './forms.js';
import { store } from './store.js';

// As the command line counts: what the vendor's document only advises is not broken.
const groups = [
  ['✗ broken', 'bad', 'fail'], ['? undecided', 'warn', 'undecided', 'excused', 'inconclusive'], ['! advice', 'warn', 'advice'],
  ['✓ so far good', 'ok', 'pass'], ['– not exercised', 'muted', 'not-exercised'],
];
const isGood = ({ judged }) => ['first', 'good', 'open'].includes(judged);

/** Entry number → [{rule, isBad, isAdvice, attempt}], for what a rule has as evidence or as an attempt. */
let marks = new Map();
export const marksOf = (number) => marks.get(number) ?? [];

function mark(verdicts) {
  marks = new Map();
  for (const { rule, result, evidence = [], chains = [] } of verdicts) {
    const put = (number, isBad, attempt) => {
      const others = marksOf(number).filter((one) => one.rule !== rule);
      if (isBad || attempt) marks.set(number, [...others, { rule, isBad, isAdvice: result === 'advice', attempt }]);
    };
    for (const one of evidence) put(one.entry, one.against);
    for (const one of chains.flatMap(({ attempts }) => attempts)) {
      for (const entry of one.entries) put(entry, !isGood(one), one.number);
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
    evidence.map(({ entry, words, against }) => h('p', { class: against ? 'bad' : '' }, entry && ['Entry ', entryLink(entry)],
      // The line above has said it.
      words !== one.summary && ` ${words}`)), chains.map(chain));
}

class Verdict extends HTMLElement {
  #counts = h('span', { 'aria-live': 'polite' });
  #busy = h('span.muted', 'nothing was judged yet');
  #body = h('div.verdicts', { tabindex: 0, role: 'region', 'aria-label': 'Rules' });
  #drawer = h('details', {
    open: store.state.verdict, ontoggle: () => {
      store.set({ verdict: this.#drawer.open ? 'open' : null });
      if (this.#report) this.#draw(this.#report);
      this.#later(0);
    },
  }, h('summary', strong('Verdict '), this.#counts, this.#busy), this.#body);
  #report;
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
      // A long journal takes its time.
      const slow = setTimeout(() => fill(this.#busy, 'judging…'), 300);
      try {
        this.#report = await here('POST', 'verdicts', {});
        mark(this.#report.verdicts);
        this.#draw(this.#report);
        store.emit('verdict', this.#report.counts);
      } catch (error) { fill(this.#counts, error.message); }
      clearTimeout(slow);
      fill(this.#busy);
      this.#timer = undefined;
      this.#next = performance.now() + Math.max(this.#drawer.open ? 700 : 5000, 4 * (performance.now() - begun));
    }, Math.max(when - performance.now(), 300));
  }

  #draw({ verdicts, ownFailures }) {
    const failed = ownFailures.unrecorded + ownFailures.internalErrors;
    const sorted = groups.map(([name, style, ...results]) => [name, style, verdicts.filter(({ result }) => results.includes(result))]);
    fill(this.#counts, failed > 0 && chip(`Sparring itself failed ${failed} times`, 'bad'),
      sorted.map(([name, style, { length }], index) => (length || !index) && chip(`${name} ${length}`, length ? style : 'muted')));
    if (!this.#drawer.open) return;
    const isFirst = !this.#body.firstChild;
    refill(this.#body, failed > 0 && (ownFailures.evidence ?? []).map(({ entry, words }) =>
      h('p.bad', entry && entryLink(entry), ` ${words}`)), sorted.map(([name, style, rules], index) => rules.length > 0
      && h('details', { open: isFirst && index < 2 }, h('summary', { 'data-key': name }, h('h2', { class: style }, `${name} ${rules.length}`)),
        rules.map(rule))));
  }
}

customElements.define('sp-verdict', Verdict);
