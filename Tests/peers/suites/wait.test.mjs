import assert from "node:assert/strict";
import { it } from "node:test";
import { makeApp } from "./app.mjs";

it("waits for the pusher", async () => {
  const app = await makeApp("waits-for-the-pusher", { faults: ["liveperson.registerPush unavailable times=2"] });
  await app.start();
  await app.signIn();
  await app.register();
  assert.equal(await app.unread(), 0);
});
