// The page: its bar, its parts, its dialogs and its keys.

import { button, fill, h, kbd, listen, p, thousands } from './dom.js';
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
const about = h('span.muted.about');
const findings = button('', () => store.turn('filter', 'finding'), { title: 'Show the entries with findings' });
const broken = button('', () => view('verdict'), { title: 'Show the verdict', hidden: true });
const [date, clock, mode] = ['date', 'clock', 'mode'].map((name) => h(`span.${name}`));
const freeze = button('Freeze', toggleClock);
const connection = h('span.chip', { role: 'status' }, '○ connecting…');

fill(find('#top'), h('h1', 'Sparring'), picker, connection, about, findings, broken, h('time.mono', date, clock, mode), freeze,
  button('?', () => help.showModal(), { 'aria-label': 'Keys', title: 'Keys' }));

/** A count says what it counts, and has a colour only if there is something. */
function tell(element, count, style, words) {
  fill(element, words);
  element.className = count ? style : 'muted';
}
const tellFindings = () => tell(findings, found, 'warn', `⚠ ${thousands(found)} finding${found === 1 ? '' : 's'}`);

function tick() {
  if (!store.info) return;
  const shown = new Date(store.now).toISOString();
  const { mode: runs, rate } = store.info.clock;
  fill(date, `${shown.slice(0, 10)} `);
  fill(clock, shown.slice(11, 19));
  fill(mode, { frozen: ' frozen', rate: ` × ${rate}` }[runs]);
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
  tick,
  entries: (heads) => {
    found += heads.filter((head) => head.findings).length;
    tellFindings();
  },
  reset: () => {
    found = 0;
    tellFindings();
  },
  // The number that the drawer and the command line have: what a rule only advises is not broken.
  verdict: ({ fail = 0 }) => {
    broken.hidden = false;
    tell(broken, fail, 'bad', `✗ ${fail} broken`);
  },
  // Where the parts are shown one at a time, what was filtered is to be seen.
  filter: () => view('stream'),
  connection: ([state, problem]) => {
    fill(connection, { open: '● live', lost: '○ connecting…' }[state] ?? `✕ ${problem.message}`);
    if (problem?.status === 401 && !gate.open) gate.showModal();
    if (state === 'open') list();
  },
  acted: () => store.readInfo().catch(() => {}), selected: (number) => number && view('entry'), at: (number) => number && view('world'),
});
tellFindings();
setInterval(() => { if (!document.hidden && store.info) store.emit('tick'); }, 250);

// The parts, of which a narrow page shows one at a time

function view(name) {
  document.body.dataset.view = name;
  for (const each of find('#views').children) each.setAttribute('aria-current', String(each.textContent.toLowerCase() === name));
  if (name !== 'verdict') return;
  find('sp-verdict details').open = true;
  find('sp-verdict summary').focus();
}

fill(find('#views'), ['Stream', 'Entry', 'World', 'Verdict'].map((name) => button(name, () => view(name.toLowerCase()))));
view(store.selected ? 'entry' : 'stream');

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
    if (closeMenus() || entry.close()) return;
    if (document.body.dataset.view === 'stream' || innerWidth > 800) store.select(null);
    view('stream');
  }],
  ArrowLeft: ['previous tab', () => entry.turn(-1)], ArrowRight: ['next tab', () => entry.turn(1)],
  '/': ['filter', () => {
    view('stream');
    stream.input.focus();
  }],
  ' ': ['follow', () => stream.follow()], l: ['a column for each lane', () => stream.lanes()],
  f: ['arm a fault here', () => entry.arm()], r: ['resend', () => entry.resend()],
  c: ['copy', () => entry.copy()], m: ['mark', () => entry.mark()], d: ['compare with the marked one', () => entry.compare()],
  w: ['the world as it was here', () => entry.travel()], '[': ['freeze or resume the clock', toggleClock],
  ']': ['advance the clock to what is due next', toNext], ':': ['command (also ⌘K, Ctrl-K)', () => line.prompt()],
  '?': ['this help', () => help.showModal()],
};
const shown = { ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc', '': 'Space' };
const namesOf = (key) => [...new Set(key.split(' '))].map((name) => shown[name] ?? name);
const help = h('dialog', { 'aria-label': 'Keys' }, h('form.row', { method: 'dialog' }, h('h2.grow', 'Keys'), h('button', 'Close')),
  h('dl.keys', Object.entries(keys).map(([key, [says]]) => h('div', h('dt', kbd(...namesOf(key))), h('dd', says)))));
document.body.append(help, gate);

// A menu closes when one has chosen, looks elsewhere or presses Escape.

function closeMenus(but) {
  const open = [...document.querySelectorAll('.bar details[open]')].filter((one) => one !== but);
  for (const one of open) {
    if (one.contains(document.activeElement)) one.querySelector('summary').focus();
    one.open = false;
  }
  return open.length > 0;
}
document.addEventListener('click', ({ target }) => { closeMenus(target.closest('.bar details')); });

document.addEventListener('keydown', (event) => {
  const { target, metaKey, ctrlKey, altKey } = event;
  const isCommand = event.key === 'k' && (metaKey || ctrlKey);
  const key = isCommand ? ':' : event.key;
  const [, does] = Object.entries(keys).find(([names]) => names === key || names.split(' ').includes(key))?.[1] ?? [];
  // What has the focus has the keys that it knows: a button the space bar, a pane the arrows that scroll it.
  const isOwn = target.closest('button, summary, pre, .panel, .unplaced') && /^( |Enter|Arrow(Up|Down))$/.test(key);
  // Escape leaves a form from any of its fields.
  const isTyped = target.closest('input, textarea, select') && !(key === 'Escape' && target.closest('sp-entry'));
  const isOther = !isCommand && (metaKey || ctrlKey || altKey || isOwn || isTyped);
  if (!does || isOther || find('dialog[open]')) return;
  event.preventDefault();
  does();
});

store.start();
