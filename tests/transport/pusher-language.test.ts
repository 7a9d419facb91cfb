import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { aRepo, aServer, aUser, call, type TestServer } from "../builders.ts";
import { gitEnvironment, tempDir } from "../git/objects/real-git.ts";

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

/** Real git, beside the server in this process. */
async function git(args: string[], cwd: string) {
  const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", ...args], { cwd, env, stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const err = await new Response(child.stderr).text();
  return { code: await child.exited, err };
}

test("a refused push is told why in the language of the pusher's account; git's own reasons stay English", async () => {
  using dir = tempDir();
  const { user, token } = await aUser(server, { login: "ada" });
  const reader = await aUser(server, { login: "rea" });
  aRepo(server, user, { name: "engine", files: { "a.txt": "a" } });
  const address = (login: string, secret: string) =>
    Object.assign(new URL(`${server.url}ada/engine.git`), { username: login, password: secret }).href;
  const work = join(dir.path, "work");
  expect((await git(["clone", "-q", address("ada", token), work], dir.path)).code).toBe(0);

  const denied = () => git(["push", address("rea", reader.token), "HEAD:refs/heads/x"], work);
  expect((await denied()).err).toContain("User permission denied for writing.");
  for (const [language, words] of [
    ["de-DE", "Du darfst in dieses Repository nicht schreiben."],
    ["ja-JP", "このリポジトリへの書き込み権限がありません。"],
    ["tlh", "User permission denied for writing."],
  ] as const) {
    const set = await call(server, "PATCH", "/api/v1/user/settings", { token: reader.token, body: { language } });
    expect(set.status).toBe(200);
    const refused = await denied();
    expect(refused.err).toContain(words);
    expect(refused.err).toContain("(pre-receive hook declined)");
  }

  await call(server, "PATCH", "/api/v1/user/settings", { token, body: { language: "fr-FR" } });
  const deleted = await git(["push", address("ada", token), ":refs/heads/main"], work);
  expect(deleted.err).toContain("main est la branche par défaut et ne peut pas être supprimée");
});
