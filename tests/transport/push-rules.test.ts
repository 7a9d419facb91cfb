import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signedPayload } from "../../src/git/objects/commit.ts";
import { Forbidden } from "../../src/kernel/errors.ts";
import type { KnownFacts, ProposedChange, RuleNeeds } from "../../src/repos/rules/types.ts";
import { aRepo, aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { gitEnvironment, tempDir } from "../git/objects/real-git.ts";

let server: TestServer;
let ada: TestUser;
beforeEach(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
});
afterEach(() => server.close());

async function git(cwd: string, ...args: string[]) {
  const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", ...args], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out: out.trim(), err };
}

async function aClone(dir: string, files: Record<string, string>) {
  const repo = aRepo(server, ada.user, { name: "engine", files });
  const url = new URL(`${server.url}ada/engine.git`);
  url.username = "ada";
  url.password = ada.token;
  const work = join(dir, "work");
  expect((await git(dir, "clone", "-q", url.href, work)).code).toBe(0);
  const commit = async (changed: Record<string, string | Uint8Array>, message: string) => {
    for (const [path, content] of Object.entries(changed)) {
      mkdirSync(join(work, path, ".."), { recursive: true });
      writeFileSync(join(work, path), content);
    }
    await git(work, "add", "-A");
    await git(work, "commit", "-q", "-m", message);
    return (await git(work, "rev-parse", "HEAD")).out;
  };
  return { repo, work, commit };
}

/** A rule that takes everything and remembers what it was told. */
function anObserver(needs: (change: ProposedChange) => RuleNeeds | undefined) {
  const seen: (KnownFacts & { readonly name: string })[] = [];
  server.services.pushRules.add({
    name: "observer",
    needs,
    judge: ({ name }, facts) => {
      seen.push({ name, ...facts });
      return undefined;
    },
  });
  return seen;
}

const everything: RuleNeeds = { facts: ["forced", "commits", "paths", "blobs"] };

