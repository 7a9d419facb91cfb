import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "../terminal/answers.ts";
import { commitOf, importCommits } from "./imported.ts";
import { makeNastyHistories } from "./nasty-histories.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

describe("hearth git merge-tree", () => {
  test("prints what git prints, in every format, and writes what git writes", async () => {
    using dir = tempDir();
    const theirs = join(dir.path, "theirs.git");
    const cases = makeNastyHistories(theirs, 8, 8);
    const ours = join(dir.path, "ours.git");
    cpSync(theirs, ours, { recursive: true });
    const formats = [
      [],
      ["-z"],
      ["--name-only"],
      ["-z", "--name-only"],
      ["--messages"],
      ["--no-messages"],
      ["--messages", "--no-messages"],
    ];
    for (const [at, { ours: left, theirs: right }] of cases.entries()) {
      const words = [
        "merge-tree",
        "--write-tree",
        "--allow-unrelated-histories",
        ...(formats[at % formats.length] ?? []),
        left,
        right,
      ];
      const answer = await hearthGit(ours, words);
      expect(answer).toEqual(realGit(theirs, words));
      if (answer.status <= 1) git(["-C", ours, "ls-tree", "-r", answer.stdout.slice(0, 40)]);
    }
    const words = ["merge-tree", "--stdin", "--allow-unrelated-histories"];
    const input = cases.map((one) => `${one.ours} ${one.theirs}\n`).join("");
    expect(await hearthGit(ours, words, { stdin: input })).toEqual(realGit(theirs, words, { stdin: input }));
  });

  test("refuses unrelated histories and what is no commit", async () => {
    using dir = tempDir();
    const path = importCommits(dir.path, [commitOf("a", { f: "1\n" }), commitOf("b", { f: "2\n" })]);
    const unrelated = ["merge-tree", "--write-tree", "a", "b"];
    expect(await hearthGit(path, unrelated)).toEqual(realGit(path, unrelated));
    for (const words of [["a", "nothing"], ["a"], ["a", "a^{tree}"], []]) {
      const all = ["merge-tree", "--write-tree", ...words];
      expect((await hearthGit(path, all)).status).toBe(realGit(path, all).status);
    }
  });

  test("heeds info/attributes and the configuration", async () => {
    using dir = tempDir();
    const base = { "u.txt": "1\n2\n3\n", "b.txt": "1\n2\n3\n", "m.txt": "1\n2\n3\n", "w.txt": "1\r\n2\r\n" };
    const changed = (text: string) => ({
      "u.txt": `1\n${text}\n3\n`,
      "b.txt": `1\n${text}\n3\n`,
      "m.txt": `${text}\n2\n3\n`,
      "w.txt": `1\r\n${text}\r\n`,
    });
    const path = importCommits(dir.path, [
      commitOf("base", base),
      commitOf("x", changed("x"), "base"),
      commitOf("y", changed("y"), "base"),
    ]);
    mkdirSync(join(path, "info"), { recursive: true });
    writeFileSync(join(path, "info", "attributes"), "u.txt merge=union\nb.txt -merge\nm.txt conflict-marker-size=12\n");
    git(["-C", path, "config", "merge.conflictStyle", "diff3"]);
    const words = ["merge-tree", "--write-tree", "--messages", "x", "y"];
    const before = await hearthGit(path, words);
    expect(before).toEqual(realGit(path, words));
    expect(gitText(["-C", path, "show", `${before.stdout.slice(0, 40)}:u.txt`])).toBe("1\nx\ny\n3");
  });
});

test("a folder goes before one whose name goes on with a dot, as in git: which of two equal files is the rename hangs on it", async () => {
  using dir = tempDir();
  const moved = Array.from({ length: 20 }, (_, i) => `moved ${i}\n`).join("");
  const other = "of another kind\n";
  const commits: string[] = [];
  const names: string[] = [];
  for (const [at, [folder, longer]] of [
    ["a", "a.b"],
    ["lib", "lib-x"],
    ["x", "x y"],
    ["q", "qq"],
  ].entries()) {
    const base = { "gone/f": moved, [`${folder}/k`]: other };
    const ours = { [`${longer}/1`]: moved, [`${folder}/2`]: moved };
    commits.push(
      commitOf(`base${at}`, base),
      `${commitOf(`ours${at}`, ours, `base${at}`).trimEnd()}\nD gone/f\n\n`,
      commitOf(`theirs${at}`, { "gone/new": other }, `base${at}`),
      commitOf(`edits${at}`, { "gone/f": `${moved}more\n` }, `base${at}`),
    );
    names.push(String(at));
  }
  const path = importCommits(join(dir.path, "r.git"), commits);
  for (const setting of ["true", "conflict", "false"]) {
    git(["-C", path, "config", "merge.directoryRenames", setting]);
    for (const at of names)
      for (const [left, right] of [
        ["ours", "theirs"],
        ["ours", "edits"],
        ["edits", "ours"],
      ]) {
        const words = ["merge-tree", "-z", "--messages", `${left}${at}`, `${right}${at}`];
        expect({ setting, at, ...(await hearthGit(path, words)) }).toEqual({ setting, at, ...realGit(path, words) });
      }
  }
});

test("heeds merge.renameLimit and diff.renameLimit, and says what they would have to be", async () => {
  using dir = tempDir();
  const text = (name: string, at: number) =>
    Array.from({ length: 30 }, (_, i) => `${name} ${i === at ? "!" : i}\n`).join("");
  const files = (prefix: string, at: number) =>
    Object.fromEntries(["1", "2", "3", "4"].map((name) => [`${prefix}${name}`, text(name, at)]));
  const moved = commitOf("moved", { ...files("new/", 3), more: text("more", 0), extra: text("extra", 0) }, "base");
  const gone = ["1", "2", "3", "4"].map((name) => `D old/${name}\n`).join("");
  const path = importCommits(join(dir.path, "r.git"), [
    commitOf("base", files("old/", -1)),
    `${moved.trimEnd()}\n${gone}\n`,
    commitOf("edited", files("old/", 20), "base"),
  ]);
  for (const key of ["merge.renameLimit", "diff.renameLimit"])
    for (const limit of ["0", "1", "4", "5", "-1"])
      for (const flags of [[], ["-z"], ["--no-messages"]]) {
        const environment = { GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: key, GIT_CONFIG_VALUE_0: limit };
        const words = ["merge-tree", ...flags, "moved", "edited"];
        const answer = await hearthGit(path, words, { environment });
        expect({ key, limit, ...answer }).toEqual({ key, limit, ...realGit(path, words, { environment }) });
      }
});
