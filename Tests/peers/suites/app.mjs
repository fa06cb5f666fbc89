// A brand's app as its tests drive it: signs in at the brand and at LivePerson, and registers its device for pushes.

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

const SECOND = Number(process.env.APP_SECOND ?? "1") * 1000; // what a second of the app's timers takes; the tests shorten it
const SANDBOXES = `${process.env.SPARRING_URL}/__admin/sandboxes`;

export class SignInFailed extends Error {}
class Unavailable extends Error {}
class Refused extends Error {}

/** Makes a test's sandbox, with what the test wants of it, and an app that is configured with it. */
export async function makeApp(name, form = {}, habit = undefined) {
  const answer = await fetch(SANDBOXES, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ name, ...form }) });
  if (answer.status !== 201) throw new Error(await answer.text());
  return new App(await answer.json(), habit);
}

/** One user on one device. A habit makes it a bad client: "hurries" retries at once, "brings-its-code-again" keeps a code that was refused. */
class App {
  #sandbox; #habit; #hosts = {}; #code; #token;

  constructor(sandbox, habit) {
    this.#sandbox = sandbox;
    this.#habit = habit;
  }

  /** Looks up where LivePerson's services are. */
  async start() {
    for (const service of ["idp", "pusher"]) {
      const { baseURI } = await this.#ask("GET", this.#sandbox.tlsBaseURL + this.#account(`/service/${service}/baseURI.json?version=1.0`));
      this.#hosts[service] = `https://${baseURI}`;
    }
  }

  /** Three refusals in a row, each of another code, and the user is told. */
  async signIn() {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        this.#token = await this.#patiently(() => this.#exchange());
        return;
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
      }
    }
    await this.#tell("gave-up");
    throw new SignInFailed();
  }

  register() {
    return this.#pusher("PUT", "/registrations/com.example.brand", { deviceToken: "cd".repeat(32), pushType: "FCM", lang: "en-US" });
  }

  async unread() {
    return (await this.#pusher("GET", "/unread?appId=com.example.brand")).total;
  }

  /** The device is unregistered first, so that the next user does not get this one's pushes. */
  async signOut() {
    await this.#pusher("DELETE", "/registrations/com.example.brand?type=ALL");
    await this.#tell("signed-out");
  }

  #account(path) { return `/api/account/${this.#sandbox.tenants.liveperson.accountId}${path}`; }

  async #exchange() {
    const { identity } = this.#sandbox.tenants;
    if (!this.#code || this.#habit !== "brings-its-code-again") this.#code = await this.#askBrand(identity);
    const body = { code: this.#code, redirect_uri: identity.redirectURI };
    return (await this.#ask("POST", this.#hosts.idp + this.#account("/app/default/authenticate?v=2.0"), body)).jwt;
  }

  async #askBrand(identity) {
    const { clientId: client_id, redirectURI: redirect_uri } = identity;
    const wish = { response_type: "code", client_id, redirect_uri, scope: "openid", state: randomUUID(), login_hint: "grace" };
    const answer = await fetch(`${identity.authorizationEndpoint}?${new URLSearchParams(wish)}`, { redirect: "manual" });
    if (answer.status !== 302) throw new Unavailable(`the brand answered ${answer.status}`);
    return new URL(answer.headers.get("location")).searchParams.get("code");
  }

  /** With the standard retries, and once with a fresh token where the one that there is was refused. */
  async #pusher(method, path, body) {
    const call = () => this.#ask(method, `${this.#hosts.pusher}/mock/pusher/account/${this.#sandbox.tenants.liveperson.accountId}${path}`, body, this.#token);
    try {
      return await this.#patiently(call);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      await this.signIn();
      return await this.#patiently(call);
    }
  }

  /** LivePerson's advice: what fails because the server is down is tried again after 1, 2, 4, 8 and 16 seconds. */
  async #patiently(call) {
    for (const delay of [1, 2, 4, 8, 16]) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        await sleep(this.#habit === "hurries" ? 0 : delay * SECOND);
      }
    }
    return await call();
  }

  async #ask(method, url, body, token) {
    const headers = { ...(body && { "content-type": "application/json" }), ...(token && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
    const text = await answer.text();
    if (answer.ok) return text ? JSON.parse(text) : undefined;
    // LivePerson's own refusal of a sign-in has status 500 and this member.
    if (answer.status === 401 || text.includes("internalErrorCode")) throw new Refused(text);
    throw new Unavailable(`${answer.status} ${text}`);
  }

  /** Tells Sparring what cannot be seen on the network. */
  async #tell(mark) {
    const body = JSON.stringify({ mark, lane: "grace" });
    await fetch(`${SANDBOXES}/${this.#sandbox.id}/journal/marks`, { method: "POST", headers: { "content-type": "application/json" }, body });
  }
}
