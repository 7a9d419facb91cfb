import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gitLines, reachable, runGit } from "../hosts/real-git.ts";
import type { RunResult } from "../objects/real-git.ts";

/**
 * One user's clone, twice: the same commands run in a clone of the repository on Hearth and in a clone of the plain
 * repository, so every command has an oracle. Times are part of the step, so both make the same object ids.
 */
export class ClonePair {
  /** The clone of Hearth's repository, then that of the plain one. */
  readonly dirs: readonly [string, string];

  constructor(
    readonly name: string,
    root: string,
    private readonly urls: readonly [hearth: string, plain: string],
  ) {
    this.dirs = [join(root, `${name}-hearth`), join(root, `${name}-plain`)];
  }

  /** Clones again, with these options. */
  async clone(...options: string[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const [at, dir] of this.dirs.entries()) {
      rmSync(dir, { recursive: true, force: true });
      mkdirSync(join(dir, ".."), { recursive: true });
      const result = await runGit(["clone", "-q", ...options, this.urls[at] ?? "", dir], { mayFail: true });
      outcomes.push(outcomeOf(["clone", ...options], result));
    }
    return outcomes;
  }

  /** Runs one command in both; the two outcomes may be compared. */
  async run(args: readonly string[], time: number, environment: Record<string, string> = {}): Promise<Outcome[]> {
    const date = `${time} +0100`;
    const env = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date, ...environment };
    return Promise.all(
      this.dirs.map(async (dir) => outcomeOf(args, await runGit(["-C", dir, ...args], { mayFail: true, env }))),
    );
  }

  /** Does something to the files of both. */
  edit(change: (dir: string) => void): void {
    for (const dir of this.dirs) change(dir);
  }

  get isShallow(): boolean {
    return existsSync(join(this.gitDirs[0], "shallow"));
  }

  private get gitDirs(): readonly [string, string] {
    const of = (dir: string) => (existsSync(join(dir, ".git")) ? join(dir, ".git") : dir);
    return [of(this.dirs[0]), of(this.dirs[1])];
  }

  /** What each clone holds: refs, HEAD, where history is cut, and all objects within reach. */
  async states(): Promise<CloneState[]> {
    return Promise.all(
      this.gitDirs.map(async (dir) => {
        const shallow = join(dir, "shallow");
        return {
          refs: await gitLines(["-C", dir, "for-each-ref", "--format=%(objectname) %(symref) %(refname)"]),
          head: readFileSync(join(dir, "HEAD"), "utf8"),
          shallow: existsSync(shallow) ? readFileSync(shallow, "utf8").split("\n").sort() : [],
          objects: await reachable(dir, "--missing=print"),
        };
      }),
    );
  }
}

export interface CloneState {
  readonly refs: readonly string[];
  readonly head: string;
  readonly shallow: readonly string[];
  readonly objects: { readonly count: number; readonly digest: string };
}

export interface Outcome {
  readonly command: string;
  readonly code: number;
  /** Per ref, of a push: `flag from:to summary`, without the address and without reasons in a server's own words. */
  readonly refs: readonly string[];
  /** All that git said, with reasons. */
  readonly said: string;
}

function outcomeOf(args: readonly string[], result: RunResult): Outcome {
  const refs =
    args[0] === "push"
      ? result.stdout
          .toString()
          .split("\n")
          .filter((line) => line.includes("\t"))
          .map((line) => line.replace(/ \(.*\)$/, ""))
          .sort()
      : [];
  return { command: `git ${args.join(" ")}`, code: result.code, refs, said: `${result.stdout}${result.stderr}` };
}
