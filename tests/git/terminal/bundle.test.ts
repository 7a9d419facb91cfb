import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allObjects, buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit, realGit } from "./answers.ts";

/** The header of a bundle and the names of what is in its pack. */
function headerOf(path: string): string {
  const bytes = readFileSync(path);
  return bytes.toString("latin1", 0, bytes.indexOf("\n\nPACK"));
}

function aRepository(dir: string): string {
  const repo = join(dir, "r.git");
  buildHistory(repo, 60);
  git(["-C", repo, "branch", "side", "main~7"]);
  git(["-C", repo, "tag", "light", "main~3"]);
  git(["-C", repo, "tag", "-a", "-m", "of a tree", "tree", "main^{tree}"]);
  git(["-C", repo, "tag", "-a", "-m", "of a tag", "twice", "v1"]);
  git(["-C", repo, "branch", "both", "main~2"]);
  git(["-C", repo, "tag", "both", "main~4"]);
  git(["-C", repo, "symbolic-ref", "refs/heads/other", "refs/heads/main"]);
  git(["-C", repo, "symbolic-ref", "refs/remotes/o/HEAD", "refs/heads/side"]);
  return repo;
}

const RANGES = [
  ["--all"],
  ["main"],
  ["HEAD"],
  ["HEAD", "main"],
  ["main~5..main"],
  ["main~20..main", "v1"],
  ["main~9..v1"],
  ["main~9..light"],
  ["main", "^side"],
  ["^main~8", "main", "side"],
  ["--not", "side", "--not", "main"],
  ["--branches"],
  ["--tags"],
  ["--branches", "main"],
  ["-3", "main"],
  ["--max-count=5", "--all"],
  ["side...main"],
  ["twice", "tree"],
  ["light"],
  ["refs/heads/side", "side"],
  ["main", "--since=2099-01-01"],
  ["both"],
  ["refs/tags/both", "main~6..main"],
  ["main..main"],
  ["main~2"],
  ["other"],
  ["refs/heads/other"],
  ["o/HEAD"],
  ["@"],
  ["@~3..@"],
  ["main^!"],
  ["main^-"],
  ["--branches=s*"],
  ["--exclude=refs/heads/main", "--glob=refs/heads"],
  ["--all", "--not", "side"],
  ["--all", "--not", "--all"],
  ["--reverse", "main~9..main"],
  ["main", "--"],
  ["tree", "twice", "main", "--since=2024-01-01"],
  ["nosuch"],
  [],
];

/** What git says of revisions that name nothing, or too much, is the walk's business. */
function isTold(revision: string | undefined): boolean {
  return revision !== "nosuch" && revision !== "both";
}

test("bundle create: git's own header, and a bundle that git verifies, clones and fetches from", async () => {
  using dir = tempDir();
  const repo = aRepository(dir.path);
  const [ours, theirs] = [join(dir.path, "ours.bundle"), join(dir.path, "theirs.bundle")];
  let rounds = 0;
  for (const range of RANGES) {
    for (const options of range[0] === "main" ? [[], ["--version=3"]] : [[]]) {
      const told = realGit(repo, ["bundle", "create", "-q", ...options, theirs, ...range]);
      const answer = await hearthGit(repo, ["bundle", "create", "-q", ...options, ours, ...range]);
      expect({ range, ...answer }).toEqual({
        range,
        ...told,
        ...(isTold(range[0]) ? {} : { stderr: answer.stderr }),
      });
      if (told.status !== 0) {
        expect(existsSync(ours)).toBe(false);
        continue;
      }
      expect({ range, header: headerOf(ours) }).toEqual({ range, header: headerOf(theirs) });
      const taken = (bundle: string) => {
        const copy = join(dir.path, "copy.git");
        git(["clone", "-q", "--bare", repo, copy]);
        git(["init", "-q", "--bare", `${copy}2`]);
        for (const oid of headerOf(bundle).match(/(?<=^-)\S+/gm) ?? [])
          git(["-C", `${copy}2`, "fetch", "-q", copy, `${oid}:refs/old/${oid}`]);
        expect(realGit(`${copy}2`, ["bundle", "verify", bundle]).status).toBe(0);
        git(["-C", `${copy}2`, "bundle", "unbundle", bundle]);
        const objects = allObjects(`${copy}2`);
        git(["-C", `${copy}2`, "fsck", "--strict"]);
        git(["-C", dir.path, "init", "-q"]);
        for (const folder of [copy, `${copy}2`]) Bun.spawnSync(["rm", "-rf", folder]);
        return objects;
      };
      if (options.length === 0 && range.length > 1 && rounds++ % 3 === 0)
        expect({ range, objects: taken(ours) }).toEqual({ range, objects: taken(theirs) });
      for (const bundle of [ours, theirs]) Bun.spawnSync(["rm", bundle]);
    }
  }
  const stdin = "main\n^side\n";
  await hearthGit(repo, ["bundle", "create", ours, "--stdin"], { stdin });
  realGit(repo, ["bundle", "create", "-q", theirs, "--stdin"], { stdin });
  expect(headerOf(ours)).toBe(headerOf(theirs));
  git(["-C", repo, "update-ref", "-d", "refs/tags/both"]);
  expect((await hearthGit(repo, ["bundle", "create", ours, "--all"])).status).toBe(0);
  git(["clone", "-q", "--mirror", ours, join(dir.path, "clone.git")]);
  expect(allObjects(join(dir.path, "clone.git"))).toEqual(allObjects(repo));
  const streamed = await hearthGit(repo, ["bundle", "create", "-", "--all"]);
  expect(Buffer.from(streamed.stdout, "latin1").equals(readFileSync(ours))).toBe(true);
});

