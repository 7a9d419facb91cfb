/** Histories to serve, made by real git. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git, ok } from "./server.ts";

export function write(dir: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}

/** Commits everything in the folder, `day` days after the first of January 2020. */
export async function commitAll(dir: string, message: string, day: number): Promise<string> {
  const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString();
  await ok(dir, "add", "-A");
  const result = await git(dir, ["commit", "-q", "--allow-empty", "-m", message], {
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  });
  if (result.code !== 0) throw new Error(result.err);
  return ok(dir, "rev-parse", "HEAD");
}

/** Merges, tags on tags, on trees and on blobs, links, odd names, empty and binary files, an unrelated root. */
export async function aRichHistory(dir: string): Promise<string> {
  mkdirSync(dir, { recursive: true });
  await ok(dir, "init", "-q");
  write(dir, "README.md", "# rich\n");
  await commitAll(dir, "first", 0);
  for (let at = 0; at < 14; at++) {
    write(dir, `src/deep/${at % 3}/file${at}.txt`, `${at}\n`.repeat(200 + at * 100));
    write(dir, "growing.txt", Array.from({ length: 400 + at }, (_, line) => `line ${line}`).join("\n"));
    await commitAll(dir, `file ${at}`, at + 1);
  }
  await ok(dir, "checkout", "-q", "-b", "side/one", "HEAD~3");
  write(dir, "bin/run", "#!/bin/sh\n");
  chmodSync(join(dir, "bin/run"), 0o755);
  symlinkSync("run", join(dir, "bin/link"));
  write(dir, "empty", "");
  write(dir, "name with space and ünïcode – 雪.txt", "snow\n");
  write(dir, "binary.bin", crypto.getRandomValues(new Uint8Array(5000)));
  await commitAll(dir, "odd ones", 20);
  await ok(dir, "tag", "-a", "-m", "on the side", "side-tag");
  await ok(dir, "checkout", "-q", "main");
  const date = new Date(Date.UTC(2020, 0, 22)).toISOString();
  await git(dir, ["merge", "-q", "--no-ff", "-m", "merge", "side/one"], {
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  });
  await ok(dir, "tag", "light");
  await ok(dir, "tag", "-a", "-m", "first", "v1", "HEAD~2");
  await ok(dir, "tag", "-a", "-m", "a tag of a tag", "v1-again", "v1");
  await ok(dir, "tag", "-a", "-m", "a tree", "a-tree", "HEAD^{tree}");
  await ok(dir, "tag", "a-blob", "HEAD:README.md");
  await ok(dir, "checkout", "-q", "--orphan", "unrelated");
  await ok(dir, "rm", "-rfq", ".");
  write(dir, "other.txt", "other\n");
  await commitAll(dir, "unrelated", 24);
  await ok(dir, "checkout", "-q", "main");
  await ok(dir, "notes", "add", "-m", "noted", "HEAD");
  return dir;
}