test("a rule is told what an update changes: commits, both names of a moved file, sizes, LFS pointers", async () => {
  using dir = tempDir();
  const { work, commit } = await aClone(dir.path, { "old.txt": "the same content\n", "kept.txt": "kept\n" });
  const seen = anObserver(() => everything);
  const oid = "a".repeat(64);
  await git(work, "mv", "old.txt", "new.txt");
  const moved = await commit({}, "move it");
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize 12345\n`;
  const added = await commit({ "deep/er/big.bin": "x".repeat(5000), "p.bin": pointer }, "add some\n\nwith a body");
  expect((await git(work, "push", "-q", "origin", "HEAD")).err).toBe("");
  const facts = seen.at(-1);
  expect(facts?.name).toBe("refs/heads/main");
  expect(facts?.isForced).toBe(false);
  expect(facts?.commits?.map(({ oid: id, message }) => [id, message])).toEqual([
    [added, "add some\n\nwith a body\n"],
    [moved, "move it\n"],
  ]);
  expect(facts?.paths).toEqual(["deep/er/big.bin", "new.txt", "old.txt", "p.bin"]);
  expect(facts?.received?.largest).toMatchObject({ sizeBytes: 5000, path: "deep/er/big.bin" });
  expect(facts?.received?.totalBytes).toBe(5000 + pointer.length);
  expect(facts?.received?.lfs).toEqual([{ oid, sizeBytes: 12345 }]);

  await git(work, "reset", "-q", "--hard", "HEAD~1");
  await commit({ "kept.txt": "changed\n" }, "instead");
  await git(work, "push", "-q", "-f", "origin", "HEAD");
  expect(seen.at(-1)).toMatchObject({ isForced: true, paths: ["deep/er/big.bin", "kept.txt", "p.bin"] });
});

test("of a new branch only what no ref has counts, and of a merge what is as in none of its parents", async () => {
  using dir = tempDir();
  const { work, commit } = await aClone(dir.path, { "a.txt": "a\n" });
  await git(work, "checkout", "-q", "-b", "side");
  await commit({ "side.txt": "side\n" }, "side");
  await git(work, "push", "-q", "origin", "side");
  await git(work, "checkout", "-q", "main");
  await commit({ "main.txt": "main\n" }, "main");
  await git(work, "push", "-q", "origin", "main");
  const seen = anObserver(() => everything);
  await git(work, "checkout", "-q", "-b", "both");
  await git(work, "merge", "-q", "--no-commit", "--no-ff", "side");
  await commit({ "evil.txt": "not in either\n" }, "both");
  const both = (await git(work, "rev-parse", "HEAD")).out;
  await git(work, "push", "-q", "origin", "both");
  expect(seen.at(-1)?.commits?.map(({ oid }) => oid)).toEqual([both]);
  expect(seen.at(-1)?.paths).toEqual(["evil.txt"]);
  await git(work, "push", "-q", "origin", "both:again");
  expect(seen.at(-1)).toMatchObject({ name: "refs/heads/again", commits: [], paths: [] });
});

test("the exact bytes under a signature are told", async () => {
  using dir = tempDir();
  const { work } = await aClone(dir.path, { "a.txt": "a\n" });
  const seen = anObserver(() => ({ facts: ["commits"] }));
  const plain = (await git(work, "cat-file", "commit", "HEAD")).out;
  const [head = "", ...body] = plain.split("\n\n");
  const armour = "-----BEGIN SSH SIGNATURE-----\n abc\n def\n -----END SSH SIGNATURE-----";
  const bytes = `${head.replace("tree", "tree")}\ngpgsig ${armour}\n\n${body.join("\n\n")} again\n`;
  writeFileSync(join(dir.path, "commit"), bytes);
  const made = (await git(work, "hash-object", "-t", "commit", "-w", join(dir.path, "commit"))).out;
  expect((await git(work, "push", "-q", "origin", `${made}:refs/heads/signed`)).err).toContain("/pulls/new/signed");
  const told = seen.at(-1)?.commits?.find(({ oid }) => oid === made)?.signed;
  const wanted = signedPayload(Buffer.from(bytes));
  expect(told?.signature).toBe(wanted?.signature ?? "none");
  expect(Buffer.from(told?.payload ?? []).toString()).toBe(`${head}\n\n${body.join("\n\n")} again\n`);
});

test("patterns are looked for in the files that a push brings, and in nothing else", async () => {
  using dir = tempDir();
  const { work, commit } = await aClone(dir.path, { "old.txt": "TOKEN-12345\n" });
  const patterns = [
    { name: "token", source: "TOKEN-[0-9]{5}", needles: ["TOKEN-"] },
    { name: "hostile", source: "(a+)+$" },
  ];
  const seen = anObserver(() => ({ facts: ["blobs"], patterns }));
  await commit({ "clean.txt": `${"a".repeat(50_000)}!` }, "clean");
  await git(work, "push", "-q", "origin", "HEAD");
  expect(seen.at(-1)?.received?.found).toEqual([]);
  await commit({ "config/.env": "KEY=TOKEN-99999\n" }, "a secret");
  await git(work, "rm", "-q", "config/.env");
  await git(work, "commit", "-q", "-m", "gone again");
  await git(work, "push", "-q", "origin", "HEAD");
  expect(seen.at(-1)?.received?.found).toMatchObject([{ pattern: "token", blob: { path: "config/.env" } }]);
});

test("a refusal refuses the push with its words, one that stands alone only its ref", async () => {
  using dir = tempDir();
  const { repo, work, commit } = await aClone(dir.path, { "a.txt": "a\n" });
  server.services.pushRules.add({
    name: "picky",
    needs: ({ name }) => (name.includes("refused") || name.includes("alone") ? { facts: [] } : undefined),
    judge: ({ name }) => ({
      failure: new Forbidden("push-rules.too-large", { params: { ref: name, what: "paths" } }),
      alone: name.includes("alone"),
    }),
  });
  const refs = () => server.services.refs.list(repo.id).map(({ name }) => name);
  await commit({ "a.txt": "b\n" }, "b");
  const whole = await git(work, "push", "origin", "HEAD:refs/heads/fine", "HEAD:refs/heads/refused");
  expect(whole.err).toContain("remote: error: refs/heads/refused changes too much at once");
  expect(whole.err).toContain("! [remote rejected] HEAD -> fine (pre-receive hook declined)");
  expect(refs()).toEqual(["refs/heads/main"]);
  const alone = await git(work, "push", "origin", "HEAD:refs/heads/fine", "HEAD:refs/heads/alone");
  expect(alone.err).toContain("! [remote rejected] HEAD -> alone (refs/heads/alone changes too much at once");
  expect(refs()).toEqual(["refs/heads/fine", "refs/heads/main"]);
});

test("a rule that came up while a push was under way refuses what it knows nothing of", async () => {
  using dir = tempDir();
  const { work, commit } = await aClone(dir.path, { "a.txt": "a\n" });
  let asked = 0;
  server.services.pushRules.add({
    name: "late",
    needs: () => (asked++ === 0 ? undefined : { facts: ["paths"] }),
    judge: () => undefined,
  });
  await commit({ "a.txt": "b\n" }, "b");
  const pushed = await git(work, "push", "origin", "HEAD");
  expect(pushed.err).toContain("the rules of this repository were changed meanwhile, try again");
  expect((await git(work, "push", "origin", "HEAD")).code).toBe(0);
});

test("no facts are found out that no rule asks for", async () => {
  using dir = tempDir();
  const { work, commit } = await aClone(dir.path, { "a.txt": "a\n" });
  const seen = anObserver(({ name }) => (name === "refs/heads/main" ? { facts: [] } : undefined));
  await commit({ "a.txt": "b\n" }, "b");
  await git(work, "push", "-q", "origin", "HEAD", "HEAD:refs/heads/other");
  // How long the pack is, is known without looking into it.
  expect(seen.at(-1)).toEqual({ name: "refs/heads/main", incomingBytes: expect.any(Number) });
});
