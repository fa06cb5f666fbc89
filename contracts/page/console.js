// The line at the bottom: it takes the CLI's words, and shows the command line of whatever was done in the page.

import { actions, parse, run } from './actions.js';
import { button, copy, fill, h } from './dom.js';
import { store } from './store.js';

const all = Object.values(actions);

function split(line) {
  const words = [];
  let word;
  for (const [, single, double, escaped, space, other] of `${line} `.matchAll(/'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)|(\s+)|(.)/gs)) {
    if (space === undefined) word = (word ?? '') + (single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? other);
    else if (word !== undefined) words.push(word);
    if (space) word = undefined;
  }
  return words[0] === 'sparring' ? words.slice(1) : words;
}

async function perform(words) {
  for (const [option, here] of [['--sandbox', store.sandbox], ['--url', location.origin]]) {
    const index = words.indexOf(option);
    if (index >= 0 && words.splice(index, 2)[1] !== here) throw new Error(`this page acts on the ${option.slice(2)} ${here} only`);
  }
  const [, verb, entry] = /^journal (show|world) (\d+)$/.exec(words.join(' ')) ?? [];
  if (entry) {
    if (verb === 'show') store.select(Number(entry));
    else store.turn('at', Number(entry));
    return;
  }
  for (const action of all) {
    const args = parse(action, words);
    if (args) {
      await run(action.id, args).catch(() => {});
      return;
    }
  }
  const near = all.filter(({ path }) => path.includes(words[0]));
  const known = (near.length ? near : all).map(({ start }) => start).join(', ');
  throw new Error(`there is no '${words.slice(0, 2).join(' ')}' here; there is ${known}`);
}

const told = (result) => result?.done?.join('; ') ?? result?.credential ?? (result ? JSON.stringify(result) : 'done');

class Console extends HTMLElement {
  #known = h('datalist', { id: 'commands' }, all.map(({ start, usage }) => h('option', { value: `${start} ` }, usage)));
  #input = h('input.mono', {
    'aria-label': 'Command', placeholder: ': fault add …', list: 'commands', autocomplete: 'off', spellcheck: 'false',
    autocapitalize: 'off', onkeydown: ({ key }) => {
      if (key === 'Escape') this.#input.blur();
      else if (key === 'Enter' && this.#input.value.trim()) this.#enter(this.#input.value);
    },
  });
  #echo = h('output.echo');

  connectedCallback() {
    this.append(this.#echo, this.#input, this.#known);
    store.addEventListener('acted', ({ detail }) => this.#show(detail));
  }

  prompt(text = '') {
    this.#input.value = text;
    this.#input.focus();
  }

  #show({ command, result, problem }) {
    fill(this.#echo, command && [h('code', { title: command }, command), button('Copy', () => copy(command))],
      problem ? h('span.bad', `✗ ${[problem.message, ...problem.nearest ?? []].join('; nearest: ')}`)
        : h('span.ok', `→ ${told(result).slice(0, 200)}`));
  }

  async #enter(line) {
    try {
      await perform(split(line));
      this.#known.prepend(h('option', { value: line }));
      // Unless the next line has been begun meanwhile.
      if (this.#input.value === line) this.#input.value = '';
    } catch (problem) { this.#show({ problem }); }
  }
}

customElements.define('sp-console', Console);
