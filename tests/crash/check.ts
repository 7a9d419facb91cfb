import type { Database } from "bun:sqlite";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { git } from "../executable/process.ts";
import { call, field } from "./calls.ts";
import { withDatabase } from "./server.ts";

/**
 * What must hold of a data folder at rest, whatever happened to it, told by others than the server: SQLite's own
 * checks, real git, and the rules between tables.
 */

interface RepoRow {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
}

interface LogRow {
  readonly repoId: number;
  readonly name: string;
  readonly oldOid: string | null;
  readonly newOid: string | null;
}

const rows = <Row>(db: Database, sql: string): Row[] => db.query<Row, []>(sql).all();

const reposOf = (db: Database): RepoRow[] =>
  rows<RepoRow>(
    db,
    `SELECT repositories.id, users.login AS owner, repositories.name, default_branch AS defaultBranch
     FROM repositories JOIN git_folders ON git_folders.id = repositories.id JOIN users ON users.id = owner_id ORDER BY repositories.id`,
  );

export const folderOf = (dataDir: string, id: number): string =>
  join(dataDir, "repositories", (id % 256).toString(16).padStart(2, "0"), `${id}.git`);

/** Everything that is wrong, in words; nothing when all is well. */
export async function problemsOf(dataDir: string): Promise<string[]> {
  const problems = withDatabase(dataDir, (db) => [...databaseProblems(db), ...historyProblems(db)]);
  const { repos, storage } = withDatabase(dataDir, (db) => ({
    repos: reposOf(db),
    storage: rows<{ id: number; state: string }>(db, "SELECT id, state FROM repository_storage"),
  }));
  for (const { id, state } of storage)
    if (state !== "live" || !repos.some((repo) => repo.id === id))
      problems.push(`the folder of repository ${id} is "${state}" in the database`);
  problems.push(...strayFolders(dataDir, new Set(repos.map((repo) => repo.id))));
  problems.push(...blobProblems(dataDir));
  await Promise.all(repos.map(async (repo) => problems.push(...(await repoProblems(dataDir, repo)))));
  return problems;
}

function databaseProblems(db: Database): string[] {
  const integrity = rows<{ integrity_check: string }>(db, "PRAGMA integrity_check").map((row) => row.integrity_check);
  const foreign = rows<object>(db, "PRAGMA foreign_key_check").map((row) => `foreign key: ${JSON.stringify(row)}`);
  const failed = rows<{ kind: string; error: string }>(
    db,
    "SELECT kind, last_error AS error FROM jobs WHERE state = 'failed'",
  ).map((job) => `the job ${job.kind} failed: ${job.error}`);
  return [...integrity.filter((line) => line !== "ok"), ...foreign, ...failed];
}

/** Refs, their log, the events and the feed tell one story. */
function historyProblems(db: Database): string[] {
  const problems: string[] = [];
  const repos = new Set(reposOf(db).map((repo) => repo.id));
  const log = rows<LogRow>(
    db,
    "SELECT folder_id AS repoId, name, old_oid AS oldOid, new_oid AS newOid FROM ref_log ORDER BY id",
  );
  const forks = new Set(
    rows<{ id: number }>(db, "SELECT id FROM repositories WHERE fork_of IS NOT NULL").map(({ id }) => `${id}`),
  );
  const now = new Map<string, string | null>();
  for (const { repoId, name, oldOid, newOid } of log) {
    const key = `${repoId} ${name}`;
    if ((now.get(key) ?? null) !== oldOid)
      problems.push(`${key}: the log goes from ${now.get(key)} on to ${oldOid} -> ${newOid}`);
    now.set(key, newOid);
  }
  const refs = rows<{ key: string; oid: string }>(db, "SELECT folder_id || ' ' || name AS key, oid FROM refs");
  // A fork's first refs are those of its base: nothing was moved.
  for (const { key, oid } of refs)
    if (now.get(key) !== oid && (now.has(key) || !forks.has(key.split(" ")[0] ?? "")))
      problems.push(`${key} is ${oid}, its log ends with ${now.get(key)}`);
  const present = new Set(refs.map((ref) => ref.key));
  for (const [key, oid] of now) if (oid !== null && !present.has(key)) problems.push(`${key} is gone, not its log`);

  const events = rows<{ id: number; kind: string; repoId: number | null; payload: string }>(
    db,
    "SELECT id, kind, repo_id AS repoId, payload FROM events ORDER BY id",
  );
  const told = events.flatMap((event) =>
    event.kind === "refs.changed" && event.repoId !== null && repos.has(event.repoId)
      ? (JSON.parse(event.payload) as { moves: object[] }).moves.map(
          (move) =>
            `${event.repoId} ${field(move, "name")} ${field(move, "oldOid") ?? null} ${field(move, "newOid") ?? null}`,
        )
      : [],
  );
  const logged = log.map((row) => `${row.repoId} ${row.name} ${row.oldOid} ${row.newOid}`);
  if (JSON.stringify(told) !== JSON.stringify(logged))
    problems.push(`the events tell of ${told.length} moves of refs, the log of ${logged.length}, or of others`);
  for (const id of repos) {
    const births = events.filter((event) => event.kind === "repo.created" && event.repoId === id).length;
    if (births !== 1) problems.push(`repository ${id} has ${births} events of its making`);
  }
  for (const { repoId, kind } of events) {
    if (kind !== "repo.created" || repoId === null || repos.has(repoId)) continue;
    if (!events.some((event) => event.kind === "repo.deleted" && event.repoId === repoId))
      problems.push(`repository ${repoId} is gone without an event`);
  }
  for (const row of rows<{ n: number; what: string }>(
    db,
    "SELECT count(*) AS n, event_id || ' ' || kind || ' ' || ref_name AS what FROM activities GROUP BY what HAVING n > 1",
  ))
    problems.push(`the feed tells ${row.n} times of ${row.what}`);
  const fed = rows<{ n: number }>(db, "SELECT count(*) AS n FROM activities WHERE kind = 'create_repo'")[0]?.n;
  if (fed !== repos.size) problems.push(`the feed tells of ${fed} new repositories, there are ${repos.size}`);
  return problems;
}

