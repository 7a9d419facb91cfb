import type { Problem } from "../src/admin/doctor/problem.ts";
import { say, terminalLanguage } from "./language.ts";
import { cliWords } from "./words/index.ts";

type Check = Parameters<typeof say>[0] & `check${string}`;
type State = "ok" | "fixable" | "wrong" | "fixed";

/** A problem of a named thing, such as a repository's `owner/name`. */
export type SubjectProblem = Problem & { readonly subject?: string };

const MIN_STATE_COLUMNS = 8;

/** Prints a line for each check or problem, and a summary at the end. */
export class DoctorReport {
  private checks = 0;
  private problems = 0;
  private fixable = 0;

  add(check: Check, problems: readonly SubjectProblem[], whenSound: string): void {
    this.checks++;
    if (problems.length === 0) print("ok", `${say(check)}: ${whenSound}`);
    for (const { subject, code, params = {}, canFix } of problems) {
      const words = cliWords.find(terminalLanguage(), code, params) ?? code;
      this.problem(canFix ? "fixable" : "wrong", check, subject === undefined ? words : `${subject}: ${words}`);
    }
  }

  /** Reports a problem that cannot be repaired automatically. */
  fault(check: Check, words: string): void {
    this.checks++;
    this.problem("wrong", check, words);
  }

  fixed(words: string): void {
    print("fixed", words);
  }

  end(): void {
    const count = this.problems;
    if (count === 0) console.log(say("allSound", { count: this.checks }));
    else {
      console.log(
        this.fixable > 0 ? say("problemsFixable", { count, fixable: this.fixable }) : say("problemsFound", { count }),
      );
      process.exitCode = 1;
    }
  }

  private problem(state: "fixable" | "wrong", check: Check, words: string): void {
    this.problems++;
    if (state === "fixable") this.fixable++;
    print(state, `${say(check)}: ${words}`);
  }
}

function print(state: State, words: string): void {
  const states: readonly State[] = ["ok", "fixable", "wrong", "fixed"];
  const columns = Math.max(MIN_STATE_COLUMNS, ...states.map((one) => Bun.stringWidth(say(one)) + 1));
  const label = say(state);
  console.log(`${label}${" ".repeat(columns - Bun.stringWidth(label))}${words}`);
}
