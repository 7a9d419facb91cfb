import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../../src/git/diff/functions/languages.ts";
import { newSeed, random } from "../../random.ts";
import { git, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

/**
 * Lines of every language: such as stand for a function, and such as only look like it. By what random tests make of
 * them every branch of the rules is met.
 */
const SAMPLES = new Map(
  readdirSync(join(import.meta.dir, "languages")).map((file) => {
    const text = readFileSync(join(import.meta.dir, "languages", file), "latin1");
    return [file.replace(".txt", ""), text.split("\n").filter(Boolean)] as const;
  }),
);

let dir: ReturnType<typeof tempDir>;

beforeAll(() => {
  dir = tempDir();
});
afterAll(() => dir[Symbol.dispose]());

test("there are sample lines for every language", () => {
  expect([...SAMPLES.keys()].sort()).toEqual(Object.keys(LANGUAGES).sort());
});

/** A repository with a file of each language, every line of which is the last one before a change. */
function repositoryOf(name: string, files: ReadonlyMap<string, readonly string[]>): string {
  const folder = join(dir.path, name);
  git(["init", "-q", "-b", "main", folder]);
  for (const mark of ["old", "new"]) {
    for (const [driver, lines] of files) {
      const text = lines.map((line, at) => `${line}\n0 ${at} ${mark};\n`).join("");
      writeFileSync(join(folder, `file.${driver}`), text, "latin1");
    }
    git(["-C", folder, "add", "."]);
    git(["-C", folder, "commit", "-q", "-m", mark]);
  }
  const attributes = [...files.keys()].map((driver) => `*.${driver} diff=${driver}\n`).join("");
  const bare = `${folder}.git`;
  git(["clone", "-q", "--bare", folder, bare]);
  mkdirSync(join(bare, "info"), { recursive: true });
  writeFileSync(join(bare, "info/attributes"), attributes);
  return bare;
}

async function expectEqual(folder: string, words: readonly string[]): Promise<string> {
  const theirs = realGit(folder, words);
  expect(await hearthGit(folder, words)).toEqual(theirs);
  return theirs.stdout;
}

test("headings of hunks follow the rules of each language", async () => {
  const folder = repositoryOf("samples", SAMPLES);
  for (const driver of SAMPLES.keys()) {
    const text = await expectEqual(folder, ["diff", "-U0", "main~", "main", "--", `file.${driver}`]);
    expect(new Set(text.match(/^@@ .*? @@ .+$/gm)?.map((line) => line.split(" @@ ")[1])).size).toBeGreaterThan(5);
  }
  for (const command of [
    "log -p -U0",
    "diff-tree -p -U0 main",
    "log -p -U1 --follow -- file.perl",
    "diff -R main~ main",
  ])
    await expectEqual(folder, command.split(" "));
  rmSync(join(folder, "info/attributes"));
  await expectEqual(folder, ["diff", "-U0", "main~", "main"]);
});

const SIGNS = [..." \t :;(){}[]<>#=,.*&@!'\"/-+~%|$\\?^`_aZ0\r\v\f\x80\xc3\x01"];

/** Sample lines with something taken out, put in, or put back together. */
function randomLines(samples: readonly string[], count: number, next: () => number): string[] {
  const below = (n: number) => Math.floor(next() * n);
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!;
  const words = samples.flatMap((line) => line.match(/\w+|[ \t]+|[^\w \t]/g) ?? []);
  const changed = (line: string): string => {
    const at = below(line.length + 1);
    const kind = next();
    if (kind < 0.3) return line.slice(0, at) + line.slice(at + 1 + below(3));
    if (kind < 0.7) return line.slice(0, at) + pick(next() < 0.5 ? SIGNS : words) + line.slice(at);
    return line.slice(0, at) + pick(samples).slice(below(20));
  };
  const found = new Set<string>();
  while (found.size < count) {
    let line = next() < 0.6 ? pick(samples) : Array.from({ length: 1 + below(7) }, () => pick(words)).join(" ");
    for (let times = below(4); times > 0; times--) line = changed(line);
    if (line !== "" && !line.startsWith("0 ")) found.add(line.slice(0, 300));
  }
  return [...found];
}

test("random lines of every language have git's headings", async () => {
  const next = random(newSeed());
  const files = new Map([...SAMPLES].map(([driver, samples]) => [driver, randomLines(samples, 300, next)] as const));
  await expectEqual(repositoryOf("random", files), ["diff", "-a", "-U0", "main~", "main"]);
});

/** Two commits: `a.x` changes, `b.y` becomes `c.z`, `sub/a.x` changes. */
function smallRepository(name: string): string {
  const folder = join(dir.path, name);
  git(["init", "-q", "-b", "main", folder]);
  mkdirSync(join(folder, "sub"));
  const text = (end: string) => `  def foo\nint main\nlabel:\n1\n2\n3\n${end}\n`;
  for (const file of ["a.x", "b.y", "sub/a.x"]) writeFileSync(join(folder, file), text("4"));
  git(["-C", folder, "add", "."]);
  git(["-C", folder, "commit", "-q", "-m", "old"]);
  renameSync(join(folder, "b.y"), join(folder, "c.z"));
  for (const file of ["a.x", "c.z", "sub/a.x"]) writeFileSync(join(folder, file), text("5"));
  git(["-C", folder, "add", "-A"]);
  git(["-C", folder, "commit", "-q", "-m", "new"]);
  return folder;
}

type Settings = readonly (readonly [key: string, value: string])[];

const CASES: readonly (readonly [attributes: string, settings: Settings])[] = [
  ["*.x diff=cpp", []],
  ["*.x diff=CPP", []],
  ["*.x diff=unknown", []],
  ["*.x diff", []],
  ["*.x -diff", []],
  ["*.x binary", []],
  ["*.x -diff\na.x !diff", []],
  ["*.x diff=default", []],
  ["*.x diff=", []],
  ["*.x diff=constructor", []],
  // A rename has the old path's rules, or else the new one's; either may be binary.
  ["*.y diff=ruby\n*.z diff=cpp", []],
  ["*.z diff=ruby", []],
  ["*.y diff\n*.z diff=ruby", []],
  ["*.y diff=foo\n*.z diff=ruby", [["diff.foo.binary", "false"]]],
  ["*.y diff\n*.z -diff", []],
  // Of the configuration.
  ["", [["diff.default.xfuncname", "^ *(def.*)$"]]],
  ["*.x diff", [["diff.default.xfuncname", "^ *(def.*)$"]]],
  ["*.x diff=unknown", [["diff.default.xfuncname", "^ *(def.*)$"]]],
  ["*.x diff=cpp", [["diff.cpp.xfuncname", "^ *(def.*)$"]]],
  ["*.x diff=cpp", [["DIFF.cpp.XFuncName", "^ *(def.*)$"]]],
  ["*.x diff=cpp", [["diff.cpp.binary", "true"]]],
  ["*.x diff=cpp", [["diff.cpp.binary", "false"]]],
  ["*.x diff=cpp", [["diff.cpp.binary", "AUTO"]]],
  ["*.x diff=cpp", [["diff.cpp.binary", "zonk"]]],
  ["*.x diff=a.b", [["diff.a.b.xfuncname", "def"]]],
  ["*.x diff=foo", [["diff.FOO.xfuncname", "def"]]],
  ["*.x diff=foo", [["diff.foo.xfuncname", "!label"]]],
  ["*.x diff=foo", [["diff.foo.xfuncname", "!label\n^.*[a-z].*$"]]],
  ["*.x diff=foo", [["diff.foo.xfuncname", "!main\n!label\n(f)oo"]]],
  ["*.x diff=foo", [["diff.foo.xfuncname", "foo("]]],
  ["*.x diff=foo", [["diff.foo.funcname", "foo("]]],
  ["*.x diff=foo", [["diff.foo.funcname", "^ *\\(d\\)ef"]]],
  ["*.x diff=foo", [["diff.foo.xfuncname", "[[:space:]]+([[:alpha:]]+)"]]],
  ["*.x diff=foo", [["diff.foo.xfuncname", ""]]],
  ["*.x diff=foo", [["diff.foo.xfuncname", "\ndef"]]],
  ["*.x diff=foo", [["diff.foo.xfuncname", "(b)*main()"]]],
  ["*.x diff=foo", [["diff.foo.xfuncname", "[[:zonk:]]"]]],
  [
    "*.x diff=foo",
    [
      ["diff.foo.funcname", "def"],
      ["diff.foo.xfuncname", "main"],
    ],
  ],
  [
    "*.x diff=foo",
    [
      ["diff.foo.xfuncname", "main"],
      ["diff.foo.funcname", "def"],
    ],
  ],
  [
    "*.x diff=foo",
    [
      ["diff.foo.binary", "true"],
      ["diff.foo.xfuncname", "def"],
    ],
  ],
];

test("drivers are chosen and configured as git does", async () => {
  const folder = smallRepository("drivers");
  for (const [attributes, settings] of CASES) {
    writeFileSync(join(folder, ".git/info/attributes"), `${attributes}\n`);
    const environment = {
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([key, value], at) => [
          [`GIT_CONFIG_KEY_${at}`, key],
          [`GIT_CONFIG_VALUE_${at}`, value],
        ]),
      ),
    };
    for (const command of [
      "diff -U1 main~ main",
      "diff --numstat main~ main",
      "log -p -1",
      "diff-tree -p -M -U1 main",
    ]) {
      const words = command.split(" ");
      const theirs = realGit(folder, words, { environment });
      const ours = await hearthGit(folder, words, { environment });
      // What was printed before something turned out to be wrong may differ.
      const printed = theirs.status === 0 ? ours.stdout : theirs.stdout;
      expect({ attributes, settings, ...ours, stdout: printed }).toEqual({ attributes, settings, ...theirs });
    }
  }
});

test("attributes come from the repository and the user, in this order", async () => {
  const folder = join(smallRepository("places"), ".git");
  const words = ["diff", "-U1", "main~", "main"];
  const own = join(folder, "own-attributes");
  writeFileSync(own, "*.x diff=ruby\n*.y diff=ruby\n");
  git(["-C", folder, "config", "core.attributesFile", own]);
  await expectEqual(folder, words);
  writeFileSync(join(folder, "info/attributes"), "sub/* diff=cpp\n");
  await expectEqual(folder, words);
});
