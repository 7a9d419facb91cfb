import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { EMPTY_TREE, object, oidOf, treeOf } from "../hostile/corpus/objects.ts";
import { allObjects, buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { packOf, withTrailer } from "../receive/packs.ts";
import { hearthGit, realGit } from "./answers.ts";

function packOfAll(repo: string, revisions: string, extra: string[] = []): Buffer {
  const args = ["-C", repo, "pack-objects", "-q", "--revs", "--stdout", ...extra];
  return git(args, { input: revisions }).stdout;
}

test("index-pack of a file: the same index, the same words", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 80);
  const tips = gitText(["-C", repo, "for-each-ref", "--format=%(objectname)"]);
  mkdirSync(join(dir.path, "outside"));
  for (const folder of [repo, join(dir.path, "outside")]) {
    for (const extra of [["--delta-base-offset"], ["--no-delta-base-offset"], ["--depth=0"]]) {
      const pack = packOfAll(repo, `${tips}\n`, extra);
      writeFileSync(join(folder, "x.pack"), pack);
      const theirs = realGit(folder, ["index-pack", "-o", "theirs.idx", "x.pack"]);
      for (const words of [
        ["index-pack", "x.pack"],
        ["index-pack", "--strict", "-o", "y.idx", "x.pack"],
        ["index-pack", "x.pack"],
      ]) {
        expect(await hearthGit(folder, words)).toEqual(theirs);
        const made = words.includes("-o") ? "y.idx" : "x.idx";
        expect(readFileSync(join(folder, made)).equals(readFileSync(join(folder, "theirs.idx")))).toBe(true);
        expect(statSync(join(folder, made)).mode & 0o777).toBe(0o444);
      }
    }
    expect(readdirSync(folder).filter((name) => name.includes("tmp"))).toEqual([]);
  }
});

test("index-pack --stdin takes a pack into the repository, thin ones completed, as git does", async () => {
  using dir = tempDir();
  const source = join(dir.path, "source.git");
  buildHistory(source, 60);
  const ours = join(dir.path, "ours.git");
  const theirs = join(dir.path, "theirs.git");
  for (const repo of [ours, theirs]) git(["init", "-q", "--bare", repo]);
  const whole = packOfAll(source, `${gitText(["-C", source, "rev-parse", "main~10"])}\n`, ["--delta-base-offset"]);
  const thin = packOfAll(source, "main\n^main~10\n", ["--thin", "--delta-base-offset"]);
  expect(await hearthGit(ours, ["index-pack", "--stdin"], { stdin: whole })).toEqual(
    realGit(theirs, ["index-pack", "--stdin"], { stdin: whole }),
  );
  // The bases are deflated by another zlib, so the completed pack has another checksum; in it are the same objects.
  const fix = ["index-pack", "--stdin", "--fix-thin", "--keep=because"];
  const kept = await hearthGit(ours, fix, { stdin: thin });
  expect(realGit(theirs, fix, { stdin: thin })).toEqual({
    ...kept,
    stdout: expect.stringMatching(/^keep\t[0-9a-f]{40}\n$/),
  });
  expect(gitText(["-C", ours, "verify-pack", `objects/pack/pack-${kept.stdout.slice(5, -1)}.idx`])).toBe("");
  expect(readFileSync(join(ours, "objects/pack", `pack-${kept.stdout.slice(5, -1)}.keep`), "utf8")).toBe("because\n");
  expect(allObjects(ours)).toEqual(allObjects(theirs));
  expect(await hearthGit(ours, ["index-pack", "--stdin"], { stdin: thin })).toMatchObject({ status: 128, stdout: "" });
  expect(readdirSync(join(ours, "objects")).sort()).toEqual(["info", "pack"]);
  const copy = await hearthGit(ours, ["index-pack", "--stdin", "copy.pack"], { stdin: whole });
  expect(copy).toMatchObject({ status: 0, stdout: `${whole.subarray(-20).toString("hex")}\n` });
  expect(readFileSync(join(ours, "copy.pack")).equals(whole)).toBe(true);
});

