import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RepositoryFolder } from "../../../src/git/folder.ts";
import { RefRefused, RefTransaction } from "../../../src/git/refs/transaction.ts";
import { buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { hearthGit } from "./answers.ts";
import { Twins } from "./twins.ts";

// Real git is started many times, on machines that may be busy.
setDefaultTimeout(600_000);

const given = { environment: { GIT_COMMITTER_DATE: "1700000000 +0100" } };

interface Ids {
  readonly a: string;
  readonly b: string;
  readonly tree: string;
  readonly tag: string;
  readonly zero: string;
  readonly none: string;
}

function world(dir: string, options: { bare?: boolean; format?: "sha1" | "sha256"; packed?: boolean } = {}) {
  const repo = join(dir, "theirs.git");
  buildHistory(repo, 6, 1, options.format);
  git(["-C", repo, "symbolic-ref", "refs/remotes/o/HEAD", "refs/remotes/o/main"]);
  git(["-C", repo, "symbolic-ref", "refs/heads/sym", "refs/heads/target"]);
  git(["-C", repo, "update-ref", "refs/remotes/o/main", "main~1"]);
  git(["-C", repo, "update-ref", "refs/heads/deep/er/one", "main~1"]);
  if (options.packed) git(["-C", repo, "pack-refs", "--all"]);
  if (options.bare === false) git(["-C", repo, "config", "core.bare", "false"]);
  const id = (name: string) => gitText(["-C", repo, "rev-parse", name]);
  const a = id("main~1");
  const ids: Ids = {
    a,
    b: id("main"),
    tree: id("main^{tree}"),
    tag: id("v1"),
    zero: "0".repeat(a.length),
    none: "1".repeat(a.length),
  };
  return { twins: new Twins(repo, dir), ids };
}

const LINES = ({ a, b, tree, tag, zero, none }: Ids): string[][] => [
  ["refs/heads/x", a],
  ["refs/heads/x", b, b],
  ["refs/heads/x", b, a],
  ["refs/heads/x", b],
  ["refs/heads/y", b, a],
  ["refs/heads/y", b, zero],
  ["refs/heads/y", a, zero],
  ["refs/heads/y/z", a],
  ["refs/heads/deep", a],
  ["-d", "refs/heads/deep"],
  ["-d", "refs/heads/deep/er/one/x"],
  ["refs/heads/deep/er/one/x", zero],
  ["refs/heads/deep/er", a],
  ["refs/heads/deep/er/two", a],
  ["refs/heads/t", tree],
  ["refs/heads/t", tag],
  ["refs/tags/t", tree],
  ["refs/tags/u", tag],
  ["refs/heads/n", none],
  ["refs/heads/n", "zzz"],
  ["refs/heads/n", a, "zzz"],
  ["refs/heads/n", a, ""],
  ["refs/heads/n", ""],
  ["refs/heads/n", "main~2"],
  ["refs/heads/n", "main", "main~2"],
  ["refs/heads/a..b", a],
  ["refs/heads/a.lock", a],
  ["MY_REF", a],
  ["MY_REF", b, a],
  ["-d", "MY_REF"],
  ["-d", "refs/heads/nothere"],
  ["-d", "refs/heads/nothere", a],
  ["-d", "refs/heads/x", a],
  ["-d", "refs/heads/x", b],
  ["-d", "refs/heads/y", zero],
  ["refs/heads/gone", zero],
  ["refs/heads/gone", zero, b],
  ["refs/heads/n", zero, b],
  ["-d", "refs/tags/v1"],
  ["-d", "refs/heads/deep/er/two"],
  [],
  ["refs/heads/y"],
  ["-d"],
  ["-d", "a", "b", "c"],
  ["-m", "", "refs/heads/y", a],
  ["refs/remotes/o/HEAD", b],
  ["refs/remotes/o/HEAD", a, a],
  ["refs/heads/sym", a],
  ["refs/heads/sym", b, zero],
  ["--no-deref", "refs/heads/sym", b],
  ["-d", "refs/remotes/o/HEAD"],
  ["--no-deref", "-d", "refs/remotes/o/HEAD"],
  ["-m", "  why \n not\t", "HEAD", a],
  ["-m", "again", "HEAD", a],
  ["-m", "branch", "refs/heads/main", b],
  ["-m", "branch again", "refs/heads/main", b],
  ["HEAD", a, a],
  ["HEAD", none],
  ["--create-reflog", "-m", "x", "refs/tags/logged", b],
  ["-m", "y", "refs/tags/logged", a],
  ["-d", "refs/tags/logged"],
  ["--create-reflog", "-m", "x", "refs/heads/logged/deep", b],
  ["-d", "refs/heads/logged/deep"],
  ["refs/heads/logged", b],
  ["--no-deref", "-m", "detach", "HEAD", a],
  ["-m", "move", "HEAD", b],
  ["refs/heads/main", a],
];

describe.each([
  { bare: true, format: "sha1" },
  { bare: false, format: "sha1", packed: true },
  { bare: false, format: "sha256" },
] as const)("%j", (options) => {
  test("one change is made, refused and logged as git does it", async () => {
    using dir = tempDir();
    const { twins, ids } = world(dir.path, options);
    for (const words of LINES(ids)) {
      await twins.both(["update-ref", ...words], given);
      twins.expectSameRefs();
    }
  });
});

test("settings say whether logs are begun", async () => {
  for (const value of ["true", "false", "always"]) {
    using dir = tempDir();
    const { twins, ids } = world(dir.path);
    for (const repo of [twins.ours, twins.theirs]) git(["-C", repo, "config", "core.logAllRefUpdates", value]);
    for (const name of ["refs/heads/a", "refs/tags/b", "refs/notes/c", "refs/other/d", "HEAD", "MY_REF"])
      await twins.both(["update-ref", "-m", "r", name, ids.a], given);
    twins.expectSameRefs();
  }
});

test("a prepared transaction keeps everyone else out, and what is locked is refused in git's words", async () => {
  using dir = tempDir();
  const { twins, ids } = world(dir.path);
  const repository = RepositoryFolder.open(twins.ours);
  const { gitDir, store } = repository;
  const transaction = new RefTransaction({ gitDir, store, withPeeled: (ref) => repository.withPeeled(ref) });
  transaction.add({ name: "refs/heads/main", newOid: ids.a, oldOid: ids.b });
  transaction.add({ name: "refs/heads/fresh", newOid: ids.a, oldOid: null });
  transaction.prepare();
  const theirs = git(["-C", twins.ours, "update-ref", "refs/heads/main", ids.a], { mayFail: true });
  expect(theirs.code).toBe(128);
  expect(theirs.stderr).toContain("main.lock': File exists.");
  const ours = await hearthGit(twins.ours, ["update-ref", "refs/heads/main", ids.a]);
  const stderr = theirs.stderr.replace("/./", "/");
  expect({ stderr: ours.stderr, code: ours.status }).toEqual({ stderr, code: theirs.code });
  transaction.commit();
  expect(gitText(["-C", twins.ours, "rev-parse", "main", "fresh"])).toBe(`${ids.a}\n${ids.a}`);
  transaction.add({ name: "refs/heads/a/b", newOid: ids.a, oldOid: null });
  transaction.add({ name: "refs/heads/main", newOid: ids.b, oldOid: ids.b });
  expect(() => transaction.commit()).toThrow(RefRefused);
  expect(existsSync(join(twins.ours, "refs/heads/a"))).toBe(false);
  expect(existsSync(join(twins.ours, "refs/heads/main.lock"))).toBe(false);
  repository.close();
});

test("a ref cannot take the place of one of git's own files", async () => {
  using dir = tempDir();
  const { twins, ids } = world(dir.path);
  const config = readFileSync(join(twins.ours, "config"), "utf8");
  for (const name of ["config", "objects/x", "index", "../x", "logs/refs/x"]) {
    const refused = await hearthGit(twins.ours, ["update-ref", name, ids.a]);
    expect([name, refused.status]).toEqual([name, 128]);
    expect(refused.stderr).toContain("bad name");
  }
  expect(readFileSync(join(twins.ours, "config"), "utf8")).toBe(config);
});

test("the identity of logs comes from the settings when the environment says nothing", async () => {
  using dir = tempDir();
  const { twins, ids } = world(dir.path, { bare: false });
  for (const repo of [twins.ours, twins.theirs])
    writeFileSync(
      join(repo, "config"),
      `${readFileSync(join(repo, "config"), "utf8")}[user]\n\tname = "Ä # B" ; c\n\temail = x@\\\ny.z\n[committer]\n\tname=\\"C\\"\\t.\n`,
    );
  const environment = { ...given.environment, GIT_COMMITTER_NAME: undefined, GIT_COMMITTER_EMAIL: undefined };
  await twins.both(["update-ref", "-m", "r", "refs/heads/main", ids.a], { environment });
  twins.expectSameRefs();
});
