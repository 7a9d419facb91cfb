import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import type { User } from "../../../src/access/user.ts";
import { anApi, aRepo, aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";
import { aPageOf } from "../../web/browser-calls.ts";

/** What a good signature is worth by the trust model of its repository (contract identity.md 10.5). */

let server: TestServer;
let ada: TestUser;
let eve: TestUser;
const api = anApi(() => server);
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server);
  eve = await aUser(server);
});
afterAll(() => server.close());

const trustOf = (repoId: number, signer: User, committer: User) => {
  const seen = server.services.repos.seeById(asAccount(ada.user), repoId);
  if (!seen) throw new Error("the repository is gone");
  return server.services.signatures.trustIn(seen, { user: signer, name: "", email: "" }, committer);
};

test.each([
  ["default", "trusted", "trusted", "untrusted", "unmatched"],
  ["collaborator", "trusted", "trusted", "untrusted", "unmatched"],
  ["committer", "trusted", "unmatched", "trusted", "unmatched"],
  ["collaboratorcommitter", "trusted", "unmatched", "untrusted", "unmatched"],
  ["nonsense", "trusted", "trusted", "untrusted", "unmatched"],
])("%s", async (model, ownAda, adaForEve, ownEve, eveForAda) => {
  const made = await api<{ id: number }>("POST", "/user/repos", ada, { name: `r-${model}`, trust_model: model });
  expect(made.status).toBe(201);
  const trust = (signer: TestUser, committer: TestUser) => trustOf(made.body.id, signer.user, committer.user);
  expect([trust(ada, ada), trust(ada, eve), trust(eve, eve), trust(eve, ada)]).toEqual([
    ownAda,
    adaForEve,
    ownEve,
    eveForAda,
  ] as ("trusted" | "untrusted" | "unmatched")[]);
});

test("it is changed in the settings, and given back to the site", async () => {
  const repo = aRepo(server, ada.user);
  const page = await aPageOf(server, ada.user);
  const settings = `/${ada.login}/${repo.name}/settings`;
  for (const [chosen, kept] of [
    ["committer", "committer"],
    ["nonsense", undefined],
    ["collaboratorcommitter", "collaboratorcommitter"],
    ["default", undefined],
  ] as const) {
    expect((await page.post(settings, { action: "signing", trust_model: chosen })).status).toBe(303);
    expect(server.services.repos.byId(repo.id)?.settings.trustModel).toBe(kept);
  }
  expect((await page.get(settings)).text).toContain('name="trust_model"');
});

test("repositories that do not say follow the site", async () => {
  await using strict = await aServer({ "signing.trust_model": "committer" });
  const [bob, cleo] = [await aUser(strict), await aUser(strict)];
  const repo = aRepo(strict, bob.user);
  const seen = strict.services.repos.seeById(asAccount(bob.user), repo.id);
  if (!seen) throw new Error("the repository is gone");
  const signer = { user: bob.user, name: "", email: "" };
  expect(strict.services.signatures.trustIn(seen, signer, cleo.user)).toBe("unmatched");
});
