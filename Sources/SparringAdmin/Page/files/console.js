// The line at the bottom: it takes the CLI's words, and shows the command line of whatever was done in the page.

import { call } from './api.js';
import { run } from './actions.js';
import { button, copy, fill, h, json } from './dom.js';
import { store } from './store.js';

const told = (result) => result?.done?.join('; ') ?? result?.credential ?? (typeof result === 'string' ? result : result ? '' : 'done');

class Console extends HTMLElement {
  #known = h('datalist', { id: 'commands' });
  #input = h('input.mono', {
    'aria-label': 'Command', placeholder: 'Command, such as clock advance 10m', list: 'commands', autocomplete: 'off', spellcheck: 'false',
    autocapitalize: 'off', onfocus: () => this.#learn(), onkeydown: ({ key }) => {
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

  async #learn() {
    if (this.#known.firstChild) return;
    const { operations } = await call('GET', 'operations').catch(() => ({ operations: [] }));
    fill(this.#known, operations.flatMap(({ commands = [] }) => commands.map((usage) =>
      h('option', { value: `${usage.split(/ \[| --| [A-Z]/)[0]} ` }, usage))));
  }

  #show({ command, result, problem }) {
    const says = told(result);
    fill(this.#echo, command && [h('code', { title: command }, command), button('Copy', () => copy(command))],
      problem ? h('span.bad', `✗ ${[problem.message, ...problem.nearest ?? []].join('; nearest: ')}`)
        : says ? h('span.ok', `→ ${says.slice(0, 200)}`) : json('answer', result));
  }

  async #enter(line) {
    const [, verb, entry] = /^(?:sparring )?journal (show|world) (\d+)$/.exec(line.trim()) ?? [];
    if (verb === 'show') store.select(Number(entry));
    else if (verb) store.turn('at', Number(entry));
    else if (await run(line).then(() => false, () => true)) return;
    this.#known.prepend(h('option', { value: line }));
    // Unless the next line has been begun meanwhile.
    if (this.#input.value === line) this.#input.value = '';
  }
}

customElements.define('sp-console', Console);
