import { afterAll, beforeAll, expect, test } from "bun:test";
import { combinedState, type StatusState } from "../../../src/statuses/types.ts";
import { anApi, aRepo, aServer, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let owner: TestUser;
let at: string;
let commit: string;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  owner = await aUser(server, { login: "ada" });
  const repo = aRepo(server, owner.user, { name: "engine", files: { "a.txt": "a\n" } });
  at = "/repos/ada/engine";
  commit = server.services.refs.find(repo.id, "refs/heads/main")?.oid ?? "";
});
afterAll(() => server.close());

const set = (body: unknown, ref = commit) => api("POST", `${at}/statuses/${ref}`, owner, body);

test.each<[states: StatusState[], combined: string]>([
  [[], "pending"],
  [["success", "skipped"], "success"],
  [["skipped"], "success"],
  [["success", "pending"], "pending"],
  [["pending", "error"], "failure"],
  [["success", "warning"], "failure"],
])("%p come to %p", (states, combined) => {
  expect(combinedState(states)).toBe(combined as ReturnType<typeof combinedState>);
});

test("what is no status is refused, and nothing of it is kept", async () => {
  const refused: [unknown, number, string?][] = [
    [{ state: "fine" }, 422],
    [{}, 422],
    [{ state: 1 }, 422],
    [{ state: "success", context: "x".repeat(256) }, 422],
    [{ state: "success", target_url: "x".repeat(2049) }, 422],
    [{ state: "success" }, 404, "0".repeat(40)],
    [{ state: "success" }, 404, "nowhere"],
  ];
  for (const [body, status, ref] of refused) expect((await set(body, ref)).status).toBe(status);
  expect((await api("GET", `${at}/statuses/${commit}`, owner)).text).toBe("[]");
  expect((await api("GET", `${at}/statuses/main`, owner)).status).toBe(404);
  expect((await api("GET", `${at}/commits/main`, owner)).status).toBe(404);
  expect((await api("GET", `${at}/commits/main/status?state=fine`, owner)).status).toBe(422);
});

test("the combined state is of all contexts, whatever page is shown; whoever is gone is nobody", async () => {
  const bob = await aUser(server, { login: "bob" });
  await api("PUT", `${at}/collaborators/bob`, owner, { permission: "write" });
  for (const context of ["a", "b", "c"])
    expect((await api("POST", `${at}/statuses/main`, bob, { state: "success", context })).status).toBe(201);
  expect((await set({ state: "failure", context: "a" })).body["id"]).toBe(4);
  const page = await api("GET", `${at}/commits/main/status?limit=1&page=2`, owner);
  expect([page.body["state"], page.body["total_count"], page.headers.get("x-total-count")]).toEqual([
    "failure",
    1,
    "3",
  ]);
  server.core.db.query("DELETE FROM users WHERE login = 'bob'").run();
  const { body } = await api<Json[]>("GET", `${at}/statuses/${commit}?sort=oldest`, owner);
  expect(body.map(({ creator }) => (creator as Json)["login"])).toEqual(["Ghost", "Ghost", "Ghost", "ada"]);
});
