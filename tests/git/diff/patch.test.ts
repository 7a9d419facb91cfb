import { describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileDiffs } from "../../../src/content/history/file-diffs.ts";
import { diffOfTrees, type FileDiff } from "../../../src/git/diff/file-diff.ts";
import { diffPatch, formatPatch } from "../../../src/git/diff/format-patch.ts";
import { CommitLinks } from "../../../src/git/graph/links.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { newSeed } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";
import { randomTrees } from "./random-trees.ts";

function aWorld(commits: number) {
  const dir = tempDir();
  const repo = join(dir.path, "r.git");
  const oids = randomTrees(repo, commits, newSeed());
  const store = ObjectStore.open(repo);
  const links = new CommitLinks(store);
  const trees = oids.map((oid) => links.get(oid)!.tree);
  const pairs = trees.slice(1).map((tree, i): [string, string] => [trees[i]!, tree]);
  return {
    dir: dir.path,
    repo,
    oids,
    store,
    pairs,
    [Symbol.dispose]() {
      store.close();
      dir[Symbol.dispose]();
    },
  };
}

describe("a patch", () => {
  test("applies to the old tree and gives the new one, and the other way round", () => {
    using world = aWorld(40);
    const env = { GIT_INDEX_FILE: join(world.dir, "index") };
    const apply = (from: string, patch: Uint8Array, ...args: string[]) => {
      git(["-C", world.repo, "read-tree", from], { env });
      if (patch.length > 0)
        git(["-C", world.repo, "apply", "--cached", "--whitespace=nowarn", ...args], { env, input: patch });
      return gitText(["-C", world.repo, "write-tree"], { env });
    };
    for (const [from, to] of world.pairs) {
      const patch = Buffer.concat([...diffPatch(world.store, from, to)]);
      expect(apply(from, patch)).toBe(to);
      expect(apply(to, patch, "-R")).toBe(from);
    }
  });

  test("as a mail gives git am the same commit", () => {
    using world = aWorld(15);
    const work = join(world.dir, "work");
    mkdirSync(work);
    git(["clone", "-q", "--no-checkout", world.repo, work]);
    const last = world.oids.length - 1;
    for (let i = 1; i <= last; i++) {
      const mail = formatPatch(world.store, world.oids[i]!, { number: i, total: last });
      git(["-C", work, "-c", "core.protectNTFS=false", "reset", "-q", "--hard", world.oids[i - 1]!], { mayFail: true });
      if (
        gitText(["-C", work, "rev-parse", `${world.oids[i]}^{tree}`]) ===
        gitText(["-C", work, "rev-parse", `${world.oids[i - 1]}^{tree}`])
      )
        continue;
      git(["-C", work, "am", "-q", "--keep-cr", "--whitespace=nowarn"], { input: mail });
      const shown = (rev: string) =>
        git(["-C", work, "show", "-s", "--format=%T%n%an%n%ae%n%ad%n%B", rev]).stdout.toString();
      expect(shown("HEAD")).toBe(shown(world.oids[i]!).replace(/^(Change \d+ ünd)\n more\n/m, "$1 more\n"));
    }
  });

  test("is the mail git format-patch writes, byte for byte but for binary contents", () => {
    using world = aWorld(60);
    // Streams and deltas of binary files are another zlib's; that git applies them stands in binary.test.ts.
    const latin1 = (mail: Uint8Array) =>
      Buffer.from(mail)
        .toString("latin1")
        .replace(/^(?:literal|delta) \d+\n(?:[A-Za-z]\S+\n)+/gm, "binary\n");
    for (const oid of world.oids) {
      const words = ["format-patch", "-1", "--stdout", "--signature=Hearth", oid];
      const theirs = git(["-C", world.repo, ...words]).stdout;
      expect(latin1(formatPatch(world.store, oid))).toBe(latin1(theirs));
    }
  });
});

