// The only way in which the page makes elements. Text, which comes from the clients under test, goes in as text nodes, never as markup.

const shown = (children) => children.flat(Infinity).filter((child) => (child ?? false) !== false);

/** Makes an element: `h('p.muted', { title, onclick }, …)`. Attributes and listeners may be left out. */
export function h(name, ...children) {
  const [tag, ...classes] = name.split('.');
  const element = document.createElement(tag);
  if (classes.length) element.className = classes.join(' ');
  const props = children[0]?.constructor === Object ? children.shift() : {};
  for (const [key, value] of Object.entries(props)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if ((value ?? false) !== false) element.setAttribute(key, value === true ? '' : value);
  }
  element.append(...shown(children));
  return element;
}

export function fill(element, ...children) {
  element.replaceChildren(...shown(children));
  return element;
}

const nameOf = (element) => element.dataset.key ?? element.textContent;

/** Fills it anew: what was folded open stays open, and the focus stays on what has the same `data-key` or text. */
export function refill(element, ...children) {
  const opened = new Set([...element.querySelectorAll('details[open] > summary')].map(nameOf));
  const focused = element.contains(document.activeElement) && nameOf(document.activeElement);
  fill(element, children);
  for (const summary of element.querySelectorAll('summary')) if (opened.has(nameOf(summary))) summary.parentElement.open = true;
  if (focused) [...element.querySelectorAll('button, summary')].find((one) => nameOf(one) === focused)?.focus({ preventScroll: true });
}

const made = (name) => (...children) => h(name, ...children);
export const [div, row, p, muted, red, mono, grow, strong] =
  ['div', 'div.row', 'p', 'p.muted', 'p.bad', 'span.mono', 'span.grow', 'strong'].map(made);
export const bad = (error) => red({ role: 'alert' }, error.message);
export const chip = (text, style = '') => h('span', { class: `chip ${style}` }, text);
export const button = (text, onclick, props) => h('button', { type: 'button', onclick, ...props }, text);
export const field = (label, control) => h('label.field', h('span', label), control);
export const choice = (values, props) => h('select', props, values.map((value) => h('option', { value }, value)));
export const fold = (title, ...children) => h('details', h('summary', title), children);
export const pre = (...children) => h('pre.body', { tabindex: 0 }, children);
export const json = (title, value) => fold(title, pre(JSON.stringify(value, null, 2)));

export const facts = (all) => h('dl', Object.entries(all).filter(([, value]) => value)
  .map(([name, value]) => [h('dt', name), h('dd', value)]));

export const table = (names, rows) => h('table', h('tr', names.map((name) => h('th', { scope: 'col' }, name))),
  rows.map((cells) => h('tr', cells.map((cell) => h('td', cell)))));

export const time = (text) => text?.slice(11, 23);
const numbers = new Intl.NumberFormat('en');
export const thousands = (number) => numbers.format(number);
export const kbd = (...names) => names.map((name) => [h('kbd', name), ' ']);
/** A heading and what it says, where there is nothing else to show. */
export const blank = (heading, ...children) => h('div.blank', h('h2', heading), children);

export function span(ms) {
  const [size, unit] = [[864e5, 'd'], [36e5, 'h'], [6e4, 'min'], [1e3, 's']].find(([least]) => Math.abs(ms) >= least) ?? [1, 'ms'];
  return `${Number((ms / size).toPrecision(3))} ${unit}`;
}

/** Hours, minutes and seconds, as a clock shows what is left. */
export function countdown(ms) {
  const whole = Math.ceil(ms / 1000);
  const [days, hours, minutes, seconds] = [whole / 86400, whole / 3600 % 24, whole / 60 % 60, whole % 60].map(Math.floor);
  const two = (number) => String(number).padStart(2, '0');
  return `${days ? `${days} d ` : ''}${days || hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}`;
}

/** Puts a text on the clipboard, or what a promise of it brings: where that fails, the clipboard keeps what it has. */
export const copy = (text) => navigator.clipboard?.write([new ClipboardItem({
  'text/plain': Promise.resolve(text).then((all) => new Blob([all], { type: 'text/plain' })),
})]).catch(() => {});

export function listen(target, listeners) {
  for (const [name, hear] of Object.entries(listeners)) target.addEventListener(name, ({ detail }) => hear(detail));
}
