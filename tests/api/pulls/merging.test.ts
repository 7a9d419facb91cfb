import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { asAccount } from "../../../src/access/principal.ts";
import { aRepo, aServer, aUser, call, settled, type TestServer, type TestUser } from "../../builders.ts";
import { gitEnvironment, tempDir } from "../../git/objects/real-git.ts";
import { newSeed, random } from "../../random.ts";

/** Merges through the API, with real git as the judge of what comes of them. */

let server: TestServer;
let own: TestUser;
const dir = tempDir();
beforeAll(async () => {
  server = await aServer();
  own = await aUser(server, { login: "own" });
});
afterAll(async () => {
  await server.close();
  dir[Symbol.dispose]();
});

async function git(cwd: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", ...args], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`git ${args.join(" ")}: ${err}${out}`);
  return out.trim();
}

async function tryGit(cwd: string, ...args: string[]): Promise<string | undefined> {
  return git(cwd, ...args).catch(() => undefined);
}

interface Place {
  readonly path: string;
  readonly id: number;
  readonly work: string;
}

/** A repository with main, and a clone of it. */
async function aPlace(): Promise<Place> {
  const repo = aRepo(server, own.user, { files: { "README.md": "hi\n" } });
  const url = new URL(`${server.url}own/${repo.name}.git`);
  url.username = "own";
  url.password = own.token;
  const work = join(dir.path, repo.name);
  await git(dir.path, "clone", "-q", url.href, work);
  return { path: `/api/v1/repos/own/${repo.name}`, id: repo.id, work };
}

async function commit(work: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), content);
  }
  await git(work, "add", "-A");
  await git(work, "commit", "-q", "--allow-empty", "-m", Object.keys(files).join(" ") || "nothing");
}

const post = <Body = { number: number; mergeable: boolean; message: string }>(path: string, body: unknown) =>
  call<Body>(server, "POST", path, { token: own.token, body });
const get = <Body>(path: string) => call<Body>(server, "GET", path, { token: own.token });

/** A branch with changes of its own, from where main is. */
async function aBranch({ work }: Place, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  await git(work, "checkout", "-q", "-B", name, "origin/main");
  await commit(work, files);
  await git(work, "push", "-q", "origin", name);
}

test("whether branches merge, and into which tree, is as real git has it, whatever they did", async () => {
  const chance = random(newSeed());
  const int = (below: number) => Math.floor(chance() * below);
  const place = await aPlace();
  const { path, work } = place;
  const lines = (mark: string) =>
    Array.from({ length: 12 }, (_, at) => `${at}${int(6) === 0 ? ` ${mark}` : ""}\n`).join("");
  const some = (mark: string) =>
    Object.fromEntries(["a.txt", "b/c.txt", "d.txt"].filter(() => int(2) === 0).map((name) => [name, lines(mark)]));
  await git(work, "checkout", "-q", "main");
  await commit(work, { "a.txt": lines(""), "b/c.txt": lines(""), "d.txt": lines("") });
  await git(work, "push", "-q", "origin", "main");
  const seen = new Set<boolean>();
  for (let round = 0; round < 8; round++) {
    await aBranch(place, `head${round}`, { [`own${round}.txt`]: "x\n", ...some(`h${round}`) });
    await git(work, "checkout", "-q", "-B", `base${round}`, "origin/main");
    await commit(work, { [`base${round}.txt`]: "y\n", ...some(`b${round}`) });
    await git(work, "push", "-q", "origin", `base${round}`);
    const merged = await tryGit(work, "merge-tree", "--write-tree", `base${round}`, `head${round}`);
    const made = await post(`${path}/pulls`, { head: `head${round}`, base: `base${round}`, title: `r${round}` });
    expect([round, made.status, made.body.mergeable]).toEqual([round, 201, merged !== undefined]);
    const style = ["merge", "squash"][int(2)];
    const answer = await post(`${path}/pulls/${made.body.number}/merge`, { do: style });
    expect([round, answer.status]).toEqual([round, merged === undefined ? 405 : 200]);
    seen.add(merged !== undefined);
    if (merged !== undefined) {
      await git(work, "fetch", "-q", "origin", `base${round}`);
      expect(await git(work, "rev-parse", "FETCH_HEAD^{tree}")).toBe(merged.split("\n")[0] ?? "");
    }
  }
  expect(seen.has(true)).toBe(true);
});

