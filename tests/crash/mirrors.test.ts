import { expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser } from "../builders.ts";
import { call } from "./calls.ts";
import { serve, settled, withDatabase } from "./server.ts";
import { aWorld } from "./world.ts";

/** Imports and mirrors go on where a crash broke them off, and what they bring is there once. */
test("an import and a mirror that died are whole after the next start", async () => {
  const world = await aWorld();
  await using source = await aServer();
  const bob = await aUser(source, { login: "bob" });
  const repo = aRepo(source, bob.user, { name: "from", files: { "a.txt": "a" } });
  const there = anApi(() => source);
  for (const title of ["one", "two"]) await there("POST", "/repos/bob/from/issues", bob, { title });
  const clone_addr = `${source.url}bob/from.git`;
  const allowed = { HEARTH_NETWORK_ALLOW: "loopback" };
  const dataDir = world.copy();
  const refsOf = (name: string) =>
    withDatabase(dataDir, (db) =>
      db
        .query<{ name: string; oid: string }, [string]>(
          "SELECT refs.name, refs.oid FROM refs JOIN repositories ON repositories.id = refs.folder_id WHERE repositories.name = ?",
        )
        .all(name),
    );
  try {
    const first = await serve(dataDir, { ...allowed, HEARTH_CRASH_AT: "import.after-code" });
    const body = { clone_addr, repo_name: "moved", service: "gitea", issues: true };
    await call({ url: first.url, token: world.token }, "POST", "/repos/migrate", body).catch(() => undefined);
    expect(await first.exited).toBeNull();
    const second = await serve(dataDir, { ...allowed, HEARTH_CRASH_AT: "mirror.after-fetch" });
    await settled(dataDir);
    const to = { url: second.url, token: world.token };
    expect(refsOf("moved")).toEqual(source.services.refs.list(repo.id).map(({ name, oid }) => ({ name, oid })));
    const counts = withDatabase(dataDir, (db) =>
      db
        .query<{ issues: number; imports: number }, []>(
          "SELECT (SELECT count(*) FROM issues JOIN repositories ON repositories.id = issues.repo_id WHERE repositories.name = 'moved') AS issues, (SELECT count(*) FROM repository_imports) AS imports",
        )
        .get(),
    );
    expect(counts).toEqual({ issues: 2, imports: 0 });
    const made = await call(to, "POST", "/repos/migrate", { clone_addr, repo_name: "follows", mirror: true });
    expect(made.status).toBe(201);
    await there("POST", "/repos/bob/from/branches", bob, { new_branch_name: "later" });
    const owner = withDatabase(dataDir, (db) =>
      db
        .query<{ login: string }, []>(
          "SELECT login FROM users JOIN repositories ON repositories.owner_id = users.id WHERE repositories.name = 'follows'",
        )
        .get(),
    );
    await call(to, "POST", `/repos/${owner?.login}/follows/mirror-sync`).catch(() => undefined);
    expect(await second.exited).toBeNull();
    const third = await serve(dataDir, allowed);
    await settled(dataDir);
    expect(refsOf("follows")).toEqual(source.services.refs.list(repo.id).map(({ name, oid }) => ({ name, oid })));
    const mirror = withDatabase(dataDir, (db) =>
      db
        .query<{ failures: number; synced_at: number | null }, []>("SELECT failures, synced_at FROM pull_mirrors")
        .get(),
    );
    expect(mirror).toMatchObject({ failures: 0, synced_at: expect.any(Number) });
    await third.end("SIGTERM");
  } finally {
    world.remove();
  }
}, 300_000);

