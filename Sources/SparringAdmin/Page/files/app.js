// The page: its bar, its parts, its dialogs and its keys.

import { button, facts, fill, h, listen, p } from './dom.js';
import { call, setToken } from './api.js';
import { run } from './actions.js';
import { advanceToNext } from './world.js';
import { store } from './store.js';
import './stream.js';
import './entry.js';
import './verdict.js';
import './console.js';

const find = (selector) => document.querySelector(selector);
const [stream, entry, line] = ['sp-stream', 'sp-entry', 'sp-console'].map(find);

// Bar. What goes wrong is shown by the console.

const isFrozen = () => store.info?.clock.mode === 'frozen';
const toggleClock = () => run(['clock', isFrozen() ? 'resume' : 'freeze']).catch(() => {});
const toNext = () => advanceToNext().catch(() => {});
const picker = h('select', {
  'aria-label': 'Sandbox', onchange: () => location.assign(`/__sparring/${picker.value}`), onfocus: () => list(),
});
const about = h('span.muted');
const findings = button('⚠ 0', () => store.turn('filter', 'finding'), { title: 'Show the entries with findings' });
const broken = h('span.chip', { title: 'Broken rules' });
const time = h('time.mono');
const freeze = button('Freeze', toggleClock);
const connection = h('span.chip', { role: 'status' });

fill(find('#top'), h('h1', 'Sparring'), picker, about, findings, broken, time, freeze,
  connection, button('?', () => help.showModal(), { 'aria-label': 'Keys' }));

function tick() {
  if (!store.info || document.hidden) return;
  const { mode, rate = 1, now } = store.info.clock;
  const shown = new Date(Date.parse(now) + rate * (performance.now() - store.infoAt)).toISOString().slice(0, 19).replace('T', ' ');
  fill(time, `${shown} ${{ frozen: 'frozen', rate: `×${rate}` }[mode] ?? ''}`);
}

async function list() {
  const { sandboxes } = await call('GET', 'sandboxes').catch(() => ({ sandboxes: [] }));
  fill(picker, [...new Set([store.sandbox, ...sandboxes.map(({ id }) => id)])].map((name) => h('option', name)));
}

let found = 0;
listen(store, {
  info: () => {
    document.title = `${store.sandbox} – Sparring`;
    const { seed, node, ends } = store.info;
    fill(about, `seed ${seed}`, node && `, node ${node}`, ends && `, ends ${ends.slice(0, 16)}Z`);
    fill(freeze, isFrozen() ? 'Resume' : 'Freeze');
    tick();
  },
  entries: (heads) => fill(findings, `⚠ ${found += heads.filter((head) => head.findings).length}`),
  reset: () => fill(findings, `⚠ ${found = 0}`),
  verdict: ({ fail }) => fill(broken, `✗ ${fail}`),
  connection: ([state, problem]) => {
    fill(connection, { open: '● live', lost: '○ connecting…' }[state] ?? `✕ ${problem.message}`);
    if (problem?.status === 401 && !gate.open) gate.showModal();
    if (state === 'open') list();
  },
  acted: () => store.readInfo().catch(() => {}), selected: (number) => number && view('entry'), at: (number) => number && view('world'),
});
setInterval(tick, 1000);

// The parts, of which a narrow page shows one at a time

function view(name) {
  document.body.dataset.view = name;
  for (const each of find('#views').children) each.setAttribute('aria-current', String(each.textContent.toLowerCase() === name));
  if (name === 'verdict') find('sp-verdict details').open = true;
}

fill(find('#views'), ['Stream', 'Entry', 'World', 'Verdict'].map((name) => button(name, () => view(name.toLowerCase()))));
view('stream');

const gate = h('dialog', { 'aria-label': 'Admin token' }, h('form', {
  method: 'dialog', onsubmit: ({ target }) => {
    setToken(target.elements.token.value.trim());
    store.start();
  },
}, p('This server asks for the token of its admin API. It printed the token when it started.'),
h('input', { name: 'token', type: 'password', 'aria-label': 'Admin token', required: true }), h('button', 'Open')));

const keys = {
  'j ArrowDown': ['next entry', () => stream.move(1)], 'k ArrowUp': ['previous entry', () => stream.move(-1)],
  Enter: ['go to the entry', () => find('#panel')?.focus()],
  Escape: ['close, go back', () => {
    if (entry.close()) return;
    if (document.body.dataset.view === 'stream' || innerWidth > 800) store.select(null);
    view('stream');
  }],
  ArrowLeft: ['previous tab', () => entry.turn(-1)], ArrowRight: ['next tab', () => entry.turn(1)],
  '/': ['filter', () => {
    view('stream');
    stream.input.focus();
  }],
  ' ': ['follow (space)', () => stream.follow()], l: ['a column for each lane', () => stream.lanes()],
  f: ['arm a fault here', () => entry.arm()], r: ['resend', () => entry.resend()],
  c: ['copy', () => entry.copy()], m: ['mark', () => entry.mark()], d: ['compare with the marked one', () => entry.compare()],
  w: ['the world as it was here', () => entry.travel()], '[': ['freeze or resume the clock', toggleClock],
  ']': ['advance the clock to what is due next', toNext], ':': ['command (also ⌘K, Ctrl-K)', () => line.prompt()],
  '?': ['this help', () => help.showModal()],
};
const help = h('dialog', { 'aria-label': 'Keys' }, facts(Object.fromEntries(Object.entries(keys).map(([key, [says]]) => [key, says]))),
  h('form', { method: 'dialog' }, h('button', 'Close')));
document.body.append(help, gate);

document.addEventListener('keydown', (event) => {
  const { target, metaKey, ctrlKey, altKey } = event;
  const isCommand = event.key === 'k' && (metaKey || ctrlKey);
  const key = isCommand ? ':' : event.key;
  const [, does] = Object.entries(keys).find(([names]) => names === key || names.split(' ').includes(key))?.[1] ?? [];
  // What has the focus has the keys that it knows: a button the space bar, a pane the arrows that scroll it.
  const isOwn = target.closest('button, summary, pre, .panel, .unplaced') && /^( |Enter|Arrow(Up|Down))$/.test(key);
  const isOther = !isCommand && (metaKey || ctrlKey || altKey || isOwn || target.closest('input, textarea, select'));
  if (!does || isOther || find('dialog[open]')) return;
  event.preventDefault();
  does();
});

store.start();
