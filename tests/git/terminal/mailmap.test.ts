import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

setDefaultTimeout(600_000);

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

test("names come from .mailmap of HEAD, mailmap.blob and mailmap.file", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const files = {
    a: "a\n",
    ".mailmap": "One <a@x.org>\n",
    two: "Two <two@x.org> <A@x.org>\n\0Four <a@x.org>\n",
    "sub/b": "b\n",
  };
  const out = ["commit refs/heads/main\ncommitter A <a@x.org> 1600000000 +0100\ndata 1\nm\n"];
  for (const [path, text] of Object.entries(files)) out.push(`M 100644 inline ${path}\ndata ${text.length}\n${text}\n`);
  git(["-C", repo, "fast-import", "--quiet"], { input: out.join("") });
  mkdirSync(join(dir.path, "home"));
  writeFileSync(join(dir.path, "home", "mine"), "Mine <a@x.org>\n");
  writeFileSync(join(dir.path, "three"), "Three <a@x.org>\n");
  const environment = { HOME: join(dir.path, "home") };
  const compare = async () => {
    for (const words of COMMANDS)
      expect({ words, ...(await hearthGit(repo, words, { environment })) }).toEqual({
        words,
        ...realGit(repo, words, { environment }),
      });
  };
  await compare();
  for (const [key, value] of [
    ["mailmap.file", join(dir.path, "three")],
    ["mailmap.file", "~/mine"],
    ["mailmap.blob", "HEAD:two"],
    ["mailmap.blob", "HEAD:nowhere"],
    ["log.mailmap", "false"],
  ] as const) {
    git(["-C", repo, "config", key, value]);
    await compare();
    git(["-C", repo, "config", "--unset", key]);
  }
});
