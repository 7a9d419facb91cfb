import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

setDefaultTimeout(30_000);

const COMMANDS = [
  ["log"],
  ["log", "--no-mailmap"],
  ["log", "--no-mailmap", "--mailmap"],
  ["log", "--format=%aN %aE %an"],
  ["log", "--no-mailmap", "--format=%aN"],
  ["log", "--author=Two", "--format=%H"],
  ["rev-list", "--format=%aN", "HEAD"],
  ["rev-list", "--pretty=fuller", "HEAD"],
  ["blame", "HEAD", "--", "a"],
];

test("names come from .mailmap of the working tree or of HEAD, mailmap.blob and mailmap.file", async () => {
  using dir = tempDir();
  const work = join(dir.path, "work");
  git(["init", "-q", "-b", "main", work]);
  const files = {
    a: "a\n",
    ".mailmap": "One <a@x.org>\n",
    two: "Two <two@x.org> <A@x.org>\n\0Four <a@x.org>\n",
    "sub/b": "b\n",
  };
  const out = ["commit refs/heads/main\ncommitter A <a@x.org> 1600000000 +0100\ndata 1\nm\n"];
  for (const [path, text] of Object.entries(files)) out.push(`M 100644 inline ${path}\ndata ${text.length}\n${text}\n`);
  git(["-C", work, "fast-import", "--quiet"], { input: out.join("") });
  git(["-C", work, "reset", "-q", "--hard"]);
  const bare = join(dir.path, "bare.git");
  git(["clone", "-q", "--bare", work, bare]);
  mkdirSync(join(dir.path, "home"));
  writeFileSync(join(dir.path, "home", "mine"), "Mine <a@x.org>\n");
  writeFileSync(join(dir.path, "three"), "Three <a@x.org>\n");
  writeFileSync(join(work, ".mailmap"), "Changed <a@x.org>\n");
  const environment = { HOME: join(dir.path, "home") };
  const compare = async (folder: string) => {
    for (const words of COMMANDS)
      expect({ folder, words, ...(await hearthGit(folder, words, { environment })) }).toEqual({
        folder,
        words,
        ...realGit(folder, words, { environment }),
      });
  };
  for (const repo of [work, bare]) {
    await compare(repo);
    for (const [key, value] of [
      ["mailmap.file", join(dir.path, "three")],
      ["mailmap.file", "~/mine"],
      ["mailmap.blob", "HEAD:two"],
      ["mailmap.blob", "HEAD:nowhere"],
      ["log.mailmap", "false"],
    ] as const) {
      git(["-C", repo, "config", key, value]);
      await compare(repo);
      git(["-C", repo, "config", "--unset", key]);
    }
  }
  renameSync(join(work, ".mailmap"), join(work, "elsewhere"));
  symlinkSync("elsewhere", join(work, ".mailmap"));
  expect((await hearthGit(work, ["log", "--format=%aN"])).stdout).toBe("A\n");
});
