import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { asAccount, operator } from "../../../src/access/principal.ts";
import { duePullMirrors } from "../../../src/mirrors/pull/store.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import type { Shown, ShownActivity } from "./shown.ts";

/** Pull mirrors: a repository of one server follows one of another. */

let here: TestServer;
let there: TestServer;
let ada: TestUser;
let bob: TestUser;
let eve: TestUser;
beforeAll(async () => {
  const settings = { "network.allow": ["loopback"], "repository.bin_days": 0 };
  [here, there] = await Promise.all([aServer(settings), aServer(settings)]);
  [ada, eve] = await Promise.all([aUser(here, { login: "ada" }), aUser(here, { login: "eve" })]);
  bob = await aUser(there, { login: "bob", password: true });
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
});

const ask = anApi(() => here);
const api = (method: string, path: string, who?: TestUser, body?: unknown) => ask<Shown>(method, path, who, body);
const apiThere = anApi(() => there);
let count = 0;

const aSource = (more: Parameters<typeof aRepo>[2] = {}): Repo =>
  aRepo(there, bob.user, { files: { "a.txt": "a" }, ...more });
const urlOf = ({ name }: Repo) => `${there.url}bob/${name}.git`;

/** A mirror of ada's, as the API answers. */
async function aMirror(source: Repo, more: Record<string, unknown> = {}): Promise<Shown> {
  const body = { clone_addr: urlOf(source), repo_name: `m${++count}`, mirror: true, ...more };
  const made = await api("POST", "/repos/migrate", ada, body);
  expect([made.status, made.text]).toEqual([201, made.text]);
  return made.body;
}

const refsOf = (server: TestServer, id: number) =>
  Object.fromEntries(server.services.refs.list(id).map(({ name, oid }) => [name, oid]));
const shown = async (mirror: Shown) => (await api("GET", `/repos/ada/${mirror.name}`, ada)).body;

async function sync(mirror: Shown): Promise<void> {
  expect((await api("POST", `/repos/ada/${mirror.name}/mirror-sync`, ada)).status).toBe(200);
  await settled(here);
}

const edit = (source: Repo, path: string) =>
  apiThere("POST", `/repos/bob/${source.name}/contents/${path}`, bob, { content: btoa(path), message: path });

