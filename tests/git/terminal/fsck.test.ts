import { expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newSeed, random } from "../../random.ts";
import { corpusOfCommits, corpusOfTags } from "../hostile/corpus/commits.ts";
import { mutatedObjects } from "../hostile/corpus/mutations.ts";
import { object, oidOf, PARENT, treeOf } from "../hostile/corpus/objects.ts";
import { corpusOfSpecialFiles } from "../hostile/corpus/special-files.ts";
import { corpusOfTrees } from "../hostile/corpus/trees.ts";
import { storeLoose } from "../hostile/corpus/verdicts.ts";
import { buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { type Answer, hearthGit, realGit } from "./answers.ts";

const WORDS = [
  [],
  ["--strict"],
  ["--no-dangling"],
  ["--unreachable"],
  ["--root", "--tags"],
  ["--no-reflogs"],
  ["--connectivity-only"],
  ["--connectivity-only", "--no-dangling", "--strict"],
  ["--full", "--no-reflogs", "--unreachable"],
  ["HEAD~2"],
  ["nosuch", "v1"],
];

/** Lines in any order: git's follows its hash table, and that of a folder on disk. */
function sorted({ stdout, stderr, status }: Answer) {
  const lines = (text: string) => text.split("\n").sort();
  return { stdout: lines(stdout.replaceAll("\n       ", "\t       ")), stderr: lines(stderr), status };
}

async function compare(repo: string, wordLists: readonly string[][] = WORDS): Promise<void> {
  for (const words of wordLists) {
    const theirs = realGit(repo, ["fsck", "--no-progress", ...words]);
    const ours = await hearthGit(repo, ["fsck", "--no-progress", ...words]);
    // What zlib says of a broken stream goes before what fsck says of it.
    const told = theirs.stderr.replace(
      /^error: (?:inflate|unable to unpack|corrupt loose|garbage at end|header for|unable to parse).*\n/gm,
      "",
    );
    expect({ words, ...sorted(ours) }).toEqual({ words, ...sorted({ ...theirs, stderr: told }) });
  }
}

function loosen(repo: string): void {
  for (const name of readdirSync(join(repo, "objects/pack"))) {
    if (!name.endsWith(".pack")) continue;
    const bytes = readFileSync(join(repo, "objects/pack", name));
    rmSync(join(repo, "objects/pack"), { recursive: true });
    git(["-C", repo, "unpack-objects", "-q"], { input: bytes });
  }
}

function aRepository(dir: string, name = "r.git"): string {
  const repo = join(dir, name);
  buildHistory(repo, 25);
  git(["-C", repo, "config", "core.logAllRefUpdates", "true"]);
  git(["-C", repo, "branch", "lost", "main~3"]);
  const lost = gitText(["-C", repo, "commit-tree", "-m", "lost", "-p", "main~3", "main~5^{tree}"]);
  git(["-C", repo, "update-ref", "refs/heads/lost", lost]);
  git(["-C", repo, "update-ref", "refs/heads/lost", "main~1"]);
  git(["-C", repo, "tag", "-a", "-m", "gone", "gone", "main~2"]);
  git(["-C", repo, "tag", "-d", "gone"]);
  git(["-C", repo, "hash-object", "-w", "--stdin"], { input: "dangling" });
  return repo;
}

test("fsck of sound repositories, packed and loose, with what dangles: the very lines of git", async () => {
  using dir = tempDir();
  const repo = aRepository(dir.path);
  await compare(repo);
  git(["-C", repo, "commit-graph", "write", "--reachable"]);
  await compare(repo);
  loosen(repo);
  await compare(repo);
  const empty = join(dir.path, "empty.git");
  git(["init", "-q", "--bare", empty]);
  await compare(empty, WORDS.slice(0, 5));
});

test("fsck of damaged repositories: what is missing, broken, wrong, and the bits of the status", async () => {
  using dir = tempDir();
  const next = random(newSeed());
  for (let round = 0; round < 6; round++) {
    const repo = aRepository(dir.path, `r${round}.git`);
    loosen(repo);
    const loose = readdirSync(join(repo, "objects"))
      .filter((name) => name.length === 2)
      .flatMap((folder) =>
        readdirSync(join(repo, "objects", folder)).map((name) => join(repo, "objects", folder, name)),
      );
    for (let k = 0; k < 3; k++) {
      const path = loose[Math.floor(next() * loose.length)]!;
      chmodSync(path, 0o644);
      if (round % 3 === 0) rmSync(path, { force: true });
      else if (round % 3 === 1) writeFileSync(path, "garbage");
      else writeFileSync(path, readFileSync(loose[Math.floor(next() * loose.length)]!));
      loose.splice(loose.indexOf(path), 1);
    }
    if (round === 0) writeFileSync(join(repo, "refs/heads/bad"), `${"12".repeat(20)}\n`);
    if (round === 1) writeFileSync(join(repo, "HEAD"), "ref: refs/heads/unborn\n");
    if (round === 3) writeFileSync(join(repo, "refs/heads/junk"), "junk\n");
    if (round === 4) git(["-C", repo, "update-ref", "--no-deref", "HEAD", "main~1"], { mayFail: true });
    // Git gives up where --connectivity-only meets a commit or tree it cannot read.
    await compare(
      repo,
      [[], ["--unreachable"], ["--no-reflogs"], ["--connectivity-only"]].filter(
        (words) => round % 3 === 0 || !words[0]?.startsWith("--conn"),
      ),
    );
  }
});

test("fsck of the whole corpus: message by message, strict or not", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", repo]);
  for (const each of [object("blob", "empty", ""), object("tree", "empty", ""), PARENT]) storeLoose(repo, each);
  const corpus = [
    ...corpusOfTrees().filter((_, i) => i % 5 === 0),
    ...corpusOfCommits(),
    ...corpusOfTags(),
    ...corpusOfSpecialFiles(),
    ...mutatedObjects(newSeed(), 300),
  ];
  const seen = new Set<string>();
  for (const each of corpus) {
    // Of many objects that name the same ids as this and that, who is told of depends on who comes first.
    if (seen.has(oidOf(each))) continue;
    seen.add(oidOf(each));
    storeLoose(repo, each);
  }
  for (const words of [[], ["--strict"]]) {
    const messages = (answer: Answer) =>
      sorted(answer).stderr.filter((line) => /^(?:error|warning) in/.test(line) && !line.endsWith(": broken links"));
    const theirs = messages(realGit(repo, ["fsck", ...words]));
    expect(theirs.length).toBeGreaterThan(500);
    expect(messages(await hearthGit(repo, ["fsck", ...words]))).toEqual(theirs);
  }
});

