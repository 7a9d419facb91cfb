import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { operator } from "../../../src/access/principal.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { writeObjects } from "../../../src/git/odb/write.ts";
import { aRepo, aServer, aUser, call, type TestServer } from "../../builders.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer({ "repository.bin_days": 0 });
});
afterAll(() => server.close());

/** Runs what is due, here or in the server's own queue, until nothing is. */
async function rest(): Promise<void> {
  const { db, jobs } = server.core;
  const due = "SELECT count(*) AS n FROM jobs WHERE state = 'running' OR (state = 'waiting' AND run_at <= ?)";
  do {
    await jobs.drain();
    await new Promise((resolve) => setImmediate(resolve));
  } while (db.query<{ n: number }>(due).get(Date.now())!.n > 0);
}

/** Runs what waits, as if its time had come, until that is so. */
async function untilIt(holds: () => boolean): Promise<void> {
  const { db, outbox, jobs } = server.core;
  outbox.dispatch();
  while (!holds()) {
    db.query("UPDATE jobs SET run_at = 0 WHERE state = 'waiting'").run();
    await jobs.drain();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("many loose objects are packed, those that nothing leads to apart, and leave the disk", async () => {
  const { user, token } = await aUser(server);
  const repo = aRepo(server, user, { files: { "a.txt": "first" } });
  const dir = server.services.storage.dirOf(repo.id);
  // As many as hundreds of edits leave behind, without the edits.
  writeObjects(
    dir,
    Array.from({ length: 1_100 }, (_, at) => ({ type: "blob" as const, data: Buffer.from(`blob ${at}`) })),
  );
  const path = `/api/v1/repos/${user.login}/${repo.name}/contents/a.txt`;
  const sha = hashObject(SHA1, "blob", Buffer.from("first"));
  const body = { content: Buffer.from("second").toString("base64"), sha, message: "edit" };
  expect((await call(server, "PUT", path, { token, body })).status).toBe(200);
  const loose = () =>
    readdirSync(join(dir, "objects"))
      .filter((name) => /^[0-9a-f]{2}$/.test(name))
      .flatMap((name) => readdirSync(join(dir, "objects", name)));
  const packs = () => readdirSync(join(dir, "objects/pack")).filter((name) => name.endsWith(".pack"));
  expect(loose().length).toBeGreaterThan(1000);
  // Refreshing enqueues the roll-up, which enqueues the rest.
  await untilIt(() => loose().length === 0);
  expect(loose()).toEqual([]);
  // One of them for the blobs, with their times.
  expect(readdirSync(join(dir, "objects/pack")).filter((name) => name.endsWith(".mtimes")).length).toBe(1);
  expect(packs().length).toBeLessThanOrEqual(3);
  const read = await call<{ content: string }>(server, "GET", path, { token });
  expect(Buffer.from(read.body.content, "base64").toString()).toBe("second");
  expect(server.errors).toEqual([]);
});

test("a secret that was taken away is shown to no one any more, and leaves the disk after its days, not before", async () => {
  const { user, token } = await aUser(server);
  const repo = aRepo(server, user, { files: { "a.txt": "first\n" } });
  const dir = server.services.storage.dirOf(repo.id);
  const at = `/api/v1/repos/${user.login}/${repo.name}`;
  const secret = "the password is swordfish\n";
  const made = await call<{ commit: { sha: string }; content: { sha: string } }>(
    server,
    "POST",
    `${at}/contents/secret.txt`,
    { token, body: { content: Buffer.from(secret).toString("base64"), message: "oops", new_branch: "leak" } },
  );
  expect(made.status).toBe(201);
  const { db } = server.core;
  const { packing, storage } = server.services;
  expect((await call(server, "DELETE", `${at}/branches/leak`, { token })).status).toBe(204);
  const shown = async () => {
    const answers = await Promise.all([
      call(server, "GET", `${at}/git/blobs/${made.body.content.sha}`, { token }),
      call(server, "GET", `${at}/git/commits/${made.body.commit.sha}`, { token }),
      call(server, "GET", `${at}/contents/secret.txt?ref=${made.body.commit.sha}`, { token }),
    ]);
    return answers.map((answer) => answer.status);
  };
  const kept = () => [made.body.content.sha, made.body.commit.sha].map((oid) => storage.objects(repo.id).has(oid));
  expect(await shown()).toEqual([400, 404, 404]);
  const packs = () => readdirSync(join(dir, "objects/pack")).filter((name) => name.endsWith(".pack")).length;
  const night = async () => {
    packing.enqueueRepack(repo.id);
    await rest();
    for (const path of readdirSync(join(dir, "objects"), { recursive: true, withFileTypes: true }))
      if (path.isFile() && path.name.endsWith(".replaced")) age(join(path.parentPath, path.name), 2 / 24);
    db.query("UPDATE jobs SET run_at = 0 WHERE kind = 'repository.prune-packs'").run();
    await rest();
  };
  // It was taken away just now, by someone who may want it back.
  await night();
  expect(packs()).toBe(2);
  expect(kept()).toEqual([true, true]);
  // The files are old, and so is what the log of the refs tells, but for a pusher who is at work.
  for (const path of readdirSync(join(dir, "objects"), { recursive: true, withFileTypes: true }))
    if (path.isFile()) age(join(path.parentPath, path.name), 20);
  const cruft = readdirSync(join(dir, "objects/pack")).find((name) => name.endsWith(".mtimes"))!;
  backdate(join(dir, "objects/pack", cruft), 20);
  await night();
  expect(kept()).toEqual([true, true]);
  db.query("UPDATE ref_log SET at = at - 20 * 86400000 WHERE folder_id = ?").run(repo.id);
  const over = storage.writing(repo.id);
  await night();
  expect(kept()).toEqual([true, true]);
  over();
  await night();
  expect(kept()).toEqual([false, false]);
  expect(packs()).toBe(1);
  const everything = Bun.spawnSync(["git", "-C", dir, "cat-file", "--batch-check", "--batch-all-objects"]).stdout;
  expect(everything.toString()).not.toContain(made.body.content.sha);
  expect(Bun.spawnSync(["git", "-C", dir, "fsck", "--strict", "--full"]).exitCode).toBe(0);
  expect((await call(server, "GET", `${at}/contents/a.txt`, { token })).status).toBe(200);
  expect(server.errors).toEqual([]);
});

function age(path: string, days: number): void {
  const at = Date.now() / 1000 - days * 86_400;
  utimesSync(path, at, at);
}

/** Makes the objects of a cruft pack so many days old. */
function backdate(path: string, days: number): void {
  const bytes = readFileSync(path);
  for (let at = 12; at < bytes.length - 40; at += 4) bytes.writeUInt32BE(bytes.readUInt32BE(at) - days * 86_400, at);
  rmSync(path);
  writeFileSync(path, bytes);
}

test("the night looks at repositories that changed, and at those that keep something for a while", async () => {
  const { user, token } = await aUser(server);
  const repo = aRepo(server, user, { files: { "a.txt": "first\n" } });
  const { storage } = server.services;
  const { schedules } = server.core;
  const dir = storage.dirOf(repo.id);
  const night = async () => {
    schedules.runNow("git_gc_repos");
    await rest();
  };
  await night();
  expect(readFileSync(join(dir, "objects/info/hearth/maintenance"), "utf8")).toContain("done\n");
  expect(readdirSync(join(dir, "objects/pack")).filter((name) => name.endsWith(".pack")).length).toBe(1);
  const before = statSync(join(dir, "objects/info/hearth/maintenance")).mtimeMs;
  await night();
  expect(statSync(join(dir, "objects/info/hearth/maintenance")).mtimeMs).toBe(before);
  const at = `/api/v1/repos/${user.login}/${repo.name}/contents/b.txt`;
  const body = { content: Buffer.from("b").toString("base64"), message: "b" };
  expect((await call(server, "POST", at, { token, body })).status).toBe(201);
  await night();
  expect(statSync(join(dir, "objects/info/hearth/maintenance")).mtimeMs).toBeGreaterThan(before);
  expect(server.errors).toEqual([]);
});

test("a repository that is deleted while it is maintained is no failure of its maintenance", async () => {
  const { user } = await aUser(server);
  const repo = aRepo(server, user, { files: { "a.txt": "first\n" } });
  const { repoRemoval, repos, storage, maintenance, packing } = server.services;
  const { jobs } = server.core;
  await rest();
  const failures: string[] = [];
  jobs.onChange(({ kind, state, id }) => {
    if (state === "running" && kind === "repository.refresh" && repos.seeById(operator, repo.id))
      // As a deletion without grace time does, while the job waits for its worker.
      queueMicrotask(() => {
        if (repos.seeById(operator, repo.id)) repoRemoval.remove(operator, repo);
      });
    if (state === "done" && kind === "repository.erase")
      rmSync(storage.dirOf(repo.id), { recursive: true, force: true });
    if (state === "waiting" || state === "failed") failures.push(jobs.find(id)?.lastError ?? "");
  });
  maintenance.enqueue(repo.id);
  packing.enqueueRepack(repo.id);
  await untilIt(() => repos.byId(repo.id) === undefined);
  await rest();
  expect(failures).toEqual([]);
});

test("the commits of the default branch are counted after each push that moves it, and nowhere else", async () => {
  const { user, token } = await aUser(server);
  const repo = aRepo(server, user, { files: { "a.txt": "first\n" } });
  const { repos, history } = server.services;
  const at = `/api/v1/repos/${user.login}/${repo.name}`;
  const commit = async (branch: string, name: string) => {
    const body = { content: Buffer.from(name).toString("base64"), message: name, branch };
    const made = await call<{ commit: { sha: string } }>(server, "POST", `${at}/contents/${name}`, { token, body });
    expect(made.status).toBe(201);
    return made.body.commit.sha;
  };
  const counted = () => {
    const { countedTip, commitCount } = repos.byId(repo.id)!;
    return { countedTip, commitCount };
  };
  const second = await commit("main", "b.txt");
  await untilIt(() => counted().countedTip === second);
  expect(counted().commitCount).toBe(2);
  const other = { new_branch: "other", content: "", message: "c" };
  const aside = await call<{ commit: { sha: string } }>(server, "POST", `${at}/contents/c.txt`, { token, body: other });
  const third = await commit("other", "d.txt");
  await untilIt(() => true);
  await rest();
  expect(counted()).toEqual({ countedTip: second, commitCount: 2 });
  const seen = repos.seeById(operator, repo.id)!;
  const counts = [second, aside.body.commit.sha, third].map((tip) => history.count(seen, { tips: [tip] }));
  expect(await Promise.all(counts)).toEqual([2, 3, 4]);
  // What is asked for beyond the plain history is not what was counted.
  expect(await history.count(seen, { tips: [second], paths: ["b.txt"] })).toBe(1);
  expect(await history.count(seen, { tips: [second], not: [second] })).toBe(0);
  await call(server, "PATCH", at, { token, body: { default_branch: "other" } });
  await untilIt(() => counted().countedTip === third);
  expect(counted().commitCount).toBe(4);
  expect(server.errors).toEqual([]);
});
