import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { makeApp, SignInFailed } from "./app.mjs";

describe("signing in", { concurrency: 4 }, () => {
  it("signs in by code", async () => {
    const app = await makeApp("signs-in-by-code");
    await app.start();
    await app.signIn();
    assert.equal(await app.unread(), 0);
  });

  it("fetches another code", async () => {
    const app = await makeApp("fetches-another-code", { faults: ["identity.token code-expired times=1"] });
    await app.start();
    await app.signIn();
  });

  it("says that it cannot sign in", async () => {
    const app = await makeApp("says-that-it-cannot-sign-in", { scenario: "wrong-issuer" });
    await app.start();
    await assert.rejects(app.signIn(), SignInFailed);
  });
});
