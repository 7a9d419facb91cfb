import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { aServer, aUser, call } from "../builders.ts";
import { EMPTY_BLOB, object, treeOf } from "../git/hostile/corpus/objects.ts";
import { storeLoose } from "../git/hostile/corpus/verdicts.ts";
import { gitEnvironment, gitText, tempDir } from "../git/objects/real-git.ts";
import { hearthGit, realGit } from "../git/terminal/answers.ts";

setDefaultTimeout(180_000);

const WHO = "A <a@b.c> 1 +0000";

/** A history as old tools wrote it: a directory, and a file below it, with a zero before their modes. @returns its tip */
function paddedHistory(repo: string): string {
  gitText(["init", "-q", "--bare", "-b", "main", repo]);
  const store = (type: "blob" | "tree" | "commit", content: string | Uint8Array) =>
    storeLoose(repo, object(type, "padded", content));
  const blob = store("blob", "one\n");
  store("blob", "");
  const below = store("tree", treeOf(["0100644", "file.txt", blob]));
  const first = store("tree", treeOf(["0100644", "a.txt", EMPTY_BLOB], ["040000", "docs", below]));
  const second = store("tree", treeOf(["100644", "a.txt", blob], ["040000", "docs", below]));
  const commit = (tree: string, parents: readonly string[], message: string) =>
    store(
      "commit",
      `tree ${tree}\n${parents.map((oid) => `parent ${oid}\n`).join("")}author ${WHO}\ncommitter ${WHO}\n\n${message}\n`,
    );
  const tip = commit(second, [commit(first, [], "first")], "second");
  gitText(["-C", repo, "update-ref", "refs/heads/main", tip]);
  return tip;
}

async function git(args: string[]) {
  const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", ...args], { env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const err = await new Response(child.stderr).text();
  return { code: await child.exited, err };
}

test("a history with zero-padded modes is refused, and the pusher hears what can be done", async () => {
  using dir = tempDir();
  await using server = await aServer();
  const { login, token } = await aUser(server);
  const repo = join(dir.path, "padded.git");
  paddedHistory(repo);
  const address = Object.assign(new URL(`${server.url}${login}/old.git`), { username: login, password: token }).href;
  const refused = await git(["-C", repo, "push", address, "main"]);
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain("zeroPaddedFilemode: contains zero-padded file modes (in tree)");
  expect(refused.err).toContain("git.accept_zero_padded_modes = true");
  expect((await call(server, "GET", `/api/v1/repos/${login}/old`, { token })).status).toBe(404);

  // What else is wrong with an object has no setting.
  const odd = storeLoose(repo, object("tree", "odd", treeOf(["0100644", ".git", EMPTY_BLOB])));
  const commit = object("commit", "odd", `tree ${odd}\nauthor ${WHO}\ncommitter ${WHO}\n\nodd\n`);
  const both = await git(["-C", repo, "push", address, `${storeLoose(repo, commit)}:refs/heads/odd`]);
  expect(both.err).toContain("hasDotgit");
  expect(both.err).not.toContain("git.accept_zero_padded_modes");

  // What the pusher is told to do instead.
  const plain = join(dir.path, "plain.git");
  gitText(["init", "-q", "--bare", plain]);
  const written = Bun.spawnSync(["git", "-C", repo, "fast-export", "--all"]).stdout;
  Bun.spawnSync(["git", "-C", plain, "fast-import", "--quiet"], { stdin: written });
  expect((await git(["-C", plain, "push", address, "main"])).code).toBe(0);
});

test("with git.accept_zero_padded_modes it is taken, and read as git reads it", async () => {
  using dir = tempDir();
  await using server = await aServer({ "git.accept_zero_padded_modes": true });
  const { login, token } = await aUser(server);
  const repo = join(dir.path, "padded.git");
  const tip = paddedHistory(repo);
  const address = Object.assign(new URL(`${server.url}${login}/old.git`), { username: login, password: token }).href;
  const pushed = await git(["-C", repo, "push", address, "main"]);
  expect({ code: pushed.code, err: pushed.err.includes("zeroPadded") }).toEqual({ code: 0, err: false });

  const file = await call(server, "GET", `/api/v1/repos/${login}/old/raw/docs/file.txt`, { token });
  expect(file).toMatchObject({ status: 200, text: "one\n" });
  const compared = await call(server, "GET", `/api/v1/repos/${login}/old/git/commits/${tip}.diff`, { token });
  expect(compared.text).toBe(`${Bun.spawnSync(["git", "-C", repo, "diff", `${tip}^`, tip]).stdout}`);
  // An edit beside it writes what it changes as git would.
  const edited = await call(server, "POST", `/api/v1/repos/${login}/old/contents/new.txt`, {
    token,
    body: { content: btoa("new\n"), message: "new" },
  });
  expect(edited.status).toBe(201);

  const cloned = join(dir.path, "clone");
  expect((await git(["clone", "-q", address, cloned])).code).toBe(0);
  expect(gitText(["-C", cloned, "rev-parse", "HEAD~1"])).toBe(tip);
  const { body } = await call(server, "GET", `/api/v1/repos/${login}/old`, { token });
  const folder = server.services.storage.dirOf((body as { id: number }).id);
  for (const words of [
    ["ls-tree", "-r", "-t", tip],
    ["log", "-p", "--format=%H", tip],
    ["diff-tree", "-r", `${tip}^`, tip],
    ["fsck", "--strict"],
    ["fsck"],
  ]) {
    const { stdout, stderr, status } = realGit(folder, words);
    const ours = await hearthGit(folder, words);
    expect({ words, status: ours.status, stdout: ours.stdout }).toEqual({ words, status, stdout });
    if (words[0] !== "fsck") expect(status).toBe(0);
    else expect(lines(ours.stderr)).toEqual(lines(stderr));
  }

  // An object has further problems: they count as ever.
  const odd = storeLoose(repo, object("tree", "odd", treeOf(["0100644", ".git", EMPTY_BLOB])));
  const commit = object("commit", "odd", `tree ${odd}\nauthor ${WHO}\ncommitter ${WHO}\n\nodd\n`);
  const refused = await git(["-C", repo, "push", address, `${storeLoose(repo, commit)}:refs/heads/odd`]);
  expect(refused.err).toContain("hasDotgit");
});

/** In an order of their own, without counters. */
const lines = (text: Uint8Array | string) =>
  `${typeof text === "string" ? text : Buffer.from(text)}`
    .split(/[\r\n]+/)
    .filter((line) => line !== "" && !line.includes("%"))
    .sort();