test("fsck of links of the wrong kind, and of what cannot be read at all: the very words and bits of git", async () => {
  using dir = tempDir();
  const who = "A <a@b.c> 1 +0000";
  const blob = object("blob", "b", "x\n");
  const tree = object("tree", "t", treeOf(["100644", "f", oidOf(blob)]));
  const header = `author ${who}\ncommitter ${who}\n`;
  const commit = object("commit", "c", `tree ${oidOf(tree)}\n${header}\nm\n`);
  const [b, t, c] = [blob, tree, commit].map(oidOf) as [string, string, string];
  const ofTree = `tree ${t}\n`;
  const tag = (type: string, oid: string) => `object ${oid}\ntype ${type}\ntag v\ntagger ${who}\n\nm\n`;
  const odd = [
    object("commit", "its tree is a blob", `tree ${b}\n${header}\nm\n`),
    object("commit", "its tree is a commit", `tree ${c}\n${header}\nm\n`),
    object("commit", "its parent is a tree", `${ofTree}parent ${t}\n${header}\nm\n`),
    object("commit", "its parent is a blob", `${ofTree}parent ${b}\n${header}\nm\n`),
    object("commit", "nothing but a tree", ofTree),
    object("commit", "nothing", ""),
    object("commit", "no id of a tree", `tree ${"z".repeat(40)}\n${header}\nm\n`),
    object("commit", "no id of a parent", `${ofTree}parent 12\n${header}\nm\n`),
    object("tag", "of a commit that is said to be a tree", tag("tree", c)),
    object("tag", "of a commit that is said to be a blob", tag("blob", c)),
    object("tag", "of no kind", tag("thing", c)),
    object("tree", "a file is a tree", treeOf(["100644", "a", t])),
    object("tree", "a file is a commit", treeOf(["100644", "a", b], ["100755", "b", c])),
    object("tree", "a folder is a file", treeOf(["40000", "a", b])),
    object("tree", "a link is a folder", treeOf(["120000", "a", t])),
    object("tree", ".gitmodules is a folder", treeOf(["100644", ".gitmodules", t])),
  ];
  for (const each of odd) {
    const repo = join(dir.path, oidOf(each));
    git(["init", "-q", "--bare", repo]);
    for (const stored of [blob, tree, commit, each]) storeLoose(repo, stored);
    writeFileSync(join(repo, "refs/heads/main"), `${c}\n`);
    writeFileSync(join(repo, "refs/tags/odd"), `${oidOf(each)}\n`);
    for (const where of ["loose", "in a pack"]) {
      if (where === "in a pack" && !packed(repo, [b, t, c, oidOf(each)])) continue;
      const theirs = realGit(repo, ["fsck", "--strict"]);
      const ours = await hearthGit(repo, ["fsck", "--strict"]);
      expect({ story: each.story, where, ...sorted(ours) }).toEqual({ story: each.story, where, ...sorted(theirs) });
    }
  }
});

/** Moves the objects into a pack, if git can do that: it reads each of them for it. */
function packed(repo: string, oids: readonly string[]): boolean {
  const made = git(["-C", repo, "pack-objects", "-q", join(repo, "objects/pack/pack")], {
    input: `${oids.join("\n")}\n`,
    mayFail: true,
  });
  if (made.code !== 0) return false;
  for (const oid of oids) rmSync(join(repo, "objects", oid.slice(0, 2), oid.slice(2)));
  return true;
}
