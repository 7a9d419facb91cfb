import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";

/** Which change is told as what, and in which order (contract webhooks.md 7). */

interface Told {
  readonly action?: string;
  readonly ref?: string;
  readonly changes?: { readonly body?: { readonly from: string } };
}

let server: TestServer;
let ada: TestUser;
let repo: Repo;
let receiver: ReturnType<typeof Bun.serve>;
const received: { readonly type: string; readonly body: Told }[] = [];
const api = anApi(() => server);
const at = "/repos/ada/tools";

beforeAll(async () => {
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const type = request.headers.get("x-gitea-event-type") ?? "";
      received.push({ type, body: (await request.json()) as Told });
      return new Response("taken");
    },
  });
  server = await aServer({ "network.allow": ["loopback"] });
  ada = await aUser(server, { login: "ada" });
  repo = aRepo(server, ada.user, { name: "tools", files: { "a.md": "a" } });
  await ask("POST", "hooks", {
    type: "gitea",
    active: true,
    events: ["push", "create", "delete", "issues", "release"],
    config: { url: `http://127.0.0.1:${receiver.port}/`, content_type: "json" },
  });
});
afterAll(async () => {
  await receiver.stop(true);
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

async function ask(method: string, path: string, body?: object): Promise<{ id: number; number: number }> {
  const answer = await api<{ id: number; number: number }>(method, `${at}/${path}`, ada, body);
  expect([method, path, answer.status < 300]).toEqual([method, path, true]);
  return answer.body;
}

/** What came since this was asked last. */
async function told(): Promise<string[]> {
  await settled(server);
  return received.splice(0).map(({ body, type }) => `${type} ${body.action ?? body.ref}`);
}

const tipOf = (name: string) => {
  const found = server.services.refs.find(repo.id, name);
  if (!found) throw new Error(`${name} is there`);
  return found.oid;
};
/** As a push of the tag does. */
const move = (change: { readonly oldOid: string; readonly newOid: string | null }) =>
  server.services.refs.change(repo.id, {
    principal: asAccount(ada.user),
    changes: [{ name: "refs/tags/v1", ...change }],
    atomic: true,
  });

test("a tag is pushed and then created, whether it is new or moved", async () => {
  await ask("POST", "tags", { tag_name: "v1" });
  expect(await told()).toEqual(["push refs/tags/v1", "create v1"]);
  const first = tipOf("refs/tags/v1");
  await ask("POST", "contents/b.md", { content: "" });
  await told();
  const newOid = tipOf("refs/heads/main");
  await move({ oldOid: first, newOid });
  expect(await told()).toEqual(["push refs/tags/v1", "create v1"]);
  await move({ oldOid: newOid, newOid: null });
  expect(await told()).toEqual(["push refs/tags/v1", "delete v1"]);
});

test("labels are updated by whoever adds, replaces or takes one away, and cleared by whoever clears them", async () => {
  const bug = await ask("POST", "labels", { name: "bug", color: "#112233" });
  const { number } = await ask("POST", "issues", { title: "one" });
  const path = `issues/${number}/labels`;
  await told();
  for (const [method, where, body, expected] of [
    ["POST", path, { labels: [bug.id] }, ["issue_label label_updated"]],
    ["POST", path, { labels: [bug.id] }, ["issue_label label_updated"]],
    ["DELETE", `${path}/${bug.id}`, undefined, ["issue_label label_updated"]],
    ["PUT", path, { labels: [bug.id] }, ["issue_label label_updated"]],
    ["PUT", path, { labels: [] }, ["issue_label label_updated"]],
    ["POST", path, { labels: [bug.id] }, ["issue_label label_updated"]],
    ["DELETE", path, undefined, ["issue_label label_cleared"]],
    ["DELETE", path, undefined, []],
  ] as const) {
    await ask(method, where, body);
    expect([method, where, await told()]).toEqual([method, where, [...expected]]);
  }
});

test("a text that is saved again, or is given a file, counts as edited; a title does not", async () => {
  const { number } = await ask("POST", "issues", { title: "two", body: "the text" });
  await told();
  const same = async () => {
    await settled(server);
    return received.splice(0).map(({ body }) => body.changes?.body?.from);
  };
  await ask("PATCH", `issues/${number}`, { title: "two" });
  expect(await same()).toEqual([]);
  await ask("PATCH", `issues/${number}`, { body: "the text" });
  expect(await same()).toEqual(["the text"]);
  const form = new FormData();
  form.append("attachment", new File(["x"], "x.txt"));
  const headers = { authorization: `token ${ada.token}` };
  const to = new URL(`/api/v1${at}/issues/${number}/assets`, server.url);
  expect((await fetch(to, { method: "POST", headers, body: form })).status).toBe(201);
  expect(await same()).toEqual(["the text"]);
});

test("a draft whose tag was there is an update when it is published, else a release", async () => {
  await ask("POST", "tags", { tag_name: "w1" });
  const there = await ask("POST", "releases", { tag_name: "w1", draft: true });
  const missing = await ask("POST", "releases", { tag_name: "w2", draft: true });
  await told();
  await ask("PATCH", `releases/${there.id}`, { draft: false });
  expect(await told()).toEqual(["release updated"]);
  await ask("PATCH", `releases/${missing.id}`, { draft: false });
  expect(await told()).toEqual(["push refs/tags/w2", "create w2", "release published"]);
});
