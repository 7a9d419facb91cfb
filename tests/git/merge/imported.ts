import { git } from "../objects/real-git.ts";

/** A bare repository made of commits for `git fast-import`. */
export function importCommits(dir: string, commits: readonly string[]): string {
  git(["init", "-q", "--bare", dir]);
  git(["-C", dir, "fast-import", "--quiet"], { input: commits.join("") });
  return dir;
}

/** A commit that sets a branch and some files, on top of another branch if there is one. */
export function commitOf(branch: string, files: Readonly<Record<string, string>>, from?: string): string {
  const bodies = Object.entries(files).map(
    ([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
  );
  const parent = from === undefined ? "" : `from refs/heads/${from}\n`;
  const head = `commit refs/heads/${branch}\ncommitter C <c@example.org> 1600000000 +0000\ndata 0\n`;
  return `${head}${parent}${bodies.join("")}\n`;
}
