// What the page changes. Each change is a command of the CLI, of which the server says what request it stands for.

import { call } from './api.js';
import { store } from './store.js';

export const here = (method, path, body) => call(method, `${store.path}/${path}`, body);

/** The request of a command, which is given by its words, or as the line that one types. */
export const read = (typed) => here('POST', 'commands', Array.isArray(typed) ? { words: typed.map(String) } : { line: typed });

/** Performs a command on the sandbox that the page shows, and tells the store of it: `acted`. Throws what `call` throws. */
export async function run(typed) {
  const detail = {};
  try {
    const { command, method, target, body } = await read(typed);
    detail.command = command;
    detail.result = await call(method, target.replace('/__admin/', ''), body);
    return detail.result;
  } catch (problem) {
    detail.problem = problem;
    throw problem;
  } finally { store.emit('acted', detail); }
}
