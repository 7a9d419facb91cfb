import { expect } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, type Given, hearthGit, realGit } from "./answers.ts";

/** Two equal repositories: real git works on one, Hearth on the other, and both must say and leave the same. */
export class Twins {
  readonly ours: string;

  constructor(
    readonly theirs: string,
    dir: string,
  ) {
    this.ours = join(dir, "ours.git");
    cpSync(theirs, this.ours, { recursive: true });
  }

  /** Runs the words on both. The text of a usage is not compared. */
  async both(words: readonly string[], given: Given = {}): Promise<Answer> {
    const expected = realGit(this.theirs, words, given);
    const found = await hearthGit(this.ours, words, given);
    const shown = (answer: Answer) => ({
      words,
      given,
      ...answer,
      stderr: answer.status === 129 ? "" : answer.stderr.replaceAll(this.ours, "DIR").replaceAll(this.theirs, "DIR"),
    });
    expect(shown(found)).toEqual(shown(expected));
    return expected;
  }

  /** Refs, `HEAD` and logs have the same bytes, and no lock is left. */
  expectSameRefs(): void {
    expect(filesOf(this.ours)).toEqual(filesOf(this.theirs));
  }
}

function filesOf(repo: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of ["HEAD", "FETCH_HEAD", "MY_REF", "packed-refs"])
    if (existsSync(join(repo, name))) found[name] = readFileSync(join(repo, name), "utf8");
  for (const folder of ["refs", "logs"])
    if (existsSync(join(repo, folder)))
      for (const entry of readdirSync(join(repo, folder), { recursive: true, withFileTypes: true }))
        if (entry.isFile()) {
          const path = join(entry.parentPath, entry.name);
          found[path.slice(repo.length + 1)] = readFileSync(path, "utf8");
        }
  return found;
}
