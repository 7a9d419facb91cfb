import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asAccount, operator } from "../../../src/access/principal.ts";
import { Conflict, NotFound } from "../../../src/kernel/errors.ts";
import { JobFailed } from "../../../src/workers/pool.ts";
import {
  anApi,
  anOrganization,
  aRepo,
  aServer,
  aSession,
  aUser,
  call,
  type TestServer,
  type TestUser,
} from "../../builders.ts";
import { gitText } from "../../git/objects/real-git.ts";
import { untilHolds } from "../../until.ts";

/** What was deleted and comes back, and folders that others made and that become repositories. */

let server: TestServer;
let ada: TestUser;
let bob: TestUser;
let root: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
  bob = await aUser(server, { login: "bob" });
  root = await aUser(server, { login: "root1", isAdmin: true });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const api = anApi(() => server);
const all = { page: 1, limit: 100, offset: 0 };
const binned = (name: string) => server.services.bin.find(operator, ada.user, name)?.id ?? 0;

test("a deleted repository is gone for everyone, frees its name, and comes back with what it had", async () => {
  const repo = aRepo(server, ada.user, { name: "lib", files: { "a.txt": "one\n" } });
  await api("PUT", "/repos/ada/lib/collaborators/bob", ada, { permission: "write" });
  await api("PUT", "/user/starred/ada/lib", bob);
  await api("POST", "/repos/ada/lib/forks", bob, {});
  expect((await api("DELETE", "/repos/ada/lib", ada)).status).toBe(204);
  for (const who of [ada, bob, root, undefined]) {
    expect((await api("GET", "/repos/ada/lib", who)).status).toBe(404);
    expect((await api("GET", `/repositories/${repo.id}`, who ?? ada)).status).toBe(404);
    const found = await api<{ data: unknown[] }>("GET", "/repos/search?q=bin", who);
    expect(found.body.data).toEqual([]);
  }
  expect((await call(server, "GET", "/ada/lib.git/info/refs?service=git-upload-pack")).status).toBe(401);
  expect((await api("GET", "/repos/bob/lib", bob)).body["fork"]).toBe(false);
  expect((await api("GET", "/users/bob", bob)).body["starred_repos_count"]).toBe(0);
  const again = await api("POST", "/user/repos", ada, { name: "lib" });
  expect(again.status).toBe(201);

  expect(() => server.services.bin.restore(asAccount(bob.user), repo.id)).toThrow(NotFound);
  expect(() => server.services.bin.restore(asAccount(ada.user), repo.id)).toThrow(Conflict);
  const back = server.services.bin.restore(asAccount(ada.user), repo.id, "library");
  expect(back.name).toBe("library");
  expect((await api("GET", "/repos/ada/library/contents/a.txt", ada)).status).toBe(200);
  expect((await api("GET", "/repos/ada/library/collaborators/bob", ada)).status).toBe(204);
  expect((await api("GET", "/repos/ada/library", ada)).body["stars_count"]).toBe(0);
  expect(server.services.bin.list(asAccount(ada.user), undefined, all).total).toBe(0);
});

test("owners of an organization and administrators restore on pages, others do not see the bin of others", async () => {
  const org = anOrganization(server, ada.user);
  const repo = aRepo(server, org, { name: "team", creator: ada.user });
  await api("DELETE", `/repos/${org.login}/team`, ada);
  const page = async (who: TestUser, path: string, form?: Record<string, string>) =>
    call(server, form ? "POST" : "GET", path, {
      cookie: await aSession(server, who.user),
      ...(form
        ? {
            headers: { "content-type": "application/x-www-form-urlencoded" },
            body: new URLSearchParams(form).toString(),
          }
        : {}),
    });
  expect((await page(bob, "/user/settings/repos/deleted")).text).not.toContain(`${org.login}/team`);
  expect((await page(ada, "/user/settings/repos/deleted")).text).toContain(`${org.login}/team`);
  expect((await page(root, "/-/admin/repos/deleted")).text).toContain(`${org.login}/team`);
  expect((await page(bob, "/-/admin/repos/deleted")).status).toBe(403);
  const id = String(repo.id);
  expect((await page(bob, "/user/settings/repos/deleted", { id })).status).toBe(404);
  expect((await api("GET", `/repos/${org.login}/team`, ada)).status).toBe(404);
  const restored = await page(ada, "/user/settings/repos/deleted", { id, repo_name: "team" });
  expect(restored.headers.get("location")).toBe(`/${org.login}/team`);
  await api("DELETE", `/repos/${org.login}/team`, ada);
  const purged = await page(root, "/-/admin/repos/deleted", { id, action: "purge" });
  expect(purged.headers.get("location")).toBe("/-/admin/repos/deleted");
  await untilHolds(() => server.services.folders.byId(repo.id) === undefined);
  expect((await page(root, "/user/settings/repos/deleted", { id })).status).toBe(404);
});

