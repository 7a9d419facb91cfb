import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Forbidden } from "../../src/kernel/errors.ts";
import { aServer, aUser, type TestServer, type TestUser } from "../builders.ts";
import { gitEnvironment, tempDir } from "../git/objects/real-git.ts";

async function git(cwd: string, ...args: string[]) {
  const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", ...args], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out: out.trim(), err };
}

const addressOf = (server: TestServer, { login, token }: TestUser) => {
  const url = new URL(`${server.url}${login}/fresh.git`);
  url.username = login;
  url.password = token;
  return url.href;
};

/** A repository with one commit on that branch. */
async function aBranch(dir: string, branch: string): Promise<string> {
  const work = join(dir, branch);
  await git(dir, "init", "-q", "-b", branch, work);
  writeFileSync(join(work, branch), branch);
  await git(work, "add", "-A");
  await git(work, "commit", "-q", "-m", branch);
  return work;
}

const branchesAt = async (dir: string, url: string) =>
  (await git(dir, "ls-remote", url)).out.split("\n").map((line) => line.split("\t")[1]);

test("of two pushes that make the same repository at once, both arrive", async () => {
  await using server = await aServer({ "git.push_create": true });
  using dir = tempDir();
  const ada = await aUser(server);
  const url = addressOf(server, ada);
  const { repoRegistration } = server.services;
  const create = repoRegistration.create.bind(repoRegistration);
  const both = Promise.withResolvers<void>();
  let asked = 0;
  repoRegistration.create = async (...given) => {
    if (++asked === 2) both.resolve();
    await both.promise;
    return create(...given);
  };
  const works = await Promise.all(["one", "two"].map((branch) => aBranch(dir.path, branch)));
  const pushes = await Promise.all(works.map((work) => git(work, "push", url, "HEAD")));
  expect(pushes.map(({ code, err }) => [code, /fatal|error/.exec(err)])).toEqual([
    [0, null],
    [0, null],
  ]);
  expect(await branchesAt(dir.path, url)).toEqual(["HEAD", "refs/heads/one", "refs/heads/two"]);
});

test("a push that made a repository and was refused does not take it from under another", async () => {
  await using server = await aServer({ "git.push_create": true });
  using dir = tempDir();
  const ada = await aUser(server);
  const url = addressOf(server, ada);
  const { pushRules, pushes } = server.services;
  const examine = pushRules.examine.bind(pushRules);
  const otherCame = Promise.withResolvers<void>();
  const firstOver = Promise.withResolvers<void>();
  const firstCame = Promise.withResolvers<void>();
  pushRules.examine = async (changes, options) => {
    const isFirst = changes.some(({ name }) => name === "refs/heads/refused");
    (isFirst ? firstCame : otherCame).resolve();
    await (isFirst ? otherCame : firstOver).promise;
    return examine(changes, options);
  };
  pushRules.add({
    name: "refuser",
    needs: ({ name }) => (name === "refs/heads/refused" ? { facts: ["commits"] } : undefined),
    judge: () => ({ failure: new Forbidden("access.forbidden") }),
  });
  const refused = git(await aBranch(dir.path, "refused"), "push", url, "HEAD");
  await firstCame.promise;
  const other = git(await aBranch(dir.path, "other"), "push", url, "HEAD");
  expect((await refused).code).toBe(1);
  firstOver.resolve();
  expect(await other).toMatchObject({ code: 0 });
  expect(await branchesAt(dir.path, url)).toContain("refs/heads/other");
  pushes.sweep();
  expect(await branchesAt(dir.path, url)).toContain("refs/heads/other");
});
