import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount } from "../../../src/access/principal.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aUser,
  settled,
  type TestServer,
  type TestUser,
} from "../../builders.ts";

/** Webhooks over REST: whose they are, what is kept of them, what is sent (contract webhooks.md). */

let server: TestServer;
let admin: TestUser;
let ada: TestUser;
let bob: TestUser;
let receiver: ReturnType<typeof Bun.serve>;
const received: { path: string; headers: Headers; body: string }[] = [];
const api = anApi(() => server);

interface Hook {
  readonly id: number;
  readonly events: readonly string[];
  readonly active: boolean;
  readonly config: Readonly<Record<string, string>>;
}

beforeAll(async () => {
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      received.push({ path: new URL(request.url).pathname, headers: request.headers, body: await request.text() });
      return new Response("taken");
    },
  });
  server = await aServer({ "network.allow": ["loopback"] });
  admin = await aUser(server, { login: "root", isAdmin: true });
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
});
afterAll(async () => {
  await receiver.stop(true);
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const target = (path: string) => `http://127.0.0.1:${receiver.port}/${path}`;
const bodyOf = (path: string, fields: object = {}, config: object = {}) => ({
  type: "gitea",
  active: true,
  config: { url: target(path), content_type: "json", ...config },
  ...fields,
});
const sentTo = (path: string) => received.filter((request) => request.path === `/${path}`);

async function aHook(
  home: string,
  user: TestUser,
  path: string,
  fields: object = {},
  config: object = {},
): Promise<Hook> {
  const made = await api<Hook>("POST", `${home}/hooks`, user, bodyOf(path, fields, config));
  expect(made.status).toBe(201);
  return made.body;
}

test("Slack's settings are all told, whether or not they have a value", async () => {
  aRepo(server, ada.user, { name: "chat" });
  const hook = await aHook("/repos/ada/chat", ada, "slack", { type: "slack" }, { channel: " #dev ", color: "good" });
  const config = { channel: "#dev", username: "", icon_url: "", color: "good" };
  expect(hook).toMatchObject({ config });
  const other = await api("PATCH", `/repos/ada/chat/hooks/${hook.id}`, ada, { config: { channel: "#ops" } });
  expect(other.body).toMatchObject({ config: { channel: "#ops", username: "", icon_url: "", color: "" } });
});

describe("whose a webhook is", () => {
  test("one home's numbers say nothing at another", async () => {
    aRepo(server, ada.user, { name: "mine" });
    aRepo(server, bob.user, { name: "theirs" });
    anOrganization(server, ada.user, { login: "guild" });
    const homes = [
      { home: "/repos/ada/mine", user: ada },
      { home: "/orgs/guild", user: ada },
      { home: "/user", user: ada },
      { home: "/admin", user: admin },
    ];
    const made = await Promise.all(homes.map(({ home, user }, at) => aHook(home, user, `home-${at}`)));
    for (const [at, { home, user }] of homes.entries())
      for (const [other, hook] of made.entries()) {
        const answer = await api("GET", `${home}/hooks/${hook.id}`, user);
        expect([home, other, answer.status]).toEqual([home, other, at === other ? 200 : 404]);
      }
    for (const id of made.map((hook) => hook.id)) {
      expect((await api("PATCH", `/repos/bob/theirs/hooks/${id}`, bob, { active: true })).status).toBe(404);
      expect((await api("DELETE", `/user/hooks/${id}`, bob)).status).toBe(404);
    }
    for (const [at, { home, user }] of homes.entries())
      expect((await api("DELETE", `${home}/hooks/${made[at]?.id}`, user)).status).toBe(204);
  });

  test("one that goes with its repository takes what was sent along", async () => {
    aRepo(server, ada.user, { name: "gone", files: { "a.md": "a" } });
    const { id } = await aHook("/repos/ada/gone", ada, "gone");
    await api("POST", "/repos/ada/gone/issues", ada, { title: "One" });
    const { repos, repoRemoval } = server.services;
    const seen = repos.see(asAccount(ada.user), "ada", "gone", () => "");
    repoRemoval.removeForGood(asAccount(ada.user), seen.repo);
    await settled(server);
    const rows = server.core.db.query<{ n: number }>("SELECT count(*) AS n FROM webhook_deliveries WHERE hook_id = ?");
    expect(rows.get(id)?.n).toBe(0);
  });
});

describe("what is kept", () => {
  test("secrets stay sealed in the database", async () => {
    aRepo(server, ada.user, { name: "sealed" });
    const { id } = await aHook(
      "/repos/ada/sealed",
      ada,
      "sealed",
      { authorization_header: "Bearer hush" },
      { secret: "hush" },
    );
    const row = server.core.db.query("SELECT * FROM webhooks WHERE id = ?").get(id);
    expect(JSON.stringify(row)).not.toContain("hush");
  });

  test("what a hook proves itself with is not in the record of what was sent", async () => {
    aRepo(server, ada.user, { name: "recorded" });
    const { id } = await aHook("/repos/ada/recorded", ada, "recorded", { authorization_header: "Bearer hush" });
    await api("POST", "/repos/ada/recorded/issues", ada, { title: "None" });
    await api("PATCH", `/repos/ada/recorded/hooks/${id}`, ada, {
      active: true,
      events: ["issues"],
      authorization_header: "Bearer hush",
    });
    await api("POST", "/repos/ada/recorded/issues", ada, { title: "One" });
    await settled(server);
    const [sent] = sentTo("recorded");
    expect(sent?.headers.get("authorization")).toBe("Bearer hush");
    const rows = server.core.db.query("SELECT request, response FROM webhook_deliveries WHERE hook_id = ?").all(id);
    expect(JSON.stringify(rows)).toContain("******");
    expect(JSON.stringify(rows)).not.toContain("hush");
  });

  test("hostile values are refused and leave nothing", async () => {
    aRepo(server, ada.user, { name: "hostile" });
    const home = "/repos/ada/hostile";
    const refused: object[] = [
      bodyOf("x", {}, { url: "" }),
      bodyOf("x", {}, { url: "javascript:alert(1)" }),
      bodyOf("x", {}, { url: "http://" }),
      bodyOf("x", {}, { url: "http://x:0/" }),
      bodyOf("x", {}, { url: "http:///x" }),
      bodyOf("x", {}, { url: "https:x" }),
      bodyOf("x", {}, { url: "http://x/\r\nhost: y" }),
      bodyOf("x", {}, { url: `http://x/${"y".repeat(5_000)}` }),
      bodyOf("x", { branch_filter: "{".repeat(2_000) }),
      bodyOf("x", { branch_filter: "{a,b}".repeat(60) }),
      bodyOf("x", { authorization_header: "Bearer a\r\nx: y" }),
      bodyOf("x", { name: "n".repeat(256) }),
      bodyOf("x", {}, { secret: "s".repeat(5_000) }),
      bodyOf("x", { type: "slack" }, { channel: "c".repeat(5_000) }),
      { type: "gitea", config: [] },
      { type: ["gitea"], config: {} },
    ];
    for (const body of refused) {
      const answer = await api("POST", `${home}/hooks`, ada, body);
      expect([JSON.stringify(body).slice(0, 60), answer.status]).toEqual([JSON.stringify(body).slice(0, 60), 422]);
    }
    expect((await api<Hook[]>("GET", `${home}/hooks`, ada)).body).toEqual([]);
  });

  test("a home has at most a hundred", async () => {
    aRepo(server, ada.user, { name: "full" });
    for (let n = 0; n < 100; n++) await aHook("/repos/ada/full", ada, "full", { active: false });
    expect((await api("POST", "/repos/ada/full/hooks", ada, bodyOf("full"))).status).toBe(422);
  });
});

describe("what is sent", () => {
  test("shows how things were at each event, in their order", async () => {
    aRepo(server, ada.user, { name: "ordered" });
    await aHook("/repos/ada/ordered", ada, "ordered", { events: ["issues_only"] });
    await api("POST", "/repos/ada/ordered/issues", ada, { title: "First" });
    for (const title of ["Second", "Third"]) await api("PATCH", "/repos/ada/ordered/issues/1", ada, { title });
    await settled(server);
    const told = sentTo("ordered").map(({ body }) => JSON.parse(body));
    expect(told.map(({ action, issue }) => [action, issue.title])).toEqual([
      ["opened", "First"],
      ["edited", "Second"],
      ["edited", "Third"],
    ]);
  });

  test("of a private repository goes to who administers it, not to its former owner", async () => {
    aRepo(server, ada.user, { name: "moved", isPrivate: true });
    await aHook("/user", ada, "former", { events: ["issues_only"] });
    await aHook("/user", bob, "present", { events: ["issues_only"] });
    const transfer = { new_owner: "bob" };
    await api("POST", "/repos/ada/moved/transfer", ada, transfer);
    await api("POST", "/repos/ada/moved/transfer/accept", bob);
    await api("POST", "/repos/bob/moved/issues", bob, { title: "Hidden from ada" });
    await settled(server);
    expect(sentTo("former").filter(({ body }) => body.includes("Hidden from ada"))).toEqual([]);
    expect(sentTo("present").map(({ body }) => JSON.parse(body).issue.title)).toEqual(["Hidden from ada"]);
  });

  test("nothing of a pending review", async () => {
    aRepo(server, ada.user, { name: "pending", files: { "a.md": "a\n" } });
    const put = { content: Buffer.from("b\n").toString("base64"), branch: "main", new_branch: "topic" };
    expect((await api("POST", "/repos/ada/pending/contents/b.md", ada, put)).status).toBe(201);
    await api("POST", "/repos/ada/pending/pulls", ada, { title: "P", head: "topic", base: "main" });
    await aHook("/repos/ada/pending", ada, "pending", { events: ["pull_request", "issues"] });
    const review = { body: "secret thought", comments: [{ path: "b.md", body: "secret line", new_position: 1 }] };
    expect((await api("POST", "/repos/ada/pending/pulls/1/reviews", bob, { ...review, event: "PENDING" })).status).toBe(
      200,
    );
    await settled(server);
    expect(sentTo("pending")).toEqual([]);
  });
});

test("a hook whose receiver answers badly stays, and is not asked twice", async () => {
  let asked = 0;
  const failing = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      asked++;
      return new Response("no", { status: 500 });
    },
  });
  aRepo(server, ada.user, { name: "failing" });
  const config = { url: `http://127.0.0.1:${failing.port}/`, content_type: "json" };
  const made = await api<Hook>("POST", "/repos/ada/failing/hooks", ada, {
    ...bodyOf("x", { events: ["issues_only"] }),
    config,
  });
  await api("POST", "/repos/ada/failing/issues", ada, { title: "One" });
  await settled(server);
  await failing.stop(true);
  expect(asked).toBe(1);
  const { id } = made.body;
  expect((await api<Hook>("GET", `/repos/ada/failing/hooks/${id}`, ada)).body.active).toBe(true);
  const row = server.core.db.query<{ ok: number }>("SELECT last_succeeded AS ok FROM webhooks WHERE id = ?").get(id);
  expect(row?.ok).toBe(0);
});

