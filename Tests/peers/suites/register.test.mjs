import assert from "node:assert/strict";
import { it } from "node:test";
import { makeApp } from "./app.mjs";

it("signs in anew for pushes", async () => {
  const app = await makeApp("signs-in-anew-for-pushes", { scenario: "registration-refused-as-expired" });
  await app.start();
  await app.signIn();
  await app.register();
  assert.equal(await app.unread(), 0);
});
