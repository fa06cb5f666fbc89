import assert from "node:assert/strict";
import { it } from "node:test";
import { makeApp } from "./app.mjs";

it("unregisters when the user leaves", async () => {
  const app = await makeApp("unregisters-when-the-user-leaves", { scenario: "unregister-fails-twice-at-sign-out" });
  await app.start();
  await app.signIn();
  await app.register();
  assert.equal(await app.unread(), 0);
  await app.signOut();
});
