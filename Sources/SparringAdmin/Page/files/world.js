// The world of a sandbox, as it is, or as it was at an entry (`past`). Of a pane, `wants` are the kinds of entries that concern it, `draw`
// makes what is shown, and `make` the forms, which stay.

import {
  button, chip, choice, countdown, div, field, fill, fold, grow, h, json, listen, mono, muted, p, refill, row, strong, time,
} from './dom.js';
import { call } from './api.js';
import { here, run } from './actions.js';
import { act, armForm, form, input, part } from './forms.js';
import { store } from './store.js';

const item = (...children) => h('div.item', ...children);
/** How far to advance so that what falls due then is run: times are cut to milliseconds. */
const until = (due) => ['clock', 'advance', `${Math.max(Math.ceil(Date.parse(due) - store.now), 0) + 1}ms`];

export async function advanceToNext() {
  const read = await here('GET', 'clock');
  store.setClock(read);
  if (read.pending.length) await run(until(read.pending[0].due));
}

/** Times that run with the sandbox's clock; the past's stand still. */
const shown = (now) => new Date(now).toISOString().slice(0, 19).replace('T', ' ');
const left = (due, now) => `in ${countdown(Math.max(Date.parse(due) - now, 0))}`;
function tick(element) {
  const { now } = store;
  for (const each of element.querySelectorAll('[data-due]')) {
    const says = each.dataset.due ? left(each.dataset.due, now) : shown(now);
    if (each.textContent !== says) each.textContent = says;
  }
}

let known;
async function operations(vendor) {
  known ??= (await call('GET', 'operations')).operations;
  return known.filter(({ operation }) => operation.startsWith(`${vendor}.`))
    .map((one) => ({ ...one, name: one.operation.slice(vendor.length + 1) }));
}

const readable = 'text title caption message payload content messageContent elements attachments url status type'.split(' ');
function words(value) {
  if (typeof value !== 'object' || !value) return typeof value === 'string' ? value : '';
  return (Array.isArray(value) ? value : readable.map((name) => value[name])).map(words).find(Boolean) ?? '';
}

function lines(value) {
  if (value?.time && value.from !== undefined) return [value];
  return value && typeof value === 'object' ? Object.values(value).flatMap(lines) : [];
}

/** Makes the form to play the agent with: what one can do is what the vendor's operations say, by example. */
async function play(pane, { vendor, id, consumer }) {
  const place = pane.forms;
  if (place.dataset.of === id) return;
  place.dataset.of = id;
  const acts = (await operations(vendor)).filter(({ method, example }) => method === 'POST' && example);
  const body = div();
  const what = choice(acts.map(({ name }) => name), { onchange: () => show() });
  function show() {
    const { summary, example, members = [] } = acts.find(({ name }) => name === what.value);
    // Without it, the vendor acts in the consumer's newest conversation.
    const aim = members.some(({ name }) => name === 'conversation') ? { conversation: id } : {};
    const asked = Object.entries(example).filter(([name]) => !['consumer', 'conversation'].includes(name));
    const shown = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
    fill(body, form(summary, 'act', asked.map(([name, value]) =>
      input(name, { placeholder: shown(value), value: value.constructor === Object && shown(value) })), (values) => [
      vendor, what.value, ...Object.entries({ consumer, ...aim, ...values }).map(([name, value]) =>
        `${name}=${typeof (example[name] ?? '') === 'string' ? JSON.stringify(value) : value}`)],
    () => {
      // Where one has said something one stays, also when it is over.
      pane.open = id;
      body.firstChild.reset();
    }));
  }
  if (acts.some(({ name }) => name === 'say')) what.value = 'say';
  if (acts.length) show();
  fill(place, acts.length > 0 && [field('play the agent', what), body]);
}