function strayFolders(dataDir: string, ids: ReadonlySet<number>): string[] {
  const root = join(dataDir, "repositories");
  if (!existsSync(root)) return [];
  return readdirSync(root).flatMap((part) =>
    readdirSync(join(root, part))
      .filter((name) => !ids.has(Number(/^(\d+)\.git$/.exec(name)?.[1] ?? "-1")))
      .map((name) => `a stray folder: ${part}/${name}`),
  );
}

/** Uploaded files are as the database has them, byte for byte, and there are no others. */
function blobProblems(dataDir: string): string[] {
  const root = join(dataDir, "blobs");
  const known = withDatabase(dataDir, (db) =>
    rows<{ digest: string; unused: number; refs: number }>(
      db,
      `SELECT digest, unreferenced_since IS NOT NULL AS unused,
         (SELECT count(*) FROM blob_references WHERE blob_references.digest = blobs.digest) AS refs FROM blobs`,
    ),
  );
  const problems: string[] = [];
  for (const { digest, unused, refs } of known) {
    const path = join(root, digest.slice(0, 2), digest);
    const sha256 = existsSync(path)
      ? new Bun.CryptoHasher("sha256").update(readFileSync(path)).digest("hex")
      : "missing";
    if (sha256 !== digest) problems.push(`the file ${digest} is ${sha256}`);
    if ((refs === 0) !== (unused === 1))
      problems.push(`the file ${digest} has ${refs} references and is noted otherwise`);
  }
  const digests = new Set(known.map(({ digest }) => digest));
  if (existsSync(root))
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }))
      if (entry.isFile() && !digests.has(entry.name)) problems.push(`a stray file in blobs/: ${entry.name}`);
  return problems;
}

/** Files a repository at rest may have. */
const EXPECTED = [
  /^HEAD$/,
  /^config$/,
  /^packed-refs$/,
  /^objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/,
  /^objects\/pack\/pack-[0-9a-f]{40}\.(pack|idx|mtimes)$/,
  /^objects\/info\/hearth\/pack-[0-9a-f]{40}\.(closure|replaced)$/,
  /^objects\/info\/hearth\/maintenance$/,
  /^objects\/info\/commit-graph$/,
  /^objects\/info\/commit-graphs\/(commit-graph-chain|graph-[0-9a-f]{40}\.graph)$/,
];

async function repoProblems(dataDir: string, repo: RepoRow): Promise<string[]> {
  const dir = folderOf(dataDir, repo.id);
  const where = `${repo.owner}/${repo.name} (${repo.id})`;
  if (!existsSync(dir)) return [`${where} has no folder`];
  const problems: string[] = [];
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(dir.length + 1);
    if (entry.isDirectory() ? /incoming|tmp/.test(entry.name) : !EXPECTED.some((pattern) => pattern.test(path)))
      problems.push(`${where} has an unexpected ${path}`);
  }
  const fsck = await git(dir, "fsck", "--strict", "--full").catch((error: Error) => error.message);
  const complaints = fsck.split("\n").filter((line) => line !== "" && !/^(dangling|notice:)/.test(line));
  problems.push(...complaints.map((line) => `${where}: fsck: ${line}`));
  const stored = await git(dir, "for-each-ref", "--format=%(refname) %(objectname)");
  const known = withDatabase(dataDir, (db) =>
    db
      .query<{ line: string }, [number]>(
        "SELECT name || ' ' || oid AS line FROM refs WHERE folder_id = ? ORDER BY CAST(name AS BLOB)",
      )
      .all(repo.id)
      .map((row) => row.line),
  ).join("\n");
  if (stored !== known) problems.push(`${where}: git sees\n${stored}\nthe database says\n${known}`);
  const head = await git(dir, "symbolic-ref", "HEAD");
  if (head !== `refs/heads/${repo.defaultBranch}`)
    problems.push(`${where}: HEAD is ${head}, the default branch ${repo.defaultBranch}`);
  return problems;
}

