// What the page knows of one sandbox: the heads of its journal, what is selected, and the address, which holds the page's state.

import { call, follow } from './api.js';

// Of more heads than this the oldest are dropped, in blocks, so that not every arrival moves the list.
const most = 50_000;
const block = 1_000;

class Store extends EventTarget {
  sandbox = '';
  info = null;
  heads = new Map();
  floor = 0;
  last = 0;
  /** The number of the next entry when the stream was opened: what is below is not new. */
  next = 1;
  lanes = new Map();
  state = Object.fromEntries(new URLSearchParams(location.search));
  filter = this.state.filter ?? '';
  selected = Number(this.state.entry) || null;
  at = Number(this.state.at) || null;

  #clock;
  #fresh = [];
  #isDue = false;
  #made;
  #following;
  #refresh;
  #writing;

  get path() { return `sandboxes/${encodeURIComponent(this.sandbox)}`; }

  /** What the sandbox's clock shows, in milliseconds: the same in all parts of the page, by whichever of them read it last. */
  get now() {
    const { now, rate, read } = this.#clock;
    return now + rate * (performance.now() - read);
  }

  setClock({ mode, now, rate = 1 }) {
    this.#clock = { now: Date.parse(now), rate: mode === 'frozen' ? 0 : rate, read: performance.now() };
    this.emit('tick');
  }

  /** Nothing was ever entered: it is not that the journal is still being read. */
  get isNew() { return this.#made !== undefined && this.next <= this.floor + 1 && !this.heads.size; }

  entry(number) { return call('GET', `${this.path}/journal/${number}`); }

  emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  /** Changes members of the page's state, which are written to the address; null removes one. */
  set(changes) {
    Object.assign(this.state, changes);
    // Browsers allow an address to be changed only so often.
    clearTimeout(this.#writing);
    this.#writing = setTimeout(() => {
      const query = new URLSearchParams(Object.entries(this.state).filter(([, value]) => value)).toString();
      history.replaceState(null, '', location.pathname + (query && `?${query}`));
    }, 150);
  }

  turn(name, value, member = name) {
    this[member] = value;
    this.set({ [name]: value });
    this.emit(member, value);
  }

  select(number) { this.turn('entry', number, 'selected'); }

  /** Finds the sandbox, reads about it and follows its journal. May be called again, as after a token was given. */
  async start() {
    try {
      this.sandbox = decodeURIComponent(location.pathname.match(/^\/__sparring\/([^/]+)/)?.[1] ?? '');
      if (!this.sandbox) {
        const names = (await call('GET', 'sandboxes')).sandboxes.map(({ id }) => id);
        this.sandbox = names.includes('default') ? 'default' : names[0] ?? 'default';
      }
      this.#follow();
      await this.readInfo();
    } catch (error) { this.emit('connection', ['refused', error]); }
  }

  async readInfo() {
    this.info = await call('GET', this.path);
    this.setClock(this.info.clock);
    this.emit('info');
  }

  #follow(since = 1) {
    this.#following?.abort();
    const { signal } = this.#following = new AbortController();
    follow(`${this.path}/stream`, since, signal, (...all) => this.emit('connection', all), (event, data) => this.#hear(event, data));
  }

  #hear(event, data) {
    if (event === 'entries') this.#take(data);
    else if (event === 'pruned') this.floor = data.floor;
    // Reading was too slow, and some were left out: the stream is read again from there.
    else if (event === 'lag') this.#follow(data.from);
    else if (event === 'gone') {
      this.#following.abort();
      this.emit('connection', ['refused', new Error(data.words)]);
    } else if (event === 'open') {
      const isOther = this.#made !== undefined && this.#made !== data.made;
      this.#made = data.made;
      this.floor = data.floor;
      this.next = data.next;
      // A stream that was taken up where the old journal stood would leave out the beginning of the new one.
      if (isOther) {
        this.#clear();
        this.#follow();
      }
      this.emit('opened');
      this.#later();
    }
  }

  #clear() {
    this.heads.clear();
    this.lanes.clear();
    this.#fresh = [];
    this.last = 0;
    this.emit('reset');
    this.select(null);
    this.turn('at', null);
  }

  #take(heads) {
    this.#fresh.push(...heads);
    if (this.#isDue) return;
    this.#isDue = true;
    if (document.hidden) setTimeout(() => this.#flush(), 250);
    else requestAnimationFrame(() => this.#flush());
  }

  #flush() {
    const heads = this.#fresh.filter(({ number }) => number > this.last);
    this.#fresh = [];
    this.#isDue = false;
    if (!heads.length) return;
    for (const head of heads) {
      head.wall = Date.parse(head.wall);
      this.#place(head);
      this.heads.set(head.number, head);
    }
    this.last = heads.at(-1).number;
    this.emit('entries', heads);
    this.#drop();
    if (heads.some(({ kind }) => kind === 'clock' || kind === 'configuration')) this.#later();
  }

  #place(head) {
    const { lane, ordinal, number, causedBy: by } = head;
    if (lane !== undefined && !this.lanes.has(lane)) this.lanes.set(lane, { place: this.lanes.size % 8, ordinals: [] });
    if (ordinal !== undefined) this.lanes.get(lane).ordinals[ordinal] = number;
    const parent = by && this.heads.get(this.lanes.get(by.lane)?.ordinals[by.ordinal]);
    // A push that was asked for is entered without an operation, yet what it causes names one.
    const isParent = parent && (!parent.operation || parent.operation === by.operation);
    head.parent = isParent ? parent.number : 0;
    head.depth = isParent ? Math.min(parent.depth + 1, 6) : 0;
  }

  #drop() {
    const [first] = this.heads.keys();
    const floor = Math.max(this.floor, this.last - most);
    if (floor < first + block) return;
    for (const number of this.heads.keys()) if (number <= floor) this.heads.delete(number);
    this.emit('pruned');
  }

  #later() {
    clearTimeout(this.#refresh);
    this.#refresh = setTimeout(() => this.readInfo().catch(() => {}), 300);
  }
}

export const store = new Store();
