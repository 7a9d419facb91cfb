import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import { aServer, aUser, settled, type TestServer } from "../builders.ts";
import { hearth } from "./run.ts";

// A server runs on the folder all the time: the terminal works next to it.
let server: TestServer;
beforeAll(async () => {
  server = await aServer({ "quota.enabled": true });
});
afterAll(() => server.close());

const admin = (...words: string[]) => hearth(server.dataDir, ["admin", ...words]);

test("an account's use and limits are shown, and its groups set", async () => {
  const ada = await aUser(server, { login: "ada" });
  const rules = [{ name: "small", limit: 7, subjects: ["size:all"] }];
  server.services.quotaAdministration.addGroup(operator, "people", rules);
  const set = await admin("quota", "set-groups", "--username", "Ada", "--groups", "people");
  expect([set.code, set.err, set.out]).toEqual([0, "", "The quota groups of ada were set\n"]);
  expect(server.services.quotas.ofAccount(operator, ada.user).groups.map(({ name }) => name)).toEqual(["people"]);
  const shown = await admin("quota", "show", "--username", "ada");
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(/^size:all +0$/m);
  expect(shown.out).toMatch(/^people +small +0 +7 +size:all$/m);
  const unknown = await admin("quota", "set-groups", "--username", "ada", "--groups", "nothing");
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining("nothing")]);
  expect((await admin("quota", "show", "--username", "no-one-here")).code).toBe(1);
  expect((await admin("quota", "show")).code).not.toBe(0);
});

test("scheduled tasks are listed, and run by the server", async () => {
  const listed = await admin("schedule", "list");
  expect(listed.out).toMatch(/^update_mirrors +\*\/10 \* \* \* \* +\d{4}-\S+ +- +0$/m);
  const run = await admin("schedule", "run", "check_repo_stats");
  expect([run.code, run.err]).toEqual([0, ""]);
  await settled(server);
  const tasks = await server.core.schedules.list();
  expect(tasks.find(({ name }) => name === "check_repo_stats")?.runs).toBe(1);
  expect((await admin("schedule", "run", "no-such-task")).code).toBe(1);
});
