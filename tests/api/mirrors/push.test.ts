import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, settled, type TestServer, type TestUser } from "../../builders.ts";
import type { Shown } from "./shown.ts";

/** Push mirrors: a repository of one server is pushed to another. */

let here: TestServer;
let there: TestServer;
let ada: TestUser;
let bob: TestUser;
let writer: TestUser;
beforeAll(async () => {
  const settings = { "network.allow": ["loopback"] };
  [here, there] = await Promise.all([aServer(settings), aServer(settings)]);
  [ada, writer] = await Promise.all([aUser(here, { login: "ada" }), aUser(here, { login: "writer" })]);
  bob = await aUser(there, { login: "bob" });
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
});

const ask = anApi(() => here);
const api = (method: string, path: string, who?: TestUser, body?: unknown) => ask<Shown>(method, path, who, body);

/** A repository of ada's with a commit, and an empty one of bob's on the other server. */
function aPair(files: Record<string, string> = { "a.txt": "a" }): { from: Repo; to: Repo; path: string } {
  const from = aRepo(here, ada.user, { files });
  return { from, to: aRepo(there, bob.user), path: `/repos/ada/${from.name}` };
}

const bodyFor = (to: Repo, more: Record<string, unknown> = {}) => ({
  remote_address: `${there.url}bob/${to.name}.git`,
  remote_username: "bob",
  remote_password: bob.token,
  interval: "0",
  ...more,
});
const refsOf = (server: TestServer, { id }: Repo) =>
  Object.fromEntries(server.services.refs.list(id).map(({ name, oid }) => [name, oid]));

async function add(path: string, body: Record<string, unknown>): Promise<Shown> {
  const made = await api("POST", `${path}/push_mirrors`, ada, body);
  expect([made.status, made.text]).toEqual([200, made.text]);
  return made.body;
}