test("a rebase through the API is the rebase of real git", async () => {
  const place = await aPlace();
  const { path, work } = place;
  await aBranch(place, "head", { "one.txt": "1\n" });
  await commit(work, { "two.txt": "2\n" });
  await git(work, "push", "-q", "origin", "head");
  await git(work, "checkout", "-q", "main");
  await commit(work, { "elsewhere.txt": "e\n" });
  await git(work, "push", "-q", "origin", "main");
  const { number } = (await post(`${path}/pulls`, { head: "head", base: "main", title: "r" })).body;
  expect((await post(`${path}/pulls/${number}/merge`, { do: "rebase" })).status).toBe(200);
  await git(work, "checkout", "-q", "-b", "oracle", "head");
  await git(work, "rebase", "-q", "main");
  await git(work, "fetch", "-q", "origin", "main");
  const shape = (tip: string) => git(work, "log", "--format=%T %an %ae %ad %s", `main..${tip}`);
  expect(await shape("FETCH_HEAD")).toBe(await shape("oracle"));
});

test("where the repository ignores changes of white space, they are no conflicts, in every style", async () => {
  const place = await aPlace();
  const { path, work } = place;
  await git(work, "checkout", "-q", "main");
  await commit(work, { "a.txt": "if (x) {\n  one\n}\n", "b.txt": "b\n" });
  await git(work, "push", "-q", "origin", "main");
  const styles = ["merge", "squash", "rebase", "rebase-merge"];
  for (const style of styles) {
    await aBranch(place, `head-${style}`, { "a.txt": "if (x) {\n    one\n}\n", "own.txt": "o\n" });
    await git(work, "checkout", "-q", "-B", `base-${style}`, "origin/main");
    await commit(work, { "a.txt": "if (x) {\n  one more\n}\n", "b.txt": "c\n" });
    await git(work, "push", "-q", "origin", `base-${style}`);
  }
  const made = await Promise.all(
    styles.map((style) => post(`${path}/pulls`, { head: `head-${style}`, base: `base-${style}`, title: style })),
  );
  expect(made.map(({ body }) => body.mergeable)).toEqual([false, false, false, false]);
  const patch = { token: own.token, body: { ignore_whitespace_conflicts: true } };
  expect((await call(server, "PATCH", path, patch)).status).toBe(200);
  for (const [at, style] of styles.entries()) {
    const number = made[at]?.body.number ?? 0;
    expect((await get<{ mergeable: boolean }>(`${path}/pulls/${number}`)).body.mergeable).toBe(true);
    expect([style, (await post(`${path}/pulls/${number}/merge`, { do: style })).status]).toEqual([style, 200]);
    await git(work, "fetch", "-q", "origin", `base-${style}`);
    expect(await git(work, "show", "FETCH_HEAD:a.txt")).toBe("if (x) {\n  one more\n}");
  }
  await aBranch(place, "late", { "a.txt": "if (x) {\n    one\n}\n", "late.txt": "l\n" });
  const late = (await post(`${path}/pulls`, { head: "late", base: "base-merge", title: "late" })).body.number;
  for (const style of ["rebase", "merge"])
    expect((await post(`${path}/pulls/${late}/update?style=${style}`, {})).status).toBe(200);
});