test("what is old goes for good, and so does what an account that is deleted had", async () => {
  const old = aRepo(server, ada.user, { name: "old" });
  aRepo(server, ada.user, { name: "young" });
  await api("DELETE", "/repos/ada/old", ada);
  await api("DELETE", "/repos/ada/young", ada);
  server.core.db.query("UPDATE repositories SET binned_at = 1000 WHERE id = ?").run(old.id);
  expect(server.services.bin.prune(2000, 10)).toBe(1);
  expect([binned("old"), binned("young") > 0]).toEqual([0, true]);
  const gone = await aUser(server, { login: "gone" });
  const last = aRepo(server, gone.user, { name: "last" });
  await api("DELETE", "/repos/gone/last", gone);
  expect((await api("DELETE", "/admin/users/gone", root)).status).toBe(204);
  expect(server.services.repos.seeById(operator, last.id)).toBeUndefined();
});

test("a folder that someone put there becomes a private repository, exactly once", async () => {
  const place = join(server.dataDir, "unadopted", "Ada");
  const work = join(server.dataDir, "work");
  mkdirSync(place, { recursive: true });
  const git = (...args: string[]) => gitText(args, { cwd: work });
  mkdirSync(work);
  git("init", "-q", "-b", "trunk");
  writeFileSync(join(work, "a.txt"), "hello\n");
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "-qm", "First");
  git("tag", "v1");
  git("clone", "-q", "--bare", ".", join(place, "found.git"));
  cpSync(join(place, "found.git"), join(place, "other.git"), { recursive: true });
  mkdirSync(join(place, "nothing.git"));
  symlinkSync(work, join(place, "link.git"));
  const list = await api<string[]>("GET", "/admin/unadopted", root);
  expect(list.body).toEqual(["ada/found", "ada/nothing", "ada/other"]);
  expect((await api<string[]>("GET", "/admin/unadopted?pattern=ada/f*", root)).body).toEqual(["ada/found"]);
  for (const name of ["ada/link", "ada/none", "ada/..%2f..", "nobody/found", "ada/nothing%2f"])
    expect((await api("POST", `/admin/unadopted/${name}`, root)).status).toBe(404);
  expect((await api("POST", "/admin/unadopted/ada/found", ada)).status).toBe(403);
  expect((await api("POST", "/admin/unadopted/ada/nothing", root)).status).toBe(422);
  expect((await api("POST", "/admin/unadopted/ada/found", root)).status).toBe(204);
  expect((await api("POST", "/admin/unadopted/ada/found", root)).status).toBe(404);
  const made = (await api("GET", "/repos/ada/found", ada)).body;
  expect([made["private"], made["default_branch"], made["empty"]]).toEqual([true, "trunk", false]);
  expect((await api("GET", "/repos/ada/found/contents/a.txt?ref=v1", ada)).status).toBe(200);
  expect((await api("GET", "/repos/ada/found", bob)).status).toBe(404);
  expect(existsSync(join(place, "found.git"))).toBe(false);
  // A disk of ours that is full is nothing that is wrong with the folder.
  const full = new JobFailed("Error", "ENOSPC: no space left on device, write", { code: "ENOSPC" }, undefined);
  const run = spyOn(server.services.pool, "run").mockRejectedValue(full);
  const refused = await call<unknown>(server, "POST", "/api/v1/admin/unadopted/ada/other", { token: root.token });
  run.mockRestore();
  expect([refused.status, refused.text]).toEqual([507, expect.stringContaining("the server's disk is full")]);
  expect((await api("DELETE", "/admin/unadopted/ada/other", root)).status).toBe(204);
  expect((await api<string[]>("GET", "/admin/unadopted", root)).body).toEqual(["ada/nothing"]);
});