const clock = {
  title: 'Clock & due', isPast: true, wants: /./,
  async draw(past) {
    const read = past ? past.clock : await here('GET', 'clock');
    if (!past) store.setClock(read);
    const { mode, rate, pending } = read;
    const now = past ? Date.parse(read.now) : store.now;
    const runs = (due, says) => h('span.mono', { 'data-due': past ? false : due }, says);
    // By its key the focus stays where it was when one takes the other's place.
    const turn = (label) => act(label, ['clock', label.toLowerCase()], false, undefined, 'turn');
    return [row(runs('', shown(now)), chip({ frozen: 'frozen', real: 'runs' }[mode] ?? `runs × ${rate}`),
      mode !== 'frozen' && turn('Freeze'), mode !== 'real' && turn('Resume')),
    pending.slice(0, 100).map(({ due, what }) => h('div.due', h('span', what), runs(due, left(due, now)),
      act('Advance to it', () => until(due), false, undefined, `${due} ${what}`))),
    muted(pending.length > 100 ? `and ${pending.length - 100} later` : !pending.length && 'Nothing is scheduled.')];
  },
  make: () => [
    form('Advance', 'clock advance', input('duration', { label: 'advance by', value: '10m', size: 6, required: true })),
    form('Run', 'clock resume', input('--rate', { label: 'run at ×', value: 60, type: 'number', step: 'any', required: true })),
    form('Freeze', 'clock freeze', input('--at', { label: 'freeze at', placeholder: '2026-11-21T07:00:00Z', size: 22, required: true })),
  ],
};

