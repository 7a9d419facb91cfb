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
