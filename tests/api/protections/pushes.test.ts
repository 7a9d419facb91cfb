import { afterAll, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secretPatterns } from "../../../src/protections/pushes/secrets.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { anApi, aRepo, aServer, aUser, type Json, type TestServer, type TestUser } from "../../builders.ts";
import { git } from "../../executable/process.ts";

setDefaultTimeout(600_000);

let server: TestServer;
let dir: string;
let owner: TestUser;
let repo: Repo;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer({ "git.max_file_mib": 1 });
  dir = mkdtempSync(join(tmpdir(), "hearth-limits-"));
  owner = await aUser(server);
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});
beforeEach(() => {
  repo = aRepo(server, owner.user, { files: { "a.txt": "a\n" } });
});

const at = () => `/repos/${owner.login}/${repo.name}`;
const limit = async (body: Json) => (await api("PATCH", `${at()}/push_limits`, owner, body)).status;
const edit = (path: string, content: string) =>
  api("POST", `${at()}/contents/${path}`, owner, { content: btoa(content), branch: "main" });

async function aClone() {
  const work = mkdtempSync(join(dir, "work-"));
  const url = `${server.url.replace("//", `//${owner.login}:${owner.token}@`)}${at().slice(7)}.git`;
  await git(work, "clone", "-q", url, ".");
  return async (files: Record<string, string>, message = "more") => {
    for (const [path, content] of Object.entries(files)) await Bun.write(join(work, path), content);
    await git(work, "add", "-A");
    await git(work, "commit", "-q", "-m", message);
    return (...args: string[]) => git(work, "push", "origin", "HEAD", ...args);
  };
}

/** Nobody's: put together here so that nothing finds it in this file. */
const TOKEN = `ghp_${"a1B2".repeat(9)}`;

test("files over the site's or the repository's limit are refused by git and by edits, with their path and size", async () => {
  const commit = await aClone();
  const push = await commit({ "deep/big.bin": "x".repeat(2 ** 20 + 1) });
  await expect(push()).rejects.toThrow(
    "deep/big.bin has 1048577 bytes; this repository takes files of at most 1048576",
  );
  expect(await limit({ max_file_bytes: 1000 })).toBe(200);
  const edited = await edit("b.txt", "y".repeat(1001));
  expect([edited.status, edited.body["message"]]).toEqual([
    403,
    "b.txt has 1001 bytes; this repository takes files of at most 1000 bytes",
  ]);
  expect((await edit("b.txt", "y".repeat(1000))).status).toBe(201);
  // A larger one of the repository's own does not lift the site's.
  expect(await limit({ max_file_bytes: 2 ** 30 })).toBe(200);
  expect((await edit("c.txt", "y".repeat(2 ** 20 + 1))).status).toBe(403);
});

test("a secret is refused in every commit of a push, also when a later one takes it out; nothing of it is stored", async () => {
  expect(await limit({ refuse_secrets: true })).toBe(200);
  const commit = await aClone();
  await commit({ "config/.env": `TOKEN=${TOKEN}\n` });
  const push = await commit({ "config/.env": "TOKEN=\n" }, "take it out");
  await expect(push()).rejects.toThrow("config/.env holds what looks like a secret (GitHub token)");
  const edited = await edit("id_rsa", "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----\n");
  expect([edited.status, edited.body["message"]]).toEqual([403, expect.stringContaining("(private key)")]);
  expect((await edit("notes.md", "How to make a PRIVATE KEY, and a ghp_ token\n")).status).toBe(201);
  const [ref] = server.services.refs.list(repo.id);
  expect(ref?.name).toBe("refs/heads/main");
});

test("patterns of one's own are RE2's: hostile ones end, and what is none is refused", async () => {
  expect(await limit({ patterns: ["(a+)+b", "internal-[0-9]{6}"] })).toBe(200);
  expect((await edit("a.md", `${"a".repeat(20_000)}c`)).status).toBe(201);
  expect((await edit("b.md", "internal-123456")).status).toBe(403);
  expect(await limit({ patterns: ["(?<=a)b"] })).toBe(422);
  expect(await limit({ patterns: ["("] })).toBe(422);
  expect(await limit({ patterns: ["x".repeat(501)] })).toBe(422);
  expect(await limit({ max_file_bytes: -1 })).toBe(422);
  expect((await api("GET", `${at()}/push_limits`, owner)).body).toEqual({
    max_file_bytes: 0,
    refuse_secrets: false,
    patterns: ["(a+)+b", "internal-[0-9]{6}"],
  });
});

test("every known secret is found by its own needle and pattern", async () => {
  const { RE2JS } = await import("re2js");
  const samples: Record<string, string> = {
    "private key": "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXk",
    "AWS access key": `AKIA${"ABCD2345".repeat(2)}`,
    "GitHub token": TOKEN,
    "GitLab token": `glpat-${"x1_Y".repeat(5)}`,
    "Slack token": `xoxb-${"1234567890"}-abc`,
    "Google API key": `AIza${"x".repeat(35)}`,
    "Stripe key": `sk_live_${"a1".repeat(12)}`,
    "npm token": `npm_${"a".repeat(36)}`,
    "PyPI token": `pypi-AgEIcHlwaS5vcmc${"a".repeat(60)}`,
  };
  expect(secretPatterns.map(({ name }) => name)).toEqual(Object.keys(samples));
  for (const { name, source, needles } of secretPatterns) {
    const text = `x = "${samples[name]}"`;
    expect([
      name,
      needles?.some((needle) => text.includes(needle)),
      RE2JS.compile(source).matcher(text).find(),
    ]).toEqual([name, true, true]);
  }
});