const conversations = {
  title: 'Conversations', isPast: true, wants: /exchange|message|notification|socket/,
  async draw(past, pane) {
    const { conversations: all } = past ?? await here('GET', 'conversations');
    const open = all.find(({ id }) => id === pane.open) ?? all.findLast(({ state }) => state === 'OPEN') ?? all.at(-1);
    let whole = open;
    if (open && !past) {
      const { path } = (await operations(open.vendor)).find(({ name }) => name === 'readConversation');
      whole = await here('GET', path.replace(/.*\{sandbox\}\//, '').replace(/\{\w+\}/, part(open.id)));
      await play(pane, open);
    }
    return [all.map((one) => button([strong(one.consumer), ` ${one.vendor} `, chip(one.state === 'OPEN' ? 'open' : 'closed'),
      one.unread > 0 && chip(`${one.unread} unread`, 'warn')], () => pane.turn(one.id),
    { class: 'link item', 'data-key': one.id, 'aria-pressed': String(one === open) })),
    !all.length && muted('Nobody has begun a conversation.'),
    open && h('div.transcript', { tabindex: 0, role: 'log', 'aria-label': 'Transcript' }, lines(whole).slice(-200).map((line) =>
      h('p', { class: line.from === open.consumer ? '' : 'theirs' }, mono(time(line.time)), strong(` ${line.from} `),
        words(line.event ?? line))), json('JSON', whole))];
  },
};

const devices = {
  title: 'Devices & pushes', isPast: true, wants: /outbound|exchange/,
  async draw(past, pane) {
    const { devices: all } = past ?? await here('GET', 'devices');
    const one = all.find(({ token }) => token === pane.open);
    const got = one && (one.inbox ?? (await here('GET', `devices/${part(pane.open)}/notifications?limit=1000`)).notifications);
    const push = ({ number, time: at, badge = '–', text, payload }) =>
      row(mono(`${number} ${time(at)}`), chip(`badge ${badge}`), grow(text), json(`payload ${number}`, payload));
    return [all.map(({ token, consumer, pushType, appId, notifications, renewed }) => item(
      row(button(token.slice(0, 12), () => pane.turn(pane.open === token ? null : token),
        { class: 'link', title: token, 'aria-expanded': String(pane.open === token) }), strong(consumer), grow(`${pushType} ${appId}`),
      chip(`${notifications} got`),
      renewed ? chip(`now ${renewed.slice(0, 12)}`) : act('New token', ['device', 'renew-token', '--', token])),
      token === pane.open && (got.length ? got.slice(-50).reverse().map(push) : muted('No notification has arrived.')))),
    !all.length && muted('No device was registered.')];
  },
  make: () => form('Push', 'device push',
    [input('consumer', { label: 'to', required: true }), input('text', { size: 24, required: true })]),
};

const sockets = {
  title: 'Sockets', wants: /socket|connection|hang-up|fault|exchange/,
  async draw() {
    const { sockets: open } = await here('GET', 'sockets');
    return open.length ? open.map(({ number, vendor, channel, lane, frozen, lastTraffic }) => item(
      row(mono(number), strong(lane), grow(`${vendor} ${channel}`), mono(time(lastTraffic))),
      row(frozen ? chip('frozen', 'warn') : act('Freeze', ['socket', 'freeze', number]), act('Abort', ['socket', 'abort', number]))))
      : muted('No socket is open.');
  },
  make: () => form('Close', 'socket close', [input('number', { label: 'socket', type: 'number', required: true }),
    input('--code', { label: 'with code', type: 'number', value: 1011 }), input('--reason', { size: 18, maxlength: 123 })]),
};

const faults = {
  title: 'Faults', isPast: true, wants: /./,
  async draw(past) {
    const { faults: armed } = past ?? await here('GET', 'faults');
    return [armed.map(({ number, text, hits, left: more = '∞', matched, caveat }) => item(
      row(h('code.grow', `ϟ${number} ${text}`), act('Remove', ['fault', 'remove', number])),
      muted(`struck ${hits} of ${matched} calls, ${more} left`), caveat && muted(caveat))),
    armed.length ? act('Remove all', ['fault', 'remove', '--all'], true) : muted('No fault is armed.')];
  },
  make: () => fold('Arm a fault', armForm()),
};

const scenario = {
  title: 'Scenario', wants: /^$/,
  async draw() {
    const name = store.info.scenario;
    // One's own has no page of its own.
    const played = name && await call('GET', `scenarios/${part(name)}`).catch(() => ({ title: name }));
    if (!played) return muted('The sandbox plays no scenario.');
    const { title, about, timeline = [], expect = [] } = played;
    return [row(strong(title), act('Stop', ['scenario', 'stop'], true)), p(about), timeline.map((step) =>
      item(mono(step.at), ' ', h('code', step.do, ' ', step.with && JSON.stringify(step.with)))),
    expect.map(({ rule, because = '' }) => item('expected: ', strong(rule), ` ${because}`))];
  },
  make: async () => {
    const { scenarios } = await call('GET', 'scenarios');
    const name = store.sandbox;
    return [form('Play', 'scenario play', field('start over with', choice(scenarios.map((one) => one.scenario), { name: 'scenario' }))),
      row(act('Reset', ['sandbox', 'reset', name], true), act('Empty the journal', ['journal', 'clear'], true),
        act('Delete', ['sandbox', 'delete', name], true, () => location.assign('/'))),
    ];
  },
};

const tenants = {
  title: 'Tenants & credentials', wants: /^$/,
  draw: () => Object.entries(store.info.tenants).map(([vendor, all]) =>
    [json(vendor, all), act('Rotate keys', ['keys', 'rotate', vendor])]),
  make: async () => {
    const { members } = (await operations('admin')).find(({ name }) => name === 'mintCredential');
    const values = (wanted) => members.find(({ name }) => name === wanted).enum;
    const minted = h('output.mono.grow');
    return [
      form('Change', 'tenant change', [choice(Object.keys(store.info.tenants), { name: 'vendor', 'aria-label': 'vendor' }),
        input('--set', { label: 'change', rows: 2, required: true, placeholder: '{"member": "value"}' })]),
      form('Mint', 'credential mint', [field('form', choice(values('form'), { name: '--form' })),
        input('--subject', { required: true, value: 'ada' }),
        field('defect', choice(['', ...values('defect')], { name: '--defect' })), input('--missing-claim'),
        input('--redirect-uri'), input('--lifetime', { size: 6 })], undefined,
      ({ credential }) => fill(minted, credential)),
      minted];
  },
};

const panes = { clock, conversations, devices, sockets, faults, scenario, tenants };

class Pane {
  open = null;
  forms = div();
  isStale = true;
  #list = div();
  #says = h('p.bad', { role: 'status' });
  #isReading = false;

  constructor(id, isOpen, toggled) {
    Object.assign(this, panes[id], { id });
    this.element = h('details.pane', { open: isOpen, ontoggle: toggled }, h('summary', this.title), this.#says, this.#list, this.forms);
  }

  /** Until it is read again, it is not what the page says it is. */
  travel(at) {
    this.element.hidden = at && !this.isPast;
    this.forms.hidden = Boolean(at);
    this.#list.inert = this.isStale = true;
    this.read();
  }

  turn(open) {
    this.open = open;
    this.isStale = true;
  }

  async read() {
    const { at } = store;
    if (!this.isStale || this.#isReading || !this.element.open || this.element.hidden || !store.info) return;
    this.isStale = false;
    this.#isReading = true;
    try {
      const shown = await this.draw(await pastAt(at), this);
      if (!at && this.make && !this.forms.firstChild) fill(this.forms, await this.make());
      if (at === store.at) {
        const log = () => this.#list.querySelector('[role=log]') ?? {};
        const { scrollHeight: all = 0, scrollTop = 0, clientHeight = 0 } = log();
        refill(this.#list, shown);
        this.#list.inert = false;
        // A transcript stays at its end.
        if (scrollTop + clientHeight > all - 30) log().scrollTop = log().scrollHeight;
      }
      fill(this.#says);
    } catch (error) {
      fill(this.#says, error.message);
      past = {};
      // The server may be starting again.
      this.isStale = error.status === 0 || error.status >= 500;
    }
    this.#isReading = false;
  }
}

let past = {};
function pastAt(at) {
  if (at && past.at !== at) past = { at, world: here('GET', `journal/${at}/world`) };
  return at ? past.world : undefined;
}

class World extends HTMLElement {
  #range = h('input', { type: 'range', 'aria-label': 'As of entry', oninput: () => this.#turn() });
  #says = h('strong', { role: 'status' });
  #more = h('span.row');
  #timer;

  connectedCallback() {
    const open = (store.state.panes ?? 'clock').split(' ');
    const toggled = () => store.set({ panes: all.filter(({ element }) => element.open).map(({ id }) => id).join(' ') || '-' });
    const all = Object.keys(panes).map((id) => new Pane(id, open.includes(id), toggled));
    fill(this, h('div.bar', this.#says, this.#range, this.#more), all.map(({ element }) => element));
    const [{ element: clock }] = all;
    const stale = () => { for (const pane of all) pane.isStale = true; };
    const travelled = () => {
      const { at } = store;
      this.classList.toggle('past', Boolean(at));
      for (const pane of all) pane.travel(at);
      fill(this.#more, at && [button('Back to now', () => store.turn('at', null)),
        button('Fork from here', () => this.#fork(at).catch(() => {}))]);
      this.#tell();
    };
    listen(store, {
      entries: (heads) => {
        this.#tell();
        if (!store.at) for (const pane of all) pane.isStale ||= heads.some(({ kind }) => pane.wants.test(kind));
      },
      at: travelled, acted: stale, reset: stale, info: stale, tick: () => {
        tick(clock);
        for (const pane of all) pane.read();
      },
    });
    travelled();
  }

  async #fork(number) {
    const { id } = await run(['sandbox', 'fork', number]);
    this.#more.append(p({ role: 'status' }, 'The new sandbox is ', h('a', { href: `/__sparring/${id}` }, id)));
  }

  /** While the range is dragged, the world is read only now and then. */
  #turn() {
    const number = Number(this.#range.value);
    this.#says.textContent = `As of entry ${number}`;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => store.turn('at', number), 150);
  }

  #tell() {
    const { at, floor, last } = store;
    Object.assign(this.#range, { min: floor + 1, max: last, value: at ?? last, disabled: !last });
    this.#says.textContent = at ? `As of entry ${at}, read-only` : 'World now';
  }
}

customElements.define('sp-world', World);
