import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { git, gitText, tempDir } from "../objects/real-git.ts";

/** What real git answered for one merge; output as latin1 text. */
export interface OracleAnswer {
  readonly commit: string;
  readonly ours: string;
  readonly theirs: string;
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The merges of a history with two parents, oldest first: `[commit, first parent, second parent]`. */
export function mergesOf(repository: string): [string, string, string][] {
  const list = gitText([
    "-C",
    repository,
    "rev-list",
    "--all",
    "--reverse",
    "--parents",
    "--min-parents=2",
    "--max-parents=2",
  ]);
  return list
    .split("\n")
    .filter(Boolean)
    .map((line) => line.split(" ") as [string, string, string]);
}

/**
 * What `git merge-tree --write-tree -z` says of merges. Every answer is kept in a file of lines, so that a history is
 * asked only once; new objects go to a folder beside the repository, which stays as it is.
 */
export class Oracle {
  private readonly known = new Map<string, OracleAnswer>();

  constructor(
    private readonly repository: string,
    private readonly cacheFile: string,
  ) {
    if (!existsSync(cacheFile)) return;
    for (const line of readFileSync(cacheFile, "latin1").split("\n")) {
      if (line === "") continue;
      const answer: OracleAnswer = JSON.parse(line);
      this.known.set(answer.commit, answer);
    }
  }

  has(commit: string): boolean {
    return this.known.has(commit);
  }

  ask([commit, ours, theirs]: readonly [string, string, string], objects: string): OracleAnswer {
    const known = this.known.get(commit);
    if (known) return known;
    const { stdout, stderr, code } = git(
      ["-C", this.repository, "merge-tree", "--write-tree", "-z", "--messages", ours, theirs],
      {
        mayFail: true,
        env: {
          LC_ALL: "C",
          GIT_OBJECT_DIRECTORY: objects,
          GIT_ALTERNATE_OBJECT_DIRECTORIES: `${this.repository}/objects`,
        },
      },
    );
    const answer = { commit, ours, theirs, status: code, stdout: stdout.toString("latin1"), stderr };
    this.known.set(commit, answer);
    appendFileSync(this.cacheFile, `${JSON.stringify(answer)}\n`, "latin1");
    return answer;
  }
}

/** By hand: `bun tests/git/merge/oracle.ts REPOSITORY.git CACHE [EVERY]` fills the cache. */
if (import.meta.main) {
  const [repository = "", cacheFile = "", every = "1"] = process.argv.slice(2);
  using objects = tempDir();
  const oracle = new Oracle(repository, cacheFile);
  const merges = mergesOf(repository).filter((_, index) => index % Number(every) === 0);
  for (const merge of merges) oracle.ask(merge, objects.path);
  console.log(`${merges.length} merges`);
}
