import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { runGit } from "../../../cli/git/main.ts";
import { allObjects, buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { type Answer, hearthGit, realGit } from "./answers.ts";

test("cat-file prints what git prints", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 12);
  const names = ["HEAD", "v1", "v1^{tree}", "main~3", ...allObjects(repo).map(({ oid }) => oid)];
  for (const name of names.slice(0, 40)) {
    for (const option of ["-t", "-s", "-p", "-e"]) {
      const words = ["cat-file", option, name];
      const { stdout, status } = realGit(repo, words);
      expect({ words, ...(await hearthGit(repo, words)) }).toMatchObject({ words, stdout, status });
    }
  }
});

describe("cat-file --batch", () => {
  test("answers each line before the next one comes", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    buildHistory(repo, 3);
    let seen = "";
    const answers: string[] = [];
    await runGit(["-C", repo, "cat-file", "--batch-check=%(objecttype)"], {
      environment: {},
      async *stdin() {
        for (const name of ["main", "v1", "main:"]) {
          yield Buffer.from(`${name}\n`);
          answers.push(seen);
          seen = "";
        }
      },
      stdout: (bytes) => {
        seen += Buffer.from(bytes).toString();
      },
      stderr: () => {},
    });
    expect(answers).toEqual(["commit\n", "tag\n", "tree\n"]);
  });

  test("fills all placeholders, takes commands, and refuses what git refuses", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    buildHistory(repo, 12);
    git(["-C", repo, "gc", "-q"]);
    git(["-C", repo, "hash-object", "-w", "--stdin"], { input: "loose" });
    const all = ["cat-file", "--batch-all-objects"];
    const lines: [string[], string?][] = [
      [[...all, "--batch-check=%(objectname) %(objectsize:disk) %(deltabase)"]],
      [["cat-file", "--batch-check=x%n%%%(rest)|%(objecttype)%"], "main  some words\nnothing\n"],
      [["cat-file", "--batch="], "main\nmain:\n"],
      [["cat-file", "--batch-command"], "info main\ncontents main:d0\ninfo nothing\ninfo  main\n"],
      [["cat-file", "--batch-command=%(objecttype)", "--buffer"], "info main\nflush\ncontents v1\n"],
      ...["", " info main", "foo", "info", "infomain", "flush", "flush x"].map((line): [string[], string] => [
        ["cat-file", "--batch-command"],
        `${line}\n`,
      ]),
      ...["%(objectname", "%(nothing)", "%(objectsize:dis)"].map((format): [string[], string] => [
        ["cat-file", `--batch-check=${format}`],
        "main\n",
      ]),
      [["cat-file", "--batch", "main"]],
      [["cat-file", "--batch", "--batch-check"]],
      [["cat-file", "-t", "--batch"]],
      [all],
      [["cat-file", "--buffer", "-t", "main"]],
      [["cat-file", "-t", "main", "main"]],
      [["cat-file", "-t", "-s", "main"]],
      [["cat-file", "-t", "--", "main"]],
      [["cat-file", "nothing", "main"]],
      [["cat-file", "-p", "main:nothing"]],
      [["cat-file", "-p", "nothing:d0"]],
      [["cat-file", "blob", "main:d0"]],
    ];
    for (const [words, stdin = ""] of lines) {
      const shown = (answer: Answer) => ({
        words,
        stdin,
        ...answer,
        stderr: answer.status === 129 ? "" : answer.stderr,
      });
      expect(shown(await hearthGit(repo, words, { stdin }))).toEqual(shown(realGit(repo, words, { stdin })));
    }
  });

  test("hands a large file out in pieces", async () => {
    using dir = tempDir();
    const repo = join(dir.path, "r.git");
    git(["init", "-q", "--bare", repo]);
    const text = "0123456789abcdef".repeat(600_000);
    const oid = gitText(["-C", repo, "hash-object", "-w", "--stdin"], { input: text });
    const expected = realGit(repo, ["cat-file", "--batch"], { stdin: `${oid}\n` });
    expect(await hearthGit(repo, ["cat-file", "--batch"], { stdin: `${oid}\n` })).toEqual(expected);
    expect((await hearthGit(repo, ["cat-file", "blob", oid])).stdout).toBe(text);
  });
});