test("of several merges of one pull request at the same time exactly one is made", async () => {
  const place = await aPlace();
  const { path, work } = place;
  await aBranch(place, "head", { "one.txt": "1\n" });
  const { number } = (await post(`${path}/pulls`, { head: "head", base: "main", title: "once" })).body;
  const answers = await Promise.all(
    ["merge", "squash", "rebase", "merge"].map((style) => post(`${path}/pulls/${number}/merge`, { do: style })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  expect(statuses.slice(1).every((status) => status === 405 || status === 409)).toBe(true);
  await git(work, "fetch", "-q", "origin", "main");
  expect(await git(work, "rev-list", "--count", "--first-parent", "main..FETCH_HEAD")).toBe("1");
});

test("merges of many pull requests at the same time, beside pushes to their base, lose nothing", async () => {
  const place = await aPlace();
  const { path, work } = place;
  const numbers: number[] = [];
  for (const name of ["a", "b", "c", "d"]) {
    await aBranch(place, name, { [`${name}.txt`]: `${name}\n` });
    numbers.push((await post(`${path}/pulls`, { head: name, base: "main", title: name })).body.number);
  }
  const pushed: string[] = [];
  const push = async (name: string) => {
    await git(work, "fetch", "-q", "origin", "main");
    await git(work, "checkout", "-q", "-B", "trunk", "FETCH_HEAD");
    await commit(work, { [`${name}.txt`]: "p\n" });
    if ((await tryGit(work, "push", "-q", "origin", "trunk:main")) !== undefined) pushed.push(`${name}.txt`);
  };
  const merges = numbers.map((number) => post(`${path}/pulls/${number}/merge`, { do: "merge" }));
  await push("p1");
  await push("p2");
  const statuses = (await Promise.all(merges)).map(({ status }) => status);
  // A base that moves again and again is an answer; what was acknowledged is there.
  expect(statuses.every((status) => status === 200 || status === 405 || status === 409)).toBe(true);
  const merged = ["a", "b", "c", "d"].filter((_, at) => statuses[at] === 200).map((name) => `${name}.txt`);
  await git(work, "fetch", "-q", "origin", "main");
  const files = (await git(work, "ls-tree", "--name-only", "FETCH_HEAD")).split("\n");
  expect(files).toEqual(expect.arrayContaining([...merged, ...pushed]));
  for (const [at, number] of numbers.entries()) {
    const { body } = await get<{ merged: boolean; merge_commit_sha: string | null }>(`${path}/pulls/${number}`);
    expect([number, body.merged]).toEqual([number, statuses[at] === 200]);
    if (body.merged) await git(work, "merge-base", "--is-ancestor", body.merge_commit_sha ?? "", "FETCH_HEAD");
  }
});

test("the ref of a pull request moves with its branch, at the same commit point", async () => {
  const place = await aPlace();
  const { path, work } = place;
  await aBranch(place, "head", { "one.txt": "1\n" });
  const { number } = (await post(`${path}/pulls`, { head: "head", base: "main", title: "r" })).body;
  const { refs } = server.services;
  const moves: string[][] = [];
  server.core.outbox.react("refs.changed", (_context, payload) => moves.push(payload.moves.map(({ name }) => name)));
  await commit(work, { "two.txt": "2\n" });
  await git(work, "push", "-q", "origin", "head");
  const tip = await git(work, "rev-parse", "head");
  expect(moves).toEqual([["refs/heads/head", `refs/pull/${number}/head`]]);
  expect(refs.find(place.id, `refs/pull/${number}/head`)?.oid).toBe(tip);
  expect(await git(work, "ls-remote", "origin", `refs/pull/${number}/head`)).toStartWith(tip);
});

test("what a pull request brings is readable by its ref alone, and goes with it", async () => {
  const place = await aPlace();
  const { path, work } = place;
  await aBranch(place, "head", { "one.txt": "1\n" });
  const { number } = (await post(`${path}/pulls`, { head: "head", base: "main", title: "r" })).body;
  const tip = await git(work, "rev-parse", "head");
  await git(work, "push", "-q", "origin", ":head");
  expect((await get(`${path}/git/commits/${tip}`)).status).toBe(200);
  const gone = await call(server, "DELETE", `${path}/issues/${number}`, { token: own.token });
  expect(gone.status).toBe(204);
  expect(server.services.refs.list(place.id, "refs/pull/")).toEqual([]);
  expect((await get(`${path}/git/commits/${tip}`)).status).toBe(404);
});

test("names of branches that look like something else are names of branches", async () => {
  const place = await aPlace();
  const { path, work } = place;
  await aBranch(place, "x", { "one.txt": "1\n" });
  const strange = ["a#b", "100%", "späß", "it's", 'quo"te', "plus+", "deep/er/--help"];
  for (const name of strange) await git(work, "push", "-q", "origin", `x:refs/heads/${name}`);
  for (const head of strange) {
    const made = await post<{ number: number; head: { ref: string } }>(`${path}/pulls`, {
      head,
      base: "main",
      title: head,
    });
    expect([head, made.status, made.body.head?.ref]).toEqual([head, 201, head]);
    const found = await get<{ number: number }>(
      `${path}/pulls/main/${head.split("/").map(encodeURIComponent).join("/")}`,
    );
    expect([head, found.body.number]).toEqual([head, made.body.number]);
  }
  for (const head of [
    "--help",
    "refs/heads/x",
    "..",
    "x..main",
    ":",
    "own:",
    "own/:x",
    "\u0000",
    "x\n",
    "no/such:x",
    "HEAD~1",
  ])
    expect([head, (await post(`${path}/pulls`, { head, base: "main", title: "t" })).status < 500]).toEqual([
      head,
      true,
    ]);
  expect((await post(`${path}/pulls`, { head: "refs/heads/x", base: "main", title: "t" })).status).toBe(404);
  expect(server.errors).toEqual([]);
});

test("the settings say what the message of a squash is made of, and whether it names an author", async () => {
  const settings = { "pulls.squash_message": "commits", "pulls.squash_message_max_bytes": 19 } as const;
  await using other = await aServer({ ...settings, "pulls.co_author_trailers": false });
  const [owner, poster] = [await aUser(other, { login: "own" }), await aUser(other)];
  const { name } = aRepo(other, owner.user, { files: { "a.txt": "a\n" } });
  const path = `/api/v1/repos/own/${name}`;
  const send = (who: TestUser, method: string, to: string, body: unknown) =>
    call<{ number: number; name: string }>(other, method, to, { token: who.token, body });
  const fork = (await send(poster, "POST", `${path}/forks`, { name: "fork" })).body.name;
  const content = Buffer.from("b\n").toString("base64");
  const change = { content, branch: "main", new_branch: "work", message: "Say more of the ümlauts" };
  await send(poster, "POST", `/api/v1/repos/${poster.login}/${fork}/contents/b.txt`, change);
  const head = `${poster.login}:work`;
  const { number } = (await send(poster, "POST", `${path}/pulls`, { head, base: "main", title: "t", body: "Why" }))
    .body;
  const item = other.services.pulls.see(
    other.services.repos.seeById(asAccount(owner.user), other.services.repos.byId(1)?.id ?? 0) ?? never(),
    number,
  );
  expect((await other.services.mergeMessages.of(item, "squash")).body).toBe("* Say more of the ...");
  expect((await send(owner, "POST", `${path}/pulls/${number}/merge`, { do: "squash" })).status).toBe(200);
  const branch = await call<{ commit: { message: string } }>(other, "GET", `${path}/branches/main`, {
    token: owner.token,
  });
  expect(branch.body.commit.message.trim()).toBe("t (#1)");
});

function never(): never {
  throw new Error("it is there");
}

test("the size of a pull request is counted again when its base or its head has moved, and its protected files are found", async () => {
  const place = await aPlace();
  const { path, work } = place;
  await git(work, "checkout", "-q", "-B", "topic", "origin/main");
  await commit(work, { "a.txt": "1\n2\n3\n" });
  await commit(work, { "b.txt": "1\n" });
  await git(work, "push", "-q", "origin", "topic");
  const made = await post(`${path}/pulls`, { head: "topic", base: "main", title: "Both" });
  const pull = `${path}/pulls/${made.body.number}`;
  const size = async () => {
    await settled(server);
    const { body } = await get<Record<string, unknown>>(pull);
    return [body["additions"], body["deletions"], body["changed_files"], body["merge_base"]];
  };
  const begin = await git(work, "rev-parse", "origin/main");
  expect(await size()).toEqual([4, 0, 2, begin]);
  // The base has something else: the merge base is where it was.
  await git(work, "checkout", "-q", "-B", "main", "origin/main");
  await commit(work, { "c.txt": "1\n" });
  await git(work, "push", "-q", "origin", "main");
  expect(await size()).toEqual([4, 0, 2, begin]);
  await post(`${path}/branch_protections`, { rule_name: "main", enable_push: true, protected_file_patterns: "B.*" });
  await commit(work, { "d.txt": "1\n" });
  await git(work, "push", "-q", "origin", "main");
  expect(await size()).toEqual([4, 0, 2, begin]);
  const refused = await post<{ message: string }>(`${pull}/merge`, { do: "merge" });
  expect([refused.status, refused.body.message]).toEqual([405, expect.stringContaining("protected")]);
  // The base has the first of its two commits.
  await git(work, "merge", "-q", "--no-edit", "origin/topic~1");
  await git(work, "push", "-q", "origin", "main");
  expect(await size()).toEqual([1, 0, 1, await git(work, "rev-parse", "origin/topic~1")]);
  await git(work, "checkout", "-q", "topic");
  await commit(work, { "b.txt": "1\n2\n" });
  await git(work, "push", "-q", "origin", "topic");
  expect((await size()).slice(0, 3)).toEqual([2, 0, 1]);
});
