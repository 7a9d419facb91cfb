import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readHead } from "./refs/files.ts";

/** The branches that are checked out, each with the folder of its working tree (gitrepository-layout(5), "worktrees"). */
export function checkedOutBranches(commonDir: string): Map<string, string> {
  const found = new Map<string, string>();
  const add = (gitDir: string, folder: string) => {
    const head = readHead(gitDir);
    if (head && "ref" in head && !found.has(head.ref)) found.set(head.ref, folder);
  };
  add(commonDir, basename(commonDir) === ".git" ? dirname(commonDir) : commonDir);
  const linked = join(commonDir, "worktrees");
  for (const name of existsSync(linked) ? readdirSync(linked) : []) {
    const pointer = join(linked, name, "gitdir");
    if (existsSync(pointer))
      add(join(linked, name), dirname(resolve(linked, name, readFileSync(pointer, "utf8").trim())));
  }
  return found;
}