describe("a pull mirror", () => {
  test("that a clock ten years ahead planned is due once the clock is put right, and no other", async () => {
    const mirror = await aMirror(aSource(), { mirror_interval: "8h" });
    const now = Date.now();
    const due = () => duePullMirrors(here.core.db, now, 50).includes(mirror.id);
    const plan = (at: number) =>
      here.core.db.query("UPDATE pull_mirrors SET next_at = ? WHERE repo_id = ?").run(at, mirror.id);
    plan(now + 86_400_000);
    expect(due()).toBe(false);
    plan(now + 3_652 * 86_400_000);
    expect(due()).toBe(true);
  });

  test("follows branches and tags, and what is gone goes", async () => {
    const source = aSource();
    await apiThere("POST", `/repos/bob/${source.name}/branches`, bob, { new_branch_name: "old" });
    const mirror = await aMirror(source);
    expect(refsOf(here, mirror.id)).toEqual(refsOf(there, source.id));
    await edit(source, "b.txt");
    await apiThere("DELETE", `/repos/bob/${source.name}/branches/old`, bob);
    await apiThere("POST", `/repos/bob/${source.name}/tags`, bob, { tag_name: "v1" });
    await sync(mirror);
    expect(refsOf(here, mirror.id)).toEqual(refsOf(there, source.id));
    expect(Object.keys(refsOf(here, mirror.id)).sort()).toEqual(["refs/heads/main", "refs/tags/v1"]);
  });

  test("keeps what is gone there when it is told to", async () => {
    const source = aSource();
    await apiThere("POST", `/repos/bob/${source.name}/branches`, bob, { new_branch_name: "old" });
    const mirror = await aMirror(source);
    expect((await api("PATCH", `/repos/ada/${mirror.name}`, ada, { enable_prune: false })).status).toBe(200);
    await apiThere("DELETE", `/repos/bob/${source.name}/branches/old`, bob);
    await sync(mirror);
    expect(Object.keys(refsOf(here, mirror.id))).toContain("refs/heads/old");
  });

  test("tells of what it brings as pushes of its owner, by names of their own in feeds", async () => {
    const source = aSource();
    await apiThere("POST", `/repos/bob/${source.name}/branches`, bob, { new_branch_name: "old" });
    const mirror = await aMirror(source);
    await edit(source, "b.txt");
    await apiThere("DELETE", `/repos/bob/${source.name}/branches/old`, bob);
    await apiThere("POST", `/repos/bob/${source.name}/branches`, bob, { new_branch_name: "new" });
    await sync(mirror);
    const feed = (await ask<ShownActivity[]>("GET", `/repos/ada/${mirror.name}/activities/feeds`, ada)).body;
    const told = feed.map((entry) => [entry.op_type, entry.ref_name, entry.act_user.login]);
    expect(told.sort()).toEqual([
      ["create_repo", "", "ada"],
      ["mirror_sync_create", "refs/heads/new", "ada"],
      ["mirror_sync_delete", "refs/heads/old", "ada"],
      ["mirror_sync_push", "refs/heads/main", "ada"],
    ]);
    const push = feed.find((entry) => entry.op_type === "mirror_sync_push");
    expect(JSON.parse(push?.content ?? "")).toMatchObject({
      Len: 1,
      Commits: [{ Message: expect.stringContaining("b.txt") }],
    });
    expect(feed.find((entry) => entry.op_type === "mirror_sync_create")?.content).toBe("");
  });

  test("is written to by nobody else", async () => {
    const mirror = await aMirror(aSource());
    const path = `/repos/ada/${mirror.name}`;
    const file = { content: "", message: "x" };
    const open = await ask<{ has_pull_requests: boolean }>("PATCH", path, ada, { has_pull_requests: true });
    expect([open.status, open.body.has_pull_requests]).toEqual([200, false]);
    const answers = [
      await api("POST", `${path}/contents/x`, ada, file),
      await api("POST", `${path}/branches`, ada, { new_branch_name: "x" }),
      await api("DELETE", `${path}/branches/main`, ada),
      await api("POST", `${path}/tags`, ada, { tag_name: "x" }),
      await api("POST", `${path}/wiki/new`, ada, { title: "Home", content_base64: "" }),
      await api("PATCH", path, ada, { archived: true }),
      await api("GET", `${path}/pulls`, ada),
    ];
    expect(answers.map(({ status, body }) => [status, body?.message])).toEqual([
      [423, "repo is not allowed to edit"],
      [403, "Git Repository is a mirror."],
      [403, "Git Repository is a mirror."],
      [403, "Git Repository is a mirror."],
      [403, "Git Repository is a mirror."],
      [422, "repo is a mirror, cannot archive/un-archive"],
      [404, "not found"],
    ]);
  });

  test("keeps what it has when its source is gone, says why, and waits longer each time", async () => {
    const source = aSource();
    const mirror = await aMirror(source);
    const before = refsOf(here, mirror.id);
    await apiThere("DELETE", `/repos/bob/${source.name}`, bob);
    await sync(mirror);
    const [first] = [here.services.pullMirrors.of(mirror.id)];
    await sync(mirror);
    const second = here.services.pullMirrors.of(mirror.id);
    expect(refsOf(here, mirror.id)).toEqual(before);
    expect([first?.failures, second?.failures]).toEqual([1, 2]);
    expect(JSON.parse(second?.lastError ?? "")).toMatchObject({ code: "remote.credentials-needed" });
    expect((second?.nextAt ?? 0) - (second?.changedAt ?? 0)).toBeGreaterThan(
      (first?.nextAt ?? 0) - (first?.changedAt ?? 0),
    );
    expect((await shown(mirror)).mirror_last_sync_at).toBe("1970-01-01T00:00:00Z");
  });

  test("of a private source keeps the password to itself", async () => {
    const source = aSource({ isPrivate: true });
    const mirror = await aMirror(source, { auth_username: "bob", auth_password: bob.token, private: true });
    await edit(source, "b.txt");
    await sync(mirror);
    expect(refsOf(here, mirror.id)).toEqual(refsOf(there, source.id));
    const rows = here.core.db.query("SELECT * FROM pull_mirrors").all();
    expect(JSON.stringify([rows, await shown(mirror)])).not.toContain(bob.token);
    // Someone else's name is not sent with it.
    await api("PATCH", `/repos/ada/${mirror.name}`, ada, { mirror_username: "bob" });
    expect(here.services.pullMirrors.of(mirror.id)?.hasPassword).toBe(true);
    await api("PATCH", `/repos/ada/${mirror.name}`, ada, { mirror_username: "eve" });
    expect(here.services.pullMirrors.of(mirror.id)).toMatchObject({ username: "eve", hasPassword: false });
    await sync(mirror);
    expect(JSON.parse(here.services.pullMirrors.of(mirror.id)?.lastError ?? "").code).toBe("remote.bad-credentials");
    await api("PATCH", `/repos/ada/${mirror.name}`, ada, { mirror_username: "bob", mirror_password: bob.token });
    await sync(mirror);
    expect(here.services.pullMirrors.of(mirror.id)).toMatchObject({ failures: 0, lastError: "" });
    expect((await shown(mirror)).mirror_last_sync_at).not.toBe("1970-01-01T00:00:00Z");
  });

  test("is brought up to date when its time has come", async () => {
    const source = aSource();
    const mirror = await aMirror(source, { mirror_interval: "10m" });
    await edit(source, "b.txt");
    here.core.schedules.runNow("update_mirrors");
    await settled(here);
    expect(refsOf(here, mirror.id)).not.toEqual(refsOf(there, source.id));
    here.core.db.query("UPDATE pull_mirrors SET next_at = 1 WHERE repo_id = ?").run(mirror.id);
    here.core.schedules.runNow("update_mirrors");
    await settled(here);
    expect(refsOf(here, mirror.id)).toEqual(refsOf(there, source.id));
    expect(here.services.pullMirrors.of(mirror.id)?.nextAt).toBeGreaterThan(Date.now());
  });

  test("has an interval in the words of the API, checked before anything is changed", async () => {
    const mirror = await aMirror(aSource(), { mirror_interval: "90m" });
    expect((await shown(mirror)).mirror_interval).toBe("1h30m0s");
    const bad = await api("PATCH", `/repos/ada/${mirror.name}`, ada, { mirror_interval: "1m", description: "new" });
    expect([bad.status, bad.body.message]).toEqual([
      422,
      "invalid mirror interval: 1m is below minimum interval: 10m0s",
    ]);
    expect((await shown(mirror)).description).toBe("");
    for (const given of ["x", "", "12", "-8h", `${"9".repeat(90)}h`])
      expect([
        given,
        (await api("PATCH", `/repos/ada/${mirror.name}`, ada, { mirror_interval: given })).status,
      ]).toEqual([given, 422]);
    expect((await api("PATCH", `/repos/ada/${mirror.name}`, ada, { mirror_interval: "0" })).body.mirror_interval).toBe(
      "0s",
    );
    expect(here.services.pullMirrors.of(mirror.id)?.nextAt).toBeUndefined();
    // Of any other repository it changes nothing.
    const own = aRepo(here, ada.user);
    const edited = await api("PATCH", `/repos/ada/${own.name}`, ada, { mirror_interval: "1m" });
    expect([edited.status, edited.body.mirror_interval]).toEqual([200, ""]);
  });

  test("is asked for by those who write to it, and only mirrors are", async () => {
    const mirror = await aMirror(aSource());
    const path = `/repos/ada/${mirror.name}/mirror-sync`;
    expect((await api("POST", path, eve)).status).toBe(403);
    expect((await api("POST", path)).status).toBe(401);
    const own = aRepo(here, ada.user);
    const none = await api("POST", `/repos/ada/${own.name}/mirror-sync`, ada);
    expect([none.status, none.body.message]).toEqual([400, "Repository is not a mirror"]);
  });

  test("is found by what it is", async () => {
    const mirror = await aMirror(aSource());
    const found = async (mode: string) =>
      (await ask<{ data: Shown[] }>("GET", `/repos/search?q=${mirror.name}&mode=${mode}`, ada)).body.data.map(
        (repo) => repo.name,
      );
    expect(await found("mirror")).toContain(mirror.name);
    expect(await found("source")).not.toContain(mirror.name);
    expect(await found("")).toContain(mirror.name);
  });

  test("becomes a repository like any other", async () => {
    const mirror = await aMirror(aSource());
    const { pullMirrors, repos } = here.services;
    const seen = repos.seeById(asAccount(ada.user), mirror.id);
    const foreign = repos.seeById(asAccount(eve.user), mirror.id);
    if (!seen || !foreign) throw new Error("the mirror is not seen");
    expect(() => pullMirrors.convert(foreign)).toThrow("repository.needs-owner");
    pullMirrors.convert(seen);
    expect(await shown(mirror)).toMatchObject({
      mirror: false,
      mirror_interval: "",
      original_url: mirror.original_url,
    });
    expect((await api("POST", `/repos/ada/${mirror.name}/contents/x`, ada, { content: "", message: "x" })).status).toBe(
      201,
    );
    expect((await ask<{ data: Shown[] }>("GET", `/repos/search?mode=mirror&q=${mirror.name}`, ada)).body.data).toEqual(
      [],
    );
  });

  test("rests when mirrors are switched off", async () => {
    await using server = await aServer({ "mirrors.enabled": false, "network.allow": ["loopback"] });
    const cyd = await aUser(server, { login: "cyd" });
    const own = aRepo(server, cyd.user);
    const elsewhere = anApi(() => server);
    const off = await elsewhere<Shown>("POST", `/repos/cyd/${own.name}/mirror-sync`, cyd);
    expect([off.status, off.body.message]).toEqual([400, "Mirror feature is disabled"]);
    const body = { clone_addr: urlOf(aSource()), repo_name: "m", mirror: true };
    const made = await elsewhere<Shown>("POST", "/repos/migrate", cyd, body);
    expect([made.status, made.body.message]).toEqual([
      403,
      "the site administrator has disabled the creation of new pull mirrors",
    ]);
    expect((await elsewhere<Shown>("GET", "/settings/repository")).body.mirrors_disabled).toBe(true);
  });

  test("does not move while its owner may store no more, nor when it is deleted", async () => {
    const source = aSource();
    const mirror = await aMirror(source);
    await edit(source, "b.txt");
    expect((await api("POST", `/repos/ada/${mirror.name}/mirror-sync`, ada)).status).toBe(200);
    expect((await api("DELETE", `/repos/ada/${mirror.name}`, ada)).status).toBe(204);
    await settled(here);
    expect(here.services.repos.seeById(operator, mirror.id)).toBeUndefined();
    expect(here.services.pullMirrors.of(mirror.id)).toBeUndefined();
  });
});
