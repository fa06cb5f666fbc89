// Entries made legible and compared. What is in them is text, whatever it looks like.

import { div, h, muted, p, pre, span } from './dom.js';

/** Lines of a value as pretty JSON: [indent, key, text, pointer (RFC 6901) of what begins there]. */
function linesOf(value, pointer = '', indent = '', key = '', end = '', into = []) {
  const members = value && typeof value === 'object' ? Object.entries(value) : [];
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (!members.length) into.push([indent, key, JSON.stringify(value) + end, pointer]);
  else {
    into.push([indent, key, open, pointer]);
    members.forEach(([name, member], at) => linesOf(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, `${indent}  `,
      open === '[' ? '' : `${JSON.stringify(name)}: `, at < members.length - 1 ? ',' : '', into));
    into.push([indent, '', close + end]);
  }
  return into;
}

export function tree(value, flags = []) {
  const all = linesOf(value);
  const pointers = new Set(all.map((line) => line[3]));
  // What is missing has no line of its own: the nearest that holds it is flagged.
  const nearest = (pointer) => (pointers.has(pointer) || !pointer ? pointer : nearest(pointer.slice(0, pointer.lastIndexOf('/'))));
  const draw = ([indent, key, text, pointer]) => {
    const found = flags.filter((flag) => nearest(flag.pointer) === pointer);
    return [indent, h('span.key', key), found.length ? h(`mark.${found[0].style}`, text) : text,
      found.map(({ words, style }) => h(`span.${style}`, `  ${words}`)), '\n'];
  };
  return pre(all.map(draw));
}

export function body({ body: text, bodyHex }, flags) {
  try { return tree(JSON.parse(text), flags); } catch { /* Not JSON: shown as what it is. */ }
  if (/^[\w.%+~-]+=\S*$/.test(text)) return pre([...new URLSearchParams(text)].map(([name, value]) => `${name} = ${value}\n`));
  return text ?? bodyHex ? pre(text ?? `in hex: ${bodyHex}`) : muted('No body.');
}

function flat(value, path = '', into = new Map()) {
  let inner = value;
  if (/^[{[]/.test(value)) try { inner = JSON.parse(value); } catch { /* Not JSON. */ }
  if (inner && typeof inner === 'object') for (const [name, one] of Object.entries(inner)) flat(one, path ? `${path}.${name}` : name, into);
  else into.set(path, String(value));
  return into;
}

export function compare(marked, entry) {
  const [a, b] = [marked, entry].map(({ operation, lane, cause, request, answer }) => flat({ operation, lane, cause, request, answer }));
  const differing = [...new Set([...a.keys(), ...b.keys()])].filter((path) => a.get(path) !== b.get(path));
  const since = (read) => span(Date.parse(read(entry)) - Date.parse(read(marked)));
  const line = (sign, style, path, value) => value !== undefined && h(`span.${style}`, `${sign} ${path}: ${value}\n`);
  return div(
    p(`${differing.length} values differ; Δt ${since(({ arrival }) => arrival.wall)}, `,
      `on the sandbox’s clock ${since(({ sandboxTime }) => sandboxTime)}`),
    pre(differing.map((path) => [line('−', 'bad', path, a.get(path)), line('+', 'ok', path, b.get(path))])));
}