test("index-pack refuses what git refuses, and leaves nothing", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", repo]);
  const blob = object("blob", "b", "x");
  const evil = { kind: 2 as const, data: treeOf(["100644", ".git", oidOf(blob)]) };
  const packs: [name: string, pack: Buffer, words: string[]][] = [
    ["sound", packOf([{ kind: 3, data: blob.data }]), []],
    [
      "sound, no link leads out",
      packOf([
        { kind: 3, data: blob.data },
        { kind: 2, data: treeOf(["100644", "a", oidOf(blob)]) },
      ]),
      ["--strict"],
    ],
    ["a link leads to nothing", packOf([{ kind: 2, data: treeOf(["100644", "a", oidOf(blob)]) }]), ["--strict"]],
    ["the same, not asked", packOf([{ kind: 2, data: treeOf(["100644", "a", oidOf(blob)]) }]), []],
    ["an evil tree", packOf([{ kind: 3, data: blob.data }, evil]), ["--strict"]],
    ["an evil tree, --fsck-objects", packOf([evil]), ["--fsck-objects"]],
    ["an evil tree, not asked", packOf([evil]), []],
    ["a tree of garbage, not asked", packOf([{ kind: 2, data: Buffer.from("garbage") }]), []],
    ["a tree of garbage", packOf([{ kind: 2, data: Buffer.from("garbage") }]), ["--strict"]],
    ["cut", packOf([{ kind: 3, data: blob.data }]).subarray(0, -5), []],
    ["a wrong checksum", Buffer.concat([packOf([{ kind: 3, data: blob.data }]).subarray(0, -1), Buffer.of(1)]), []],
    ["a wrong count", packOf([{ kind: 3, data: blob.data }], 2), []],
    ["not a pack", withTrailer(Buffer.from("PUCK and more")), []],
    ["nothing", Buffer.alloc(0), []],
    [
      "a module that is missing",
      packOf([{ kind: 2, data: treeOf(["160000", ".gitmodules", oidOf(blob)]) }]),
      ["--fsck-objects"],
    ],
  ];
  for (const [name, pack, options] of packs) {
    writeFileSync(join(repo, "x.pack"), pack);
    const words = ["index-pack", ...options, "-o", "x.idx", "x.pack"];
    const theirs = realGit(repo, words);
    const ours = await hearthGit(repo, words);
    expect({ name, status: ours.status, stdout: ours.stdout }).toEqual({
      name,
      status: theirs.status,
      stdout: theirs.stdout,
    });
    const streamed = await hearthGit(repo, ["index-pack", "--stdin", ...options], { stdin: pack });
    expect({ name, status: streamed.status }).toEqual({
      name,
      status: realGit(repo, ["index-pack", "--stdin", ...options], { stdin: pack }).status,
    });
    expect(readdirSync(repo).filter((file) => file.includes("tmp"))).toEqual([]);
    expect(readdirSync(join(repo, "objects")).filter((file) => file.startsWith("tmp"))).toEqual([]);
  }
  for (const words of [
    ["index-pack", "nowhere.pack"],
    ["index-pack", "x.idx"],
    ["index-pack", "--fix-thin", "x.pack"],
    ["index-pack"],
    ["index-pack", "--stdin"],
  ])
    expect({ words, status: (await hearthGit(dir.path, words)).status }).toEqual({
      words,
      status: realGit(dir.path, words).status,
    });
});

test("index-pack says of bad objects what git says, warnings too", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", repo]);
  const entry = (content: string | Uint8Array) => ({ kind: 3 as const, data: Buffer.from(content) });
  const tag = (name: string, tagger: string) => `object ${EMPTY_TREE}\ntype tree\ntag ${name}\ntagger ${tagger}\n\nm\n`;
  const empty = { kind: 2 as const, data: Buffer.alloc(0) };
  const modules = '[submodule "../x"]\n\turl = -é\n\tupdate = !rm\n[submodule "y"]\n\tpath = -p\n[';
  const named = (name: string, content: string) => [
    entry(content),
    { kind: 2 as const, data: treeOf(["100644", name, oidOf(object("blob", "b", content))]) },
  ];
  const packs = {
    "a warning alone": [empty, { kind: 4 as const, data: Buffer.from(tag("a\x01\x7fé..b", "A <a@b> 1 +0000")) }],
    "a warning and an error": [empty, { kind: 4 as const, data: Buffer.from(tag("a..b", "A <a@b> x +0000")) }],
    "several errors of a tree": [{ kind: 2 as const, data: treeOf(["0100644", ".git"], ["0100644", ".git"]) }],
    ".gitmodules": named(".gitmodules", modules),
    ".gitmodules named .gitattributes, too": named("~1000000", `${modules}\n${"x".repeat(3000)}\n`),
    "a message that is too long": [
      empty,
      { kind: 4 as const, data: Buffer.from(tag(`a..${"b".repeat(5000)}`, "A <a@b> 1 +0000")) },
    ],
  };
  for (const [name, entries] of Object.entries(packs)) {
    const pack = packOf(entries);
    const words = ["index-pack", "--stdin", "--fsck-objects"];
    const theirs = realGit(repo, words, { stdin: pack });
    const ours = await hearthGit(repo, words, { stdin: pack });
    expect({ name, stderr: Buffer.from(ours.stderr, "latin1").toString(), status: ours.status }).toEqual({
      name,
      stderr: theirs.stderr,
      status: theirs.status,
    });
  }
});
