// Tests that pass, of an app that does not do as it should: the user sees nothing of it, and only the verdict tells.

import assert from "node:assert/strict";
import { it } from "node:test";
import { makeApp } from "./app.mjs";

it("hurries", async () => {
  const app = await makeApp("hurries", { faults: ["liveperson.registerPush unavailable times=2"] }, "hurries");
  await app.start();
  await app.signIn();
  await app.register();
  assert.equal(await app.unread(), 0);
});

it("brings its code again", async () => {
  const app = await makeApp("brings-its-code-again", { faults: ["identity.token code-expired times=1"] }, "brings-its-code-again");
  await app.start();
  await app.signIn();
});
