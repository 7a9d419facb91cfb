import { rmSync } from "node:fs";
import { join } from "node:path";
import { Commits } from "../../../src/git/graph/commits.ts";
import { Overlay } from "../../../src/git/odb/overlay.ts";
import type { ObjectStore } from "../../../src/git/odb/store.ts";
import type { ReplayOutcome } from "../../../src/git/replay/pick.ts";
import { git, gitText } from "../objects/real-git.ts";

export const REPLAYER = {
  committer: { name: "C O Mitter", email: "committer@example.org", timestamp: 1_700_000_000, offsetMinutes: 60 },
};
const ENVIRONMENT = { GIT_COMMITTER_DATE: "1700000000 +0100", GIT_AUTHOR_DATE: "1700000000 +0100", GIT_EDITOR: "true" };

/** A working tree of a bare repository, in which real git replays commits. */
export class Scratch {
  private constructor(private readonly dir: string) {}

  static of(repo: string, dir: string): Scratch {
    git(["clone", "-q", "--shared", "--no-checkout", repo, dir]);
    return new Scratch(dir);
  }

  /** Runs a command on a detached commit: the resulting commit, or how it ended. */
  run(at: string, words: readonly string[]): string {
    rmSync(join(this.dir, ".git/rebase-merge"), { recursive: true, force: true });
    git(["-C", this.dir, "reset", "-q", "--hard"], { mayFail: true });
    git(["-C", this.dir, "clean", "-fdxq"]);
    git(["-C", this.dir, "checkout", "-q", "-f", "--detach", at]);
    const { code, stderr, stdout } = git(["-C", this.dir, ...words], { env: ENVIRONMENT, mayFail: true });
    if (code === 0) return gitText(["-C", this.dir, "rev-parse", "HEAD"]);
    const text = stderr + stdout.toString();
    git(["-C", this.dir, words[0]!, "--abort"], { mayFail: true });
    if (/is now empty/.test(text) || /nothing to commit/.test(text)) return "empty";
    return /CONFLICT|could not apply/.test(text) ? "conflict" : `${code} ${text}`;
  }
}

/** The same of ours: new objects are forgotten. */
export function oursOf(
  store: ObjectStore,
  repo: string,
  work: (commits: Commits, overlay: Overlay) => ReplayOutcome,
): string {
  const outcome = work(Commits.open(repo, store), new Overlay(store));
  return outcome.kind === "done" ? outcome.commit : outcome.kind;
}
