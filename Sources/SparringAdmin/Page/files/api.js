// The admin API, which is all that the page knows of the server.

const key = 'sparring-admin-token';

/** An answer that is not a success: RFC 9457 problem details, or no answer at all (status 0). */
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail ?? body.title ?? `status ${status}`);
    Object.assign(this, { status, nearest: body.nearest ?? body.choices ?? [] });
  }
}

export const setToken = (value) => sessionStorage.setItem(key, value);

function headers(more) {
  const token = sessionStorage.getItem(key);
  return token ? { ...more, Authorization: `Bearer ${token}` } : more;
}

async function problem(response) {
  const text = await response.text();
  try { return new Problem(response.status, JSON.parse(text)); } catch { /* Not from the admin API. */ }
  return new Problem(response.status, { detail: text.slice(0, 500) || response.statusText });
}

export async function call(method, path, body) {
  const more = body === undefined ? { headers: headers({}) }
    : { headers: headers({ 'Content-Type': 'application/json' }), body: JSON.stringify(body) };
  const response = await fetch(`/__admin/${path}`, { method, cache: 'no-store', ...more })
    .catch(() => { throw new Problem(0, { detail: 'the server does not answer' }); });
  if (!response.ok) throw await problem(response);
  const text = await response.text();
  return /json/.test(response.headers.get('Content-Type')) && text ? JSON.parse(text) : text;
}

/** Hears server-sent events until `signal` aborts; EventSource cannot send the token. `state` gets 'open', 'lost' and 'refused'. */
export async function follow(path, since, signal, state, hear) {
  let last;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      const [query, more] = last === undefined ? [`?since=${since}`, {}] : ['', { 'Last-Event-ID': last }];
      const response = await fetch(`/__admin/${path}${query}`, { signal, cache: 'no-store', headers: headers(more) });
      if (!response.ok) throw await problem(response);
      attempt = 0;
      state('open');
      await read(response.body, (event, data, id) => {
        if (signal.aborted) return;
        last = id ?? last;
        hear(event, data);
      });
    } catch (error) {
      if ([401, 403, 404].includes(error.status)) {
        state('refused', error);
        return;
      }
    }
    if (signal.aborted) return;
    state('lost');
    await new Promise((resolve) => { setTimeout(resolve, Math.min(250 * 2 ** attempt, 4000)); });
  }
}

/** WHATWG HTML §9.2.6, as far as this server writes it: lines end with LF, and an event has one line of data. */
async function read(body, dispatch) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const blocks = (rest + value).split('\n\n');
    rest = blocks.pop();
    for (const block of blocks) {
      // Texts may hold what JavaScript takes for the end of a line.
      const { id, event, data } = Object.fromEntries(block.split('\n').map((line) => /^(\w*): ([^]*)$/.exec(line)?.slice(1) ?? []));
      if (data !== undefined) dispatch(event, JSON.parse(data), id);
    }
  }
}
