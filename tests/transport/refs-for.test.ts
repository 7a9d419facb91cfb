import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { aRepo, aServer, aUser, type TestServer } from "../builders.ts";
import { gitEnvironment, tempDir } from "../git/objects/real-git.ts";

let open: TestServer | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

/** Real git, beside the server in this process. */
async function git(args: string[], cwd: string) {
  const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", ...args], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

const REASON = "[remote rejected] HEAD -> refs/for/main/topic (pull requests by push are not supported)";

test("a push to refs/for/ is judged by itself: who may read learns why it is refused, who may write keeps the rest", async () => {
  using dir = tempDir();
  const server = await aServer();
  open = server;
  const { user, token } = await aUser(server, { login: "ada" });
  const { token: readers } = await aUser(server, { login: "rea" });
  const repo = aRepo(server, user, { name: "engine", files: { "a.txt": "a" } });
  const address = (name: string, secret: string) => {
    const url = new URL(`${server.url}ada/engine.git`);
    url.username = name;
    url.password = secret;
    return url.href;
  };
  const work = join(dir.path, "work");
  expect((await git(["clone", "-q", address("ada", token), work], dir.path)).code).toBe(0);
  await git(["commit", "-q", "--allow-empty", "-m", "more"], work);

  const asked = await git(["push", address("rea", readers), "HEAD:refs/for/main/topic"], work);
  expect(asked.code).toBe(1);
  expect(asked.err).toContain(REASON);
  expect(asked.err).not.toContain("denied for writing");

  const mixed = await git(["push", address("rea", readers), "HEAD:refs/for/main/topic", "HEAD:refs/heads/x"], work);
  expect(mixed.err).toContain("User permission denied for writing.");
  expect(mixed.err).toContain("[remote rejected] HEAD -> refs/for/main/topic (pre-receive hook declined)");

  const writer = await git(["push", address("ada", token), "HEAD:refs/for/main/topic", "HEAD:refs/heads/x"], work);
  expect(writer.err).toContain(REASON);
  expect(server.services.refs.list(repo.id).map(({ name }) => name)).toEqual(["refs/heads/main", "refs/heads/x"]);
});
