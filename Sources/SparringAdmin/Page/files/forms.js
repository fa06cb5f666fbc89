// Buttons and forms that act, for the panes. While the page shows the past there are none.

import { bad, button, chip, choice, field, fill, h, muted, row } from './dom.js';
import { call } from './api.js';
import { here, read, run } from './actions.js';
import { store } from './store.js';

export const part = encodeURIComponent;
export const entryLink = (number) => button(`#${number}`, () => store.select(number), { class: 'link' });

async function attempt(element, words, after) {
  if (element.nextSibling?.className === 'bad') element.nextSibling.remove();
  try {
    const result = await run(words);
    after?.(result);
  } catch (error) { element.after(bad(error)); }
}

/** A button for a command, whose words may depend on when it is clicked: then `key` says which one it is. */
export function act(label, words, isGrave = false, after = undefined, key = String(words)) {
  const element = button(label, () => {
    if (!isGrave || confirm(`${label}?`)) attempt(element, words.call?.() ?? words, after);
  }, { 'data-key': key });
  return store.at ? null : element;
}

/** A field of a form, which is called like the option or the argument of the command. */
export const input = (name, { label = name.replace(/^--|-/g, ' '), ...props } = {}) =>
  field(label, h(props.rows ? 'textarea' : 'input', { name, size: 12, autocomplete: 'off', spellcheck: 'false', ...props }));

/** What the fields hold that are not left empty, by their names. */
const values = (element) => Object.fromEntries([...element.elements]
  .filter(({ name, value, type, checked }) => name && value && (type !== 'checkbox' || checked)).map(({ name, value }) => [name, value]));

function wordsOf(all) {
  const [options, plain] = [true, false].map((is) => Object.entries(all).filter(([name]) => name.startsWith('--') === is));
  return [...options.map((pair) => pair.join('=')), '--', ...plain.map(([, value]) => value)];
}

export function form(label, command, elements, make = wordsOf, after = undefined) {
  const element = h('form', {
    onsubmit: (event) => {
      event.preventDefault();
      attempt(element, [...command.split(' '), ...make(values(element))], after);
    },
  }, elements, h('button', label));
  return element;
}

/** The form that arms a fault where an entry's call was made, with a preview for its lane. */
export function armForm({ operation = '*', lane } = {}) {
  const effect = choice([], { name: 'effect', required: true });
  const about = muted();
  const preview = h('div', { 'aria-live': 'polite' });
  const fails = (error) => fill(preview, bad(error));
  const aim = /[\s"]/.test(lane) ? JSON.stringify(lane) : lane;
  const textOf = ({ where, effect: what, more, only }) => [where, what, more, only && `subject=${aim}`].filter(Boolean).join(' ');
  const text = () => textOf(values(element));
  let effects = [];
  let timer;

  async function plan() {
    const planned = text();
    const first = lane ?? store.lanes.keys().next().value ?? 'ada';
    const [{ faults: [fault] }, { command }] = await Promise.all([
      here('POST', 'faults/plan', { faults: [planned], lanes: [first], calls: 10 }), read(['fault', 'add', '--', planned])]);
    if (planned !== text()) return;
    fill(preview, muted(`next 10 matching calls of ${first}: `), row(fault.lanes[first].map((what) =>
      chip(what === 'x' ? 'ϟ' : what ?? '·', what ? 'warn' : 'muted'))), fault.caveat && muted(fault.caveat),
    h('code', command));
  }

  function changed() {
    const { summary, parameters = [], phases = [] } = effects.find((one) => one.effect === effect.value) ?? {};
    fill(about, [summary, ...parameters, phases.length && `phase=${phases.join('|')}`].filter(Boolean).join(' · '));
    clearTimeout(timer);
    timer = setTimeout(() => plan().catch(fails), 200);
  }

  function suggest() {
    element.elements.more.value = [effects.find((one) => one.effect === effect.value)?.parameters[0], 'times=1'].filter(Boolean).join(' ');
  }

  async function list() {
    const [place, kept] = [element.elements.where.value, effect.value];
    const answer = await call('GET', `effects?where=${part(place)}`);
    if (place !== element.elements.where.value) return;
    effects = answer.effects.sort((a, b) => Number(Boolean(b.refusal)) - Number(Boolean(a.refusal)));
    fill(effect, effects.map((one) => h('option', { selected: one.effect === kept }, one.effect)));
    if (effect.value !== kept) suggest();
    changed();
  }

  const element = form('Arm', 'fault add', [
    input('where', { value: operation, required: true, size: 28, onchange: () => list().catch(fails) }), field('effect', effect),
    input('more', { label: 'when, whom, how', size: 24, placeholder: 'times=2 skip=1 ttl=31s' }),
    lane && input('only', { label: `only ${lane}`, type: 'checkbox', checked: true }), about, preview,
  ], (all) => ['--', textOf(all)]);
  effect.addEventListener('input', suggest);
  element.addEventListener('input', changed);
  list().catch(fails);
  return element;
}
