import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { aRepo, aServer, aUser } from "../builders.ts";
import { gitEnvironment, tempDir } from "../git/objects/real-git.ts";

/** Where annotated tags lead is found out before the change when there are many, or large ones, and is what git says. */

function git(cwd: string, ...args: string[]): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", ...gitEnvironment, GIT_TERMINAL_PROMPT: "0" };
  const child = Bun.spawn(["git", ...args], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  return new Response(child.stdout).text();
}

test.each([["--no-atomic"], ["--atomic"]])("tags of a push lead where they do in git, %s", async (mode) => {
  await using server = await aServer();
  using dir = tempDir();
  const ada = await aUser(server, { login: "ada" });
  aRepo(server, ada.user, { name: "lib" });
  const remote = server.url.replace("://", `://ada:${ada.token}@`).concat("ada/lib.git");
  await git(dir.path, "init", "-q", "-b", "main", ".");
  writeFileSync(join(dir.path, "a.txt"), "a");
  await git(dir.path, "add", "-A");
  await git(dir.path, "commit", "-q", "-m", "First");
  await git(dir.path, "push", mode, remote, "main");
  // One that is large, alone; then so many that a worker looks at them: tags of tags, of trees, and plain ones.
  writeFileSync(join(dir.path, "message"), "many words ".repeat(20_000));
  await git(dir.path, "tag", "-a", "-F", "message", "large");
  await git(dir.path, "push", mode, remote, "large");
  await git(dir.path, "tag", "-a", "-m", "of a tag", "nested", "large");
  await git(dir.path, "tag", "-a", "-m", "of a tree", "tree", "main^{tree}");
  for (let at = 0; at < 15; at++) {
    await git(dir.path, "tag", "-a", "-m", "one of many", `many/${at}`);
    await git(dir.path, "tag", `plain/${at}`);
  }
  await git(dir.path, "push", mode, remote, "--tags");
  const shown = (await git(dir.path, "ls-remote", "--tags", remote)).trim().split("\n");
  const own = (await git(dir.path, "show-ref", "--tags", "-d")).trim().replaceAll(" ", "\t").split("\n");
  expect(shown.toSorted()).toEqual(own.toSorted());
  expect(shown.filter((line) => line.endsWith("^{}")).length).toBe(18);
});
