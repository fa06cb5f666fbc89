// All that the page can change: each action is one command of the CLI, and the one request that the command makes.

import { call } from './api.js';
import { store } from './store.js';

export const actions = {};

/** The usage names the arguments. Those that are not in the route are the body, if nothing else is said. */
function define(id, usage, route, body) {
  const [start] = usage.match(/^[a-z -]*?(?= \[?[A-Z]| \[?--(?!all)|$)/);
  const places = [...usage.slice(start.length).split('--')[0].matchAll(/(\[?)([A-Z=]+)(…?)/g)].map(([, open, name, rest]) => (
    { key: name === 'NAME=JSON' ? 'with' : name.toLowerCase(), isOptional: Boolean(open), isRest: Boolean(rest) }));
  actions[id] = { id, usage, start, path: start.split(' '), places, route, body };
}

define('clock.freeze', 'clock freeze [--at TIME]', 'PUT clock', ({ at: now }) => ({ mode: 'frozen', now }));
define('clock.resume', 'clock resume [--rate RATE]', 'PUT clock', ({ rate }) => ({ mode: rate ? 'rate' : 'real', rate }));
define('clock.advance', 'clock advance DURATION [--keep-sockets]', 'POST clock/advance',
  ({ duration: by, keepSockets }) => ({ by, keepSockets }));
define('fault.add', 'fault add TEXT…', 'POST faults', ({ text: fault }) => ({ fault }));
define('fault.clear', 'fault remove --all', 'DELETE faults');
define('fault.remove', 'fault remove NUMBER', 'DELETE faults/{number}');
define('scenario.play', 'scenario play SCENARIO [--seed SEED]', 'POST scenario');
define('sandbox.create', 'sandbox create [--name NAME] [--seed SEED] [--scenario SCENARIO]', 'POST /sandboxes');
define('sandbox.fork', 'sandbox fork NUMBER [--name NAME]', 'POST journal/{number}/fork');
define('sandbox.reset', 'sandbox reset NAME', 'POST /sandboxes/{name}/reset');
define('sandbox.delete', 'sandbox delete NAME', 'DELETE /sandboxes/{name}');
define('journal.resend', 'journal resend NUMBER [--method METHOD] [--target TARGET] [--header HEADER] [--body TEXT] [--as LANE]',
  'POST journal/{number}/resend');
define('journal.clear', 'journal clear', 'DELETE journal');
define('journal.mark', 'journal mark MARK [--as LANE]', 'POST journal/marks');
define('act', 'act VENDOR OPERATION [NAME=JSON…]', 'POST acts');
define('device.push', 'device push CONSUMER TEXT [--vendor VENDOR]', 'POST acts',
  ({ vendor, ...rest }) => ({ operation: 'push', vendor, with: rest }));
define('device.renew', 'device renew-token DEVICE', 'POST devices/{device}/token', () => ({}));
define('socket.close', 'socket close NUMBER [--code CODE] [--reason REASON]', 'POST sockets/{number}/end',
  (rest) => ({ how: 'close', ...rest }));
for (const how of ['freeze', 'abort']) define(`socket.${how}`, `socket ${how} NUMBER`, 'POST sockets/{number}/end', () => ({ how }));
define('tenant.set', 'tenant change VENDOR --set JSON', 'PATCH tenants/{vendor}', ({ set }) => set);
define('keys.rotate', 'keys rotate VENDOR', 'POST tenants/{vendor}/keys/rotate');
define('credential.mint', 'credential mint --form FORM --subject SUBJECT [--defect DEFECT] [--missing-claim CLAIM] [--claim NAME=JSON]'
  + ' [--redirect-uri URI] [--code-challenge TEXT] [--client-id ID] [--lifetime DURATION] [--issued-at TIME]', 'POST credentials');
define('verify', 'verify', 'POST verdicts', () => ({}));

/** A value that is not JSON is a string, unless it begins as JSON does. */
export function jsonOrText(text) {
  try { return JSON.parse(text); } catch {
    if (/^[{["]/.test(text)) throw new Error(`this is not JSON: ${text}`);
    return text;
  }
}

function asJSON(value) {
  try { if (typeof value === 'string' && jsonOrText(value) === value) return value; } catch { /* It begins as JSON does. */ }
  return JSON.stringify(value);
}

function texts(key, value = []) {
  if (key === 'headers') return Object.entries(value).map((pair) => pair.join(': '));
  if (key === 'set') return [JSON.stringify(value)];
  if (typeof value === 'object' && !Array.isArray(value)) return Object.entries(value).map(([name, one]) => `${name}=${asJSON(one)}`);
  return [value].flat().map(String);
}

const optionOf = (key) => (key === 'lane' ? '--as'
  : `--${key.replace(/^(header|claim)s$/, '$1').replace(/[A-Z]+/g, (letters) => `-${letters.toLowerCase()}`)}`);
const keyOf = (option) => (option === '--as' ? 'lane'
  : option.slice(2).replace(/-(.)/g, (_, letter) => letter.toUpperCase()).replace(/Uri$/, 'URI'));

function words({ path, places }, args) {
  const placed = places.flatMap(({ key }) => texts(key, args[key]));
  const given = Object.entries(args).filter(([key, value]) => value !== undefined && !places.some((place) => place.key === key))
    .flatMap(([key, value]) => (value === true ? optionOf(key)
      : texts(key, value).flatMap((text) => (text.startsWith('-') ? `${optionOf(key)}=${text}` : [optionOf(key), text]))));
  // Behind `--`, a word with a dash is no option.
  return placed.some((word) => word.startsWith('-')) ? [...path, ...given, '--', ...placed] : [...path, ...placed, ...given];
}

function put(args, key, text) {
  const number = Number(text);
  const [, name, rest] = /^([^:=]+)[:=] *(.*)/s.exec(text) ?? [];
  if (/^(header|claim)$/.test(key)) args[`${key}s`] = { ...args[`${key}s`], [name]: key === 'claim' ? jsonOrText(rest) : rest };
  else if (key === 'set') args.set = jsonOrText(text);
  else if (!/^(number|seed|rate|code|calls)$/.test(key)) args[key] = key in args ? [args[key], text].flat() : text;
  else if (text === '' || Number.isNaN(number)) throw new Error(`${key}: '${text}' is no number`);
  else args[key] = number;
}

export function parse({ usage, path, places }, list) {
  if (path.some((word, index) => list[index] !== word)) return null;
  const args = {};
  const plain = [];
  const queue = list.slice(path.length);
  while (queue.length) {
    const word = queue.shift();
    const [, option, joined] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (word === '--') plain.push(...queue.splice(0));
    else if (!option) plain.push(word);
    else if (!usage.includes(option)) throw new Error(`there is no ${option} here: ${usage}`);
    else if (usage.includes(`${option}]`)) args[keyOf(option)] = true;
    else put(args, keyOf(option), joined ?? queue.shift() ?? '');
  }
  for (const { key, isOptional, isRest } of places) {
    if (key === 'with') {
      const pairs = plain.splice(0).map((word) => /^([^=]*)=?(.*)$/s.exec(word));
      args.with = Object.fromEntries(pairs.map(([, name, value]) => [name, jsonOrText(value)]));
    } else if (plain.length) put(args, key, isRest ? plain.splice(0).join(' ') : plain.shift());
    else if (!isOptional) throw new Error(`something is missing: ${usage}`);
  }
  if (plain.length) throw new Error(`'${plain[0]}' is too much: ${usage}`);
  return args;
}

function request({ route, body = (args) => args }, args) {
  const [method, path] = route.split(' ');
  const rest = { ...args };
  const filled = (path.startsWith('/') ? path.slice(1) : `${store.path}/${path}`).replace(/\{(\w+)\}/g, (_, name) => {
    delete rest[name];
    return encodeURIComponent(args[name]);
  });
  const whole = body(rest);
  return [method, filled, method === 'DELETE' || filled.endsWith('/reset') || filled.endsWith('/rotate') ? undefined : whole];
}

export const quote = (word) => (/^[\w/:.,@%+-][\w/:.,@%+=-]*$/.test(word) ? word : `'${word.replaceAll('\'', '\'\\\'\'')}'`);

/** The command line of the CLI that has the same effect on the sandbox and the server of this page. */
export function command(id, args) {
  const list = words(actions[id], args);
  const more = actions[id].route.includes(' /') || store.sandbox === 'default' ? [] : ['--sandbox', store.sandbox];
  if (location.origin !== 'http://127.0.0.1:8080') more.push('--url', location.origin);
  const end = list.includes('--') ? list.indexOf('--') : list.length;
  return ['sparring', ...list.slice(0, end), ...more, ...list.slice(end)].map(quote).join(' ');
}

/** Performs an action on the sandbox that the page shows, and tells the store of it: `acted`. Throws what `call` throws. */
export async function run(id, args = {}) {
  const detail = { id, command: command(id, args) };
  try {
    detail.result = await call(...request(actions[id], args));
    return detail.result;
  } catch (problem) {
    detail.problem = problem;
    throw problem;
  } finally { store.emit('acted', detail); }
}