/** Whether the API shows what the database holds: repositories, branches, tags. */
export async function apiProblems(dataDir: string, at: { url: string; token: string }): Promise<string[]> {
  const problems: string[] = [];
  const repos = withDatabase(dataDir, reposOf);
  const listed = await call(at, "GET", "/user/repos?limit=50");
  const names = (Array.isArray(listed.body) ? listed.body : []).map((repo: unknown) => field(repo, "full_name")).sort();
  const expected = repos.map((repo) => `${repo.owner}/${repo.name}`).sort();
  if (JSON.stringify(names) !== JSON.stringify(expected))
    problems.push(`the API lists ${names.join(" ")}, the database has ${expected.join(" ")}`);
  for (const repo of repos) {
    const shown: string[] = [];
    for (const kind of ["branches", "tags"] as const) {
      for (const one of await wholeList(at, `/repos/${repo.owner}/${repo.name}/${kind}`))
        shown.push(
          `refs/${kind === "tags" ? "tags" : "heads"}/${field(one, "name")} ${field(one, "commit", kind === "tags" ? "sha" : "id")}`,
        );
    }
    const known = withDatabase(dataDir, (db) =>
      db
        .query<{ line: string }, [number]>(
          "SELECT name || ' ' || coalesce(peeled, oid) AS line FROM refs WHERE folder_id = ? AND name NOT LIKE 'refs/pull/%'",
        )
        .all(repo.id)
        .map((row) => row.line),
    );
    if (shown.sort().join() !== known.sort().join())
      problems.push(`the API shows of ${repo.name}:\n${shown.join("\n")}\nthe database\n${known.join("\n")}`);
  }
  return problems;
}

async function wholeList(at: { url: string; token: string }, path: string): Promise<unknown[]> {
  const items: unknown[] = [];
  for (let page = 1; ; page++) {
    const answer = await call(at, "GET", `${path}?limit=50&page=${page}`);
    const got: unknown[] = Array.isArray(answer.body) ? answer.body : [];
    items.push(...got);
    if (got.length < 50) return items;
  }
}

/** What a folder holds, without ids and times that differ from run to run: equal texts mean equal effects. */
export async function stateOf(dataDir: string): Promise<string> {
  const repos = withDatabase(dataDir, reposOf);
  const refs: string[] = [];
  for (const repo of repos) {
    const shown = await git(
      folderOf(dataDir, repo.id),
      "for-each-ref",
      "--format=%(refname) %(objecttype) %(tree)%(*tree) %(numparent) %(subject)",
    );
    refs.push(...shown.split("\n").map((line) => `${repo.owner}/${repo.name} ${line}`));
  }
  const tables = withDatabase(dataDir, (db) => ({
    repos: rows(
      db,
      "SELECT owner_id, name, description, is_private, is_archived, is_empty, default_branch FROM repositories JOIN git_folders ON git_folders.id = repositories.id ORDER BY owner_id, name",
    ),
    redirects: rows(db, "SELECT lower_name FROM repository_redirects ORDER BY lower_name"),
    collaborators: rows(db, "SELECT repo_id, user_id, level FROM collaborators ORDER BY repo_id, user_id"),
    tokens: rows(db, "SELECT user_id, name, scopes FROM access_tokens ORDER BY user_id, name"),
    users: rows(db, "SELECT login, email, is_admin, avatar <> '' AS pictured FROM users ORDER BY login"),
    largeFiles: rows(db, "SELECT repo_id, oid, size_bytes FROM lfs_objects ORDER BY repo_id, oid"),
    files: rows(
      db,
      `SELECT area, digest, count(*) AS "references" FROM blob_references GROUP BY area, digest ORDER BY area, digest`,
    ),
    log: rows(
      db,
      "SELECT name, old_oid IS NULL AS born, new_oid IS NULL AS gone FROM ref_log ORDER BY folder_id, name, id",
    ),
    events: rows<{ kind: string; names: string }>(
      db,
      "SELECT kind, payload AS names FROM events WHERE repo_id IS NULL OR repo_id IN (SELECT id FROM repositories) ORDER BY id",
    ).map(({ kind, names }) => `${kind} ${names.replace(/"[0-9a-f]{40}"/g, "oid")}`),
    items: rows(db, "SELECT repo_id, number, title, is_closed FROM issues ORDER BY repo_id, number"),
    pulls: rows(
      db,
      "SELECT repo_id, number, status, merge_commit <> '' AS merged, head_oid = (SELECT oid FROM refs WHERE folder_id = repo_id AND name = 'refs/pull/' || number || '/head') AS kept FROM pulls ORDER BY id",
    ),
    feed: rows(db, "SELECT kind, ref_name FROM activities ORDER BY event_id, ref_name, kind"),
  }));
  return JSON.stringify({ refs, ...tables }, null, 1);
}