test.each([
  ["its pull requests", "import.amid-pulls", { comments: 3 }],
  ["the many comments of one", "import.amid-comments", { comments: 353 }],
])(
  "an import that died amid %s has each of them once, with all that was said",
  async (_, point, { comments }) => {
    const world = await aWorld();
    await using source = await aServer();
    const bob = await aUser(source, { login: "bob" });
    const repo = aRepo(source, bob.user, { name: "from", files: { "a.txt": "a" } });
    const there = anApi(() => source);
    for (const name of ["one", "two", "three"]) {
      const file = { content: btoa(name), branch: "main", new_branch: name };
      await there("POST", `/repos/bob/from/contents/${name}.txt`, bob, file);
      await there("POST", "/repos/bob/from/pulls", bob, { title: name, head: name, base: "main" });
    }
    for (const number of [1, 2, 3]) {
      await there("POST", `/repos/bob/from/issues/${number}/comments`, bob, { body: "said" });
      await there("POST", `/repos/bob/from/pulls/${number}/reviews`, bob, { event: "COMMENT", body: "reviewed" });
    }
    const { id } = source.core.db.query<{ id: number }>("SELECT id FROM issues WHERE number = 1").get() ?? { id: 0 };
    for (let more = 3; more < comments; more++)
      source.core.db
        .query(
          `INSERT INTO timeline (issue_id, repo_id, kind, user_id, body, created_at, updated_at)
         VALUES (?, ?, 'comment', ?, ?, ?, ?)`,
        )
        .run(id, repo.id, bob.user.id, `more ${more}`, Date.now() + more, Date.now() + more);
    source.core.db.query("UPDATE issues SET comments = ? WHERE id = ?").run(comments - 2, id);
    const allowed = { HEARTH_NETWORK_ALLOW: "loopback" };
    const dataDir = world.copy();
    const counts = () =>
      withDatabase(dataDir, (db) =>
        db
          .query<Record<string, number>, []>(
            `SELECT count(*) AS pulls, (SELECT count(*) FROM repository_imports) AS imports,
             (SELECT count(*) FROM reviews JOIN pulls USING (issue_id) WHERE pulls.repo_id = repositories.id) AS reviews,
             (SELECT count(*) FROM timeline WHERE timeline.repo_id = repositories.id AND kind = 'comment') AS comments,
             (SELECT count(DISTINCT body) FROM timeline WHERE timeline.repo_id = repositories.id AND body LIKE 'more %') + 3 AS different,
             (SELECT sum(comments) FROM issues WHERE issues.repo_id = repositories.id) AS counted,
             (SELECT count(*) FROM unfinished_items) AS unfinished,
             (SELECT count(*) FROM refs WHERE folder_id = repositories.id AND name LIKE 'refs/pull/%/head') AS heads
           FROM repositories JOIN pulls ON pulls.repo_id = repositories.id WHERE repositories.name = 'moved'`,
          )
          .get(),
      );
    try {
      const first = await serve(dataDir, { ...allowed, HEARTH_CRASH_AT: point });
      const body = {
        clone_addr: `${source.url}bob/from.git`,
        repo_name: "moved",
        service: "gitea",
        pull_requests: true,
      };
      await call({ url: first.url, token: world.token }, "POST", "/repos/migrate", body).catch(() => undefined);
      expect(await first.exited).toBeNull();
      expect(counts()).toMatchObject({ pulls: 1, imports: 1 });
      const second = await serve(dataDir, allowed);
      await settled(dataDir);
      const said = { comments, different: comments, counted: comments + 3, unfinished: 0 };
      expect(counts()).toEqual({ pulls: 3, imports: 0, reviews: 3, heads: 3, ...said });
      const { refs } = source.services;
      const heads = [1, 2, 3].map((number) => refs.find(repo.id, `refs/pull/${number}/head`)?.oid);
      const here = withDatabase(dataDir, (db) =>
        db
          .query<{ oid: string }, []>(
            "SELECT head_oid AS oid FROM pulls JOIN repositories ON repositories.id = repo_id WHERE name = 'moved' ORDER BY number",
          )
          .all(),
      );
      expect(here.map(({ oid }) => oid)).toEqual(heads.map((oid) => oid ?? ""));
      await second.end("SIGTERM");
    } finally {
      world.remove();
    }
  },
  300_000,
);