test("bundle verify, list-heads, unbundle: git's words and statuses, for good and bad files", async () => {
  using dir = tempDir();
  const repo = aRepository(dir.path);
  const fresh = () => {
    const [a, b] = [crypto.randomUUID(), crypto.randomUUID()].map((name) => join(dir.path, `${name}.git`));
    for (const folder of [a!, b!]) git(["init", "-q", "--bare", folder]);
    return [a!, b!] as const;
  };
  const write = (name: string, bytes: Uint8Array | string, encoding: BufferEncoding = "utf8") => {
    writeFileSync(join(dir.path, name), bytes, encoding);
    return join(dir.path, name);
  };
  const all = join(dir.path, "all");
  const some = join(dir.path, "some");
  git(["-C", repo, "bundle", "create", "-q", all, "--all"]);
  git(["-C", repo, "bundle", "create", "-q", "--version=3", some, "main~3..main"]);
  const filtered = join(dir.path, "filtered");
  git(["-C", repo, "bundle", "create", "-q", filtered, "--filter=blob:none", "main"]);
  const main = gitText(["-C", repo, "rev-parse", "main"]);
  const files = [
    all,
    some,
    join(dir.path, "nowhere"),
    write("empty", ""),
    write("text", "no bundle\n"),
    write("signature", "# v2 git bundle\n"),
    write("cut", readFileSync(all).subarray(0, 900)),
    write("capability", `# v3 git bundle\n@unknown=1\n${main} HEAD\n\n`),
    write("hash", `# v3 git bundle\n@object-format=md5\n${main} HEAD\n\n`),
    write("v2 capability", `# v2 git bundle\n@object-format=sha1\n${main} HEAD\n\n`),
    write("garbage", `# v2 git bundle\n${main.slice(1)} HEAD\n\n`),
    write("in capitals", readFileSync(all, "latin1").replace(main, main.toUpperCase()), "latin1"),
    write("cut in a line", `# v2 git bundle\n${main} HEAD\n${main.slice(0, 12)}`),
    write("nameless", `# v2 git bundle\n${main}\n\n`),
    write("spaces", `# v2 git bundle\n-${main} a title  \n${main} refs/heads/a b \n\n`),
    write("no pack", `# v2 git bundle\n${main} refs/heads/x\n\n`),
    write("wrong pack", Buffer.concat([readFileSync(all).subarray(0, -1), Buffer.of(1)])),
  ];
  for (const file of files) {
    const [ours, theirs] = fresh();
    for (const words of [
      ["verify", file],
      ["verify", "-q", file],
      ["list-heads", file],
      ["list-heads", file, "refs/heads/main", "HEAD", "x"],
      ["unbundle", file],
      ["verify", file],
      ["unbundle", file, "refs/heads/main"],
    ]) {
      const expected = realGit(theirs, ["bundle", ...words]);
      const answer = await hearthGit(ours, ["bundle", ...words]);
      // What is wrong with a pack is told in words of our own.
      const stderr = /index-pack/.test(expected.stderr) ? answer.stderr : expected.stderr;
      expect({ words, ...answer }).toEqual({ words, ...expected, stderr });
    }
    expect(allObjects(ours)).toEqual(allObjects(theirs));
  }
  const [ours, theirs] = fresh();
  for (const words of [
    ["verify", filtered],
    ["list-heads", filtered],
    ["unbundle", filtered],
    ["verify", dir.path],
  ])
    expect(await hearthGit(ours, ["bundle", ...words])).toEqual(realGit(theirs, ["bundle", ...words]));
  const packsIn = (folder: string) => [...new Bun.Glob("*").scanSync(join(folder, "objects/pack"))].sort();
  expect(packsIn(ours)).toEqual(packsIn(theirs));
  expect(packsIn(ours).some((name) => name.endsWith(".promisor"))).toBe(true);
  for (const words of [
    [],
    ["x"],
    ["verify"],
    ["verify", "a", "b"],
    ["create"],
    ["create", "--version=9", "f", "main"],
    ["verify", all],
    ["unbundle", all],
  ])
    expect({ words, status: (await hearthGit(dir.path, ["bundle", ...words])).status }).toEqual({
      words,
      status: realGit(dir.path, ["bundle", ...words]).status,
    });
});

test("bundles of SHA-256 repositories are of version 3 and say so", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  git(["init", "-q", "--bare", "--object-format=sha256", "-b", "main", repo]);
  git(["-C", repo, "fast-import", "--quiet"], {
    input: "commit refs/heads/main\ncommitter A <a@b> 1 +0000\ndata 1\nm\nM 644 inline f\ndata 1\nx\n\n",
  });
  const file = join(dir.path, "b");
  expect((await hearthGit(repo, ["bundle", "create", file, "main"])).status).toBe(0);
  expect(headerOf(file)).toStartWith("# v3 git bundle\n@object-format=sha256\n");
  expect(await hearthGit(repo, ["bundle", "verify", file])).toEqual(realGit(repo, ["bundle", "verify", file]));
  git(["clone", "-q", "--mirror", file, join(dir.path, "clone.git")]);
  expect((await hearthGit(repo, ["bundle", "create", "--version=2", file, "main"])).status).toBe(128);
});
