import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { Twins } from "./twins.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(60_000);

const DATES = { GIT_AUTHOR_DATE: "1600000000 -0230", GIT_COMMITTER_DATE: "1700000000 +0100" };

function world(dir: string, format: "sha1" | "sha256") {
  const repo = join(dir, "theirs.git");
  buildHistory(repo, 4, 1, format);
  const id = (name: string) => gitText(["-C", repo, "rev-parse", name]);
  const blob = git(["-C", repo, "hash-object", "-w", "--stdin"], { input: "x\n" }).stdout.toString().trim();
  const empty = git(["-C", repo, "hash-object", "-w", "-t", "tree", "--stdin"], { input: "" }).stdout.toString().trim();
  return { twins: new Twins(repo, dir), id, blob, empty, none: "1".repeat(blob.length) };
}

describe.each(["sha1", "sha256"] as const)("in %s", (format) => {
  test("mktree makes the trees git makes, and refuses as it does", async () => {
    using dir = tempDir();
    const { twins, id, blob, empty, none } = world(dir.path, format);
    const commit = id("main");
    const inputs: [string, ...string[]][] = [
      [`100644 blob ${blob}\ta\n`],
      [`100644 blob ${blob}\tb\n100644 blob ${blob}\ta\n`],
      [`100644 blob ${blob}\ta\n100644 blob ${blob}\ta\n`],
      [`100644 tree ${blob}\ta\n`],
      [`040000 blob ${blob}\ta\n`],
      [`040000 tree ${blob}\ta\n`],
      [`40000 tree ${empty}\ta\n`],
      [`100644 blob ${none}\ta\n`],
      [`100644 blob ${none}\ta\n`, "--missing"],
      [`040000 tree ${blob}\ta\n`, "--missing"],
      [`160000 commit ${none}\ta\n`],
      [`160000 commit ${commit}\ta\n`],
      [`160000 commit ${blob}\ta\n`],
      [`100644 blob ${blob} a\n`],
      [`100644 ${blob}\ta\n`],
      [`100600 blob ${blob}\ta\n`],
      [`777 blob ${blob}\ta\n`],
      [`120000 blob ${blob}\tl\n`],
      [`100644 blob ${blob}\ta/b\n`],
      [`100644 blob ${blob}\t.git\n`],
      [`100644 blob ${blob}\t\n`],
      [`100644 blob ${blob}\t"q\\nx"\n`],
      [`100644 blob ${blob}\t"\\303\\244"\n`],
      [`100644 blob ${blob}\t"\\377\\001"\n`],
      [`100644 blob ${blob}\t"q\n`],
      [`100644 blob ${blob}\t"q"x\n`],
      [`100644 blob ${blob}\t"q\\z"\n`],
      [`100644 blob ${blob}\t"q"\n`, "-z"],
      [`100644 blob ${blob}\ta`],
      ["\n"],
      ["", "--batch"],
      ["\n", "--batch"],
      ["\n\n", "--batch"],
      [`100644 blob ${blob}\ta\n\n100644 blob ${blob}\tb\n`, "--batch"],
      [`100644 blob ${blob}\ta\n\n100644 blob ${blob}\tb\n\n`, "--batch"],
      [`100644 blob ${blob}\ta\n\n\n100644 blob ${blob}\tb\n`, "--batch"],
      [`100644 blob ${blob}\ta\n\nbad\n`, "--batch"],
      [`100644 blob ${blob}\ta\x00100755 blob ${blob}\tb\nc\0`, "-z"],
      ["\0", "-z"],
      [`100644 blob ${blob} 12\ta\n`],
      [`100644 blob ${blob}     -\ta\n`],
      [`abc blob ${blob}\ta\n`],
      ["100644 blob zz\ta\n"],
      [`100644 blob ${blob.slice(0, 20)}\ta\n`],
      [`100644 foo ${blob}\ta\n`],
      [`040000 tree ${empty}\tb\n100644 blob ${blob}\tb.c\n100644 blob ${blob}\tb0\n`],
      ["", "--nope"],
    ];
    for (const [stdin, ...words] of inputs) await twins.both(["mktree", ...words], { stdin });
    await twins.both(["mktree"]);
  });

  test("commit-tree makes the commits git makes, and refuses as it does", async () => {
    using dir = tempDir();
    const { twins, id, blob, empty } = world(dir.path, format);
    const main = id("main");
    const file = join(dir.path, "message");
    writeFileSync(file, "from a file");
    const given = { environment: DATES };
    const lines: string[][] = [
      [empty],
      [empty, "-m", "a", "-m", "b"],
      [empty, "-m", "a\n", "-m", "b"],
      [empty, "-m", "a\n\n", "-m", ""],
      [empty, "-m", ""],
      [empty, "-m", "", "-m", "x"],
      ["-m", "x", empty, empty],
      ["nope", "-m", "x"],
      [main, "-m", "x"],
      ["v1", "-m", "x"],
      [blob, "-m", "x"],
      ["main^{tree}", "-m", "x"],
      [`${main}:d0`, "-m", "x"],
      [empty, "-p", main, "-p", main, "-m", "x"],
      [empty, "-p", "main", "-p", "main~1", "-m", "x"],
      [empty, "-p", "v1", "-m", "x"],
      [empty, "-p", "v1^{}", "-m", "x"],
      [empty, "-p", empty, "-m", "x"],
      [empty, "-p", "nope", "-m", "x"],
      [empty, "-p"],
      ["-m", "x"],
      [empty, "-F", file],
      [empty, "-F", file, "-m", "x", "-F", file],
      [empty, "-F", join(dir.path, "nothing")],
      [empty, "--no-gpg-sign", "-m", "x"],
      ["-p", "main", empty, "-m", "x"],
      [],
    ];
    for (const words of lines) await twins.both(["commit-tree", ...words], given);
    for (const stdin of ["hello", "hello\n", "\n\nhello", "a\0b", "ä\n"]) {
      await twins.both(["commit-tree", empty], { ...given, stdin });
      await twins.both(["commit-tree", empty, "-F", "-"], { ...given, stdin });
    }
    await twins.both(["commit-tree", empty], { ...given, stdin: Buffer.from("\xff latin", "latin1") });
    const environments: Record<string, string | undefined>[] = [
      { GIT_AUTHOR_DATE: "bogus" },
      { GIT_AUTHOR_DATE: "" },
      { GIT_AUTHOR_DATE: "@12345 +0000" },
      { GIT_AUTHOR_DATE: "1600000000" },
      { GIT_AUTHOR_DATE: "1600000000 +1400" },
      { GIT_AUTHOR_DATE: "Thu, 07 Apr 2005 22:13:13 +0200" },
      { GIT_AUTHOR_DATE: "Thu Apr 7 22:13:13 2005 +0200" },
      { GIT_AUTHOR_DATE: "2005-04-07T22:13:13" },
      { GIT_AUTHOR_DATE: "2005-04-07 22:13:13Z" },
      { GIT_AUTHOR_DATE: "2005-04-07T22:13:13.019-04:00" },
      { GIT_AUTHOR_DATE: "2005.04.07T22:13:13 +0100" },
      { GIT_AUTHOR_DATE: "04/07/2005 22:13:13" },
      { GIT_AUTHOR_DATE: "07.04.2005 22:13:13" },
      { GIT_AUTHOR_NAME: "" },
      { GIT_AUTHOR_EMAIL: "" },
      { GIT_AUTHOR_NAME: "  <> " },
      { GIT_AUTHOR_NAME: "  A. <B>\nC;\t" },
      { GIT_AUTHOR_NAME: "Ünï", GIT_COMMITTER_EMAIL: " <x@y> " },
      { GIT_COMMITTER_NAME: "" },
    ];
    for (const environment of environments) {
      const settled = environment["GIT_AUTHOR_DATE"] === "" ? undefined : { environment: { ...DATES, ...environment } };
      if (settled) await twins.both(["commit-tree", empty, "-m", "x"], settled);
    }
    for (const repo of [twins.ours, twins.theirs]) {
      git(["-C", repo, "config", "user.name", "Of the config"]);
      git(["-C", repo, "config", "user.email", "c@example.org"]);
      git(["-C", repo, "config", "author.name", "Another"]);
    }
    const nobodyEnv = {
      GIT_AUTHOR_NAME: undefined,
      GIT_AUTHOR_EMAIL: undefined,
      GIT_COMMITTER_NAME: undefined,
      GIT_COMMITTER_EMAIL: undefined,
    };
    await twins.both(["commit-tree", empty, "-m", "x"], { environment: { ...DATES, ...nobodyEnv } });
  });

  test("hash-object names and stores what git does, and refuses as it does", async () => {
    using dir = tempDir();
    const { twins, id, blob, empty, none } = world(dir.path, format);
    const [one, two] = [join(dir.path, "one"), join(dir.path, "two words")];
    writeFileSync(one, "1\n");
    writeFileSync(two, "2\n");
    mkdirSync(join(dir.path, "folder"));
    const person = "A <a@b.c> 1 +0000";
    const commit = `tree ${empty}\nauthor ${person}\ncommitter ${person}\n\nm\n`;
    const tag = `object ${id("main")}\ntype commit\ntag x\ntagger ${person}\n\nm\n`;
    const entry = Buffer.concat([Buffer.from("100644 a\0"), Buffer.from(blob, "hex")]);
    const cases: [string[], (string | Uint8Array)?][] = [
      [["--stdin"], "x"],
      [["--stdin"], ""],
      [["-w", "--stdin"], "stored\n"],
      [[one]],
      [["-w", one, two]],
      [["--", one]],
      [["--stdin", one], "first"],
      [["--stdin-paths"], `${one}\n${two}\n`],
      [["--stdin-paths"], `"${one}"\n`],
      [["--stdin-paths"], one],
      [["--stdin-paths", one], ""],
      [["--stdin-paths", "--stdin"], ""],
      [["--stdin", "--stdin"], ""],
      [[join(dir.path, "nothing")]],
      [["--stdin-paths"], `${join(dir.path, "nothing")}\n`],
      [[]],
      [["-t", "blob", "--stdin"], "x"],
      [["-t", "bogus", "--stdin"], "x"],
      [["-t", "bogus", "--literally", "--stdin"], "x"],
      [["-t", "tree", "--stdin"], ""],
      [["-t", "tree", "--stdin"], entry],
      [["-t", "tree", "--stdin"], "nonsense"],
      [["-t", "tree", "--stdin"], Buffer.concat([entry, entry.subarray(0, 20)])],
      [["-t", "tree", "--stdin"], Buffer.concat([entry, Buffer.from("100644 b\0aa")])],
      [["-t", "tree", "--stdin"], Buffer.concat([Buffer.from("100644 \0"), Buffer.from(blob, "hex")])],
      [["-t", "tree", "--stdin"], Buffer.concat([Buffer.from("1x0644 a\0"), Buffer.from(blob, "hex")])],
      [["-t", "tree", "--stdin"], Buffer.concat([Buffer.from(" aaaaaa\0"), Buffer.from(blob, "hex")])],
      [["-t", "tree", "--literally", "--stdin"], "nonsense"],
      [["-t", "commit", "--stdin"], ""],
      [["-t", "commit", "--stdin"], `tree ${empty}\n`],
      [["-t", "commit", "--stdin"], `tree ${empty}\nx`],
      [["-t", "commit", "--stdin"], `tree ${empty}\nparent x\n`],
      [["-t", "commit", "--stdin"], `tree ${empty}\nparent x${"y".repeat(80)}\n`],
      [["-t", "commit", "--stdin"], `tree ${empty}\nparent ${none}\nauthor x\n\n`],
      [["-t", "tag", "--stdin"], `object ${none}\ntype tree\ntag x\n\n`],
      [["-t", "tag", "--stdin"], `object ${none}\ntype bogus\ntag x\n\nxxxxxxxxxx`],
      [["-t", "tag", "--stdin"], `object ${none}\ntype tree\nxxx x\n\nxxxxxxxxxx`],
      [["-t", "tree", "-w", "--stdin"], entry],
      [["-t", "commit", "--stdin"], commit],
      [["-t", "commit", "-w", "--stdin"], commit],
      [["-t", "commit", "--stdin"], "nonsense"],
      [["-t", "commit", "--stdin"], `tree ${none.slice(2)}\n\n`],
      [["-t", "commit", "--stdin"], `tree ${none}\n\n`],
      [["-t", "commit", "--stdin"], `tree ${empty}\nauthor x\n\n`],
      [["-t", "tag", "--stdin"], tag],
      [["-t", "tag", "--stdin"], "nonsense"],
      [["-t", "tag", "--stdin"], `object ${none}\n\n`],
      [["-t", "tag", "--stdin"], `object ${none}\ntype commit\n\n`],
      [["-t", "tag", "--literally", "--stdin"], "nonsense"],
      [["--no-filters", "--stdin"], "x"],
    ];
    for (const [words, stdin] of cases)
      await twins.both(["hash-object", ...words], stdin === undefined ? {} : { stdin });
    const stored = (repo: string) =>
      gitText(["-C", repo, "cat-file", "--batch-all-objects", "--batch-check", "--allow-unknown-type"]);
    expect(stored(twins.ours)).toBe(stored(twins.theirs));
  });
});
