import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import { randomHex } from "../../src/kernel/ids.ts";
import { aServer, call, type TestServer } from "../builders.ts";
import { aPerson, aSample, type Person, type RepoSample } from "./world.ts";

/**
 * Rule M3: an account that is deleted while a folder is made for it is told so, not "Internal error", and nothing of it
 * stays. Hammering the executable found five requests that ended in a violated foreign key.
 */

let server: TestServer;
let admin: Person;
let open: RepoSample;

beforeAll(async () => {
  server = await aServer();
  admin = await aPerson(server, { isAdmin: true });
  open = await aSample(server, await aPerson(server), { name: "open" });
  await call(server, "PATCH", `/api/v1/repos/${open.at}/open`, { token: open.owner.token, body: { template: true } });
});
afterAll(() => server.close());

const requests: Record<string, (who: Person) => { path: string; body: object }> = {
  "a repository": () => ({ path: "/user/repos", body: { name: "late", auto_init: true, readme: "Default" } }),
  "a fork": () => ({ path: `/repos/${open.at}/open/forks`, body: {} }),
  "a repository of a template": ({ login }) => ({
    path: `/repos/${open.at}/open/generate`,
    body: { owner: login, name: "late", git_content: true },
  }),
  "the first page of a wiki": ({ login }) => ({
    path: `/repos/${login}/thing/wiki/new`,
    body: { title: "Late", content_base64: "bGF0ZQ==" },
  }),
};

test.each(Object.keys(requests))("%s for an account that is deleted meanwhile", async (what) => {
  const who = await aPerson(server, { login: `w${randomHex(4)}` });
  await call(server, "POST", "/api/v1/user/repos", { token: who.token, body: { name: "thing", auto_init: true } });
  const { admin: administration, folders } = server.services;
  // Every folder is given its number before it is made.
  const reserve = folders.reserve;
  folders.reserve = function () {
    folders.reserve = reserve;
    queueMicrotask(() => administration.deleteUser(asAccount(admin.user), who.user, { purge: true }));
    return reserve.apply(this);
  };
  const made = requests[what]?.(who);
  const answer = await call(server, "POST", `/api/v1${made?.path}`, { token: who.token, body: made?.body ?? {} });
  expect([answer.status, answer.text]).toEqual([
    409,
    expect.stringContaining("deleted meanwhile; nothing was changed"),
  ]);
  expect(server.services.identity.byId(who.user.id)).toBeUndefined();
  expect(server.errors).toEqual([]);
});