describe("a diff for a page", () => {
  test("says in numbers and lines what turns the old file into the new one", () => {
    using world = aWorld(50);
    for (const [from, to] of world.pairs) {
      const diff = diffOfTrees(world.store, from, to);
      expect(diff.truncated).toBe(false);
      for (const file of diff.files) check(world.store, file);
      expect(diff.additions).toBe(diff.files.reduce((sum, file) => sum + file.additions, 0));
    }
  });

  test("stays within its limits", () => {
    using world = aWorld(30);
    const [from, to] = [undefined, world.pairs.at(-1)![1]];
    const whole = diffOfTrees(world.store, from, to);
    const lines = (files: readonly FileDiff[]) =>
      files.flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines)).length;
    const few = diffOfTrees(world.store, from, to, { maxShownFiles: 2, maxLines: 30, maxFileLines: 20 });
    expect(few.files.length).toBe(whole.files.length);
    expect(lines(few.files)).toBeLessThanOrEqual(30);
    expect([few.additions, few.deletions]).toEqual([whole.additions, whole.deletions]);
    const cut = diffOfTrees(world.store, from, to, { maxFiles: 2 });
    expect([cut.files.length, cut.truncated]).toEqual([2, true]);
    const small = diffOfTrees(world.store, from, to, { maxFileBytes: 10 });
    for (const file of small.files) if ((file.newBytes ?? 0) > 10) expect(file.tooLarge).toBe(true);
  });
});

function check(store: ObjectStore, file: FileDiff): void {
  const text = (oid: string | undefined, mode: number) =>
    mode === 0o160000 ? `Subproject commit ${oid}\n` : oid ? Buffer.from(store.read(oid)!.data).toString() : "";
  if (file.binary) return;
  if (file.oldOid === file.newOid) {
    expect(file.hunks).toEqual([]);
    return;
  }
  const oldLines = text(file.oldOid, file.oldMode)
    .split(/(?<=\n)/)
    .filter(Boolean);
  const newLines = text(file.newOid, file.newMode)
    .split(/(?<=\n)/)
    .filter(Boolean);
  const result: string[] = [];
  let at = 0;
  let added = 0;
  for (const hunk of file.hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    while (at < start) result.push(oldLines[at++]!);
    for (const line of hunk.lines) {
      const raw = line.text + (line.noNewline ? "" : "\n");
      if (line.kind !== "added") expect([line.oldNo, oldLines[at++]]).toEqual([at, raw]);
      if (line.kind !== "deleted") result.push(raw);
      if (line.kind !== "deleted") expect(line.newNo).toBe(result.length);
      if (line.kind === "added") added++;
      for (const [from, to] of line.marks ?? []) expect(from >= 0 && from < to && to <= line.text.length).toBe(true);
    }
  }
  while (at < oldLines.length) result.push(oldLines[at++]!);
  expect(result).toEqual(newLines);
  expect(added).toBe(file.additions);
}

test("a page shows no lines of files that .gitattributes calls binary", () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "-b", "main", repo]);
  const file = (path: string, text: string) => `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
  const commit = (at: number, files: string) =>
    `commit refs/heads/main\ncommitter C <c@x> ${1_600_000_000 + at} +0000\ndata 1\nx\n${files}\n`;
  const first = file(".gitattributes", "*.min.js -diff\n") + file("a.min.js", "1\n") + file("a.js", "1\n");
  const input = commit(0, first) + commit(1, file("a.min.js", "2\n") + file("a.js", "2\n"));
  git(["-C", repo, "fast-import", "--quiet"], { input });
  const store = ObjectStore.open(repo);
  try {
    const to = gitText(["-C", repo, "rev-parse", "main"]);
    const { files } = fileDiffs(store, { to, options: {}, limit: 10 });
    expect(files.map(({ newPath, binary, additions }) => [newPath, binary, additions])).toEqual([
      ["a.js", false, 1],
      ["a.min.js", true, 0],
    ]);
  } finally {
    store.close();
  }
});