describe("a push mirror", () => {
  test("becomes what the repository is, by force and with what is gone", async () => {
    const { from, to, path } = aPair();
    const mirror = await add(path, bodyFor(to));
    expect(mirror).toMatchObject({ repo_name: from.name, interval: "0s", sync_on_commit: false, last_error: "" });
    expect(mirror.remote_name).toMatch(/^remote_mirror_[A-Za-z0-9]{10}$/);
    expect(mirror.last_update).toBe("1970-01-01T00:00:00Z");
    expect((await api("POST", `${path}/push_mirrors-sync`, ada)).status).toBe(200);
    expect(refsOf(there, to)).toEqual(refsOf(here, from));
    await api("POST", `${path}/branches`, ada, { new_branch_name: "two" });
    await api("POST", `${path}/tags`, ada, { tag_name: "v1" });
    await api("POST", `${path}/push_mirrors-sync`, ada);
    expect(Object.keys(refsOf(there, to)).sort()).toEqual(["refs/heads/main", "refs/heads/two", "refs/tags/v1"]);
    await api("DELETE", `${path}/branches/two`, ada);
    await api("DELETE", `${path}/tags/v1`, ada);
    await api("POST", `${path}/push_mirrors-sync`, ada);
    expect(refsOf(there, to)).toEqual(refsOf(here, from));
    const after = await api("GET", `${path}/push_mirrors/${mirror.remote_name}`, ada);
    expect(after.body.last_update).not.toBe("1970-01-01T00:00:00Z");
    expect(after.text).not.toContain(bob.token);
  });

  test("follows every change where it is set so, many of them as one", async () => {
    const { from, to, path } = aPair();
    await add(path, bodyFor(to, { sync_on_commit: true }));
    for (const name of ["b", "c", "d"])
      await api("POST", `${path}/contents/${name}`, ada, { content: btoa(name), message: name });
    await settled(here);
    expect(refsOf(there, to)).toEqual(refsOf(here, from));
    const jobs = here.core.db
      .query<{ n: number }>("SELECT count(*) AS n FROM jobs WHERE kind = 'mirrors.push' AND state = 'waiting'")
      .get();
    expect(jobs?.n).toBe(0);
  });

  test("takes only the branches that it is for", async () => {
    const { to, path } = aPair();
    for (const name of ["release/1", "dev"]) await api("POST", `${path}/branches`, ada, { new_branch_name: name });
    await add(path, bodyFor(to, { branch_filter: "main, release/*" }));
    await api("POST", `${path}/push_mirrors-sync`, ada);
    expect(Object.keys(refsOf(there, to)).sort()).toEqual(["refs/heads/main", "refs/heads/release/1"]);
  });

  test("brings the wiki where there is one on the other side", async () => {
    const { from, to, path } = aPair();
    const wiki = { title: "Home", content_base64: btoa("hello") };
    await api("POST", `${path}/wiki/new`, ada, wiki);
    await add(path, bodyFor(to));
    expect((await api("POST", `${path}/push_mirrors-sync`, ada)).status).toBe(200);
    expect(there.services.folders.find(to.id, "wiki")).toBeUndefined();
    await anApi(() => there)("POST", `/repos/bob/${to.name}/wiki/new`, bob, wiki);
    expect((await api("POST", `${path}/push_mirrors-sync`, ada)).status).toBe(200);
    const [ours, theirs] = [here.services.folders.find(from.id, "wiki"), there.services.folders.find(to.id, "wiki")];
    expect(there.services.refs.list(theirs?.id ?? 0)).toEqual(here.services.refs.list(ours?.id ?? 0));
  });

  test("that fails says why, without secrets, and does not hold up the others", async () => {
    const { from, to, path } = aPair();
    const wrong = await add(path, bodyFor(to, { remote_password: "Geheim-1" }));
    const closed = await add(path, { remote_address: "http://someone:Geheim-2@127.0.0.1:1/x.git", interval: "0" });
    await add(path, bodyFor(to));
    expect(closed.remote_address).toBe("http://127.0.0.1:1/x.git");
    const answer = await api("POST", `${path}/push_mirrors-sync`, ada);
    expect([answer.status, answer.body.message]).toEqual([
      422,
      `error occurred when syncing push mirrors: ${wrong.remote_name}, ${closed.remote_name}`,
    ]);
    expect(refsOf(there, to)).toEqual(refsOf(here, from));
    const list = await ask<Shown[]>("GET", `${path}/push_mirrors`, ada);
    expect(list.body.map((mirror) => mirror.last_error !== "")).toEqual([true, true, false]);
    const rows = here.core.db.query("SELECT * FROM push_mirrors").all();
    expect(list.text + JSON.stringify(rows)).not.toContain("Geheim");
  });

  test("is pushed to when its time has come", async () => {
    const { from, to, path } = aPair();
    const { remote_name } = await add(path, bodyFor(to, { interval: "10m" }));
    here.core.db.query("UPDATE push_mirrors SET next_at = 1 WHERE remote_name = ?").run(remote_name);
    here.core.schedules.runNow("update_mirrors");
    await settled(here);
    expect(refsOf(there, to)).toEqual(refsOf(here, from));
  });

  test("has an address and an interval that will do", async () => {
    const { to, path } = aPair();
    const refusal = async (more: Record<string, unknown>) => {
      const { status, body } = await api("POST", `${path}/push_mirrors`, ada, bodyFor(to, more));
      return [status, body.message];
    };
    for (const interval of ["1m", "9m59s", "-1h"])
      expect(await refusal({ interval })).toEqual([400, "interval is shorter than minimum 10m0s"]);
    for (const interval of ["x", "", undefined])
      expect(await refusal({ interval })).toEqual([400, `invalid interval: ${interval ?? ""}`]);
    for (const remote_address of ["ssh://h/x", "ext::sh -c id", "http:foo"])
      expect(await refusal({ remote_address })).toEqual([400, "Invalid mirror protocol"]);
    expect(await refusal({ remote_address: "http://[bad" })).toEqual([400, "Invalid Url "]);
    for (const remote_address of [
      "/etc",
      "file:///etc",
      "",
      undefined,
      "http://10.0.0.1/x.git",
      "git://10.0.0.1/x.git",
    ])
      expect(await refusal({ remote_address })).toEqual([401, "Permission denied"]);
    expect((await refusal({ use_ssh: true }))[1]).toContain("use_ssh");
    expect((await refusal({ branch_filter: "a\nb" }))[0]).toBe(400);
    expect((await ask<Shown[]>("GET", `${path}/push_mirrors`, ada)).body).toEqual([]);
  });

  test("is the business of administrators, and of one repository", async () => {
    const { to, path } = aPair();
    const other = aPair();
    const { remote_name } = await add(path, bodyFor(to));
    await api("PUT", `${path}/collaborators/writer`, ada, { permission: "write" });
    expect((await api("GET", `${path}/push_mirrors`, writer)).status).toBe(403);
    expect((await api("GET", `${other.path}/push_mirrors/${remote_name}`, ada)).status).toBe(404);
    expect((await api("DELETE", `${other.path}/push_mirrors/${remote_name}`, ada)).status).toBe(204);
    expect((await api("GET", `${path}/push_mirrors/${remote_name}`, ada)).status).toBe(200);
    expect((await api("DELETE", `${path}/push_mirrors/${remote_name}`, ada)).status).toBe(204);
    expect((await api("GET", `${path}/push_mirrors/${remote_name}`, ada)).status).toBe(404);
  });
});