describe("what is told of issues", () => {
  const told = async (path: string, work: () => Promise<unknown>) => {
    const before = sentTo(path).length;
    await work();
    await settled(server);
    return sentTo(path)
      .slice(before)
      .map(({ body, headers }) => ({ type: headers.get("x-gitea-event-type"), ...JSON.parse(body) }));
  };

  test("labels: each request that adds, the last one taken off, and all of them cleared", async () => {
    aRepo(server, ada.user, { name: "labelled" });
    const at = "/repos/ada/labelled";
    const label = await api<{ id: number }>("POST", `${at}/labels`, ada, { name: "bug", color: "#00ff00" });
    await api("POST", `${at}/issues`, ada, { title: "One" });
    await aHook(at, ada, "labelled", { events: ["issue_label"] });
    const { id } = label.body;
    const labels = `${at}/issues/1/labels`;
    const add = () => api("POST", labels, ada, { labels: [id] });
    const actions = async (work: () => Promise<unknown>) => (await told("labelled", work)).map(({ action }) => action);
    expect(await actions(add)).toEqual(["label_updated"]);
    expect(await actions(add)).toEqual(["label_updated"]);
    expect(await actions(() => api("DELETE", `${labels}/${id}`, ada))).toEqual(["label_updated"]);
    expect(await actions(() => api("POST", labels, ada, { labels: ["unknown"] }))).toEqual([]);
    await actions(add);
    expect(await actions(() => api("PUT", labels, ada, { labels: [] }))).toEqual(["label_updated"]);
    await actions(add);
    expect(await actions(() => api("DELETE", labels, ada))).toEqual(["label_cleared"]);
  });

  test("a text that is saved as it was, and a file that is attached, are edits", async () => {
    aRepo(server, ada.user, { name: "saved" });
    const at = "/repos/ada/saved";
    await api("POST", `${at}/issues`, ada, { title: "One", body: "same" });
    await aHook(at, ada, "saved", { events: ["issues_only"] });
    const changes = async (work: () => Promise<unknown>) =>
      (await told("saved", work)).map(({ action, changes }) => [action, changes.body.from]);
    const edit = (fields: object) => () => api("PATCH", `${at}/issues/1`, ada, fields);
    expect(await changes(edit({ body: "same" }))).toEqual([["edited", "same"]]);
    expect(await changes(edit({ title: "One" }))).toEqual([]);
    const form = new FormData();
    form.append("attachment", new Blob(["x"]), "notes.txt");
    const upload = () =>
      fetch(new URL(`/api/v1${at}/issues/1/assets`, server.url), {
        method: "POST",
        headers: { authorization: `token ${ada.token}` },
        body: form,
      });
    expect(await changes(upload)).toEqual([["edited", "same"]]);
    const { body } = await api<{ content_version: number }>("GET", `${at}/issues/1`);
    expect(body.content_version).toBe(2);
  });
});
