import { expect, test } from "bun:test";
import { appendFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Commits } from "../../../src/git/graph/commits.ts";
import { run } from "../../../src/git/maintenance/maintenance.job.ts";
import { planPrune } from "../../../src/git/maintenance/prune.ts";
import { removeLoose, removePacks } from "../../../src/git/maintenance/remove.ts";
import { replacedPacks } from "../../../src/git/odb/replaced.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { closedPacks } from "../../../src/git/pack-objects/closures.ts";
import { planPack } from "../../../src/git/pack-objects/plan.ts";
import { ingestPack } from "../../../src/git/receive/ingest.ts";
import { admit } from "../../../src/git/receive/quarantine.ts";
import { newSeed, random } from "../../random.ts";
import { git, gitText, tempDir } from "../objects/real-git.ts";

/**
 * Nights of a repository that is pushed to as a server is: what a clone takes lies in packs of its own, what has not
 * changed is not written again, and what nothing leads to goes once it is old. Real git says what is reachable.
 */

class Repository {
  readonly work: string;
  readonly dir: string;
  private count = 0;

  constructor(root: string) {
    this.work = join(root, "work");
    this.dir = join(root, "r.git");
    git(["init", "-q", "-b", "main", this.work]);
    git(["init", "-q", "--bare", "-b", "main", this.dir]);
  }

  /** A commit on top of a revision; undefined: a root. */
  commit(on: string | undefined): string {
    const name = `f${++this.count}`;
    if (on === undefined) git(["checkout", "-q", "--orphan", name], { cwd: this.work });
    else git(["checkout", "-q", "--detach", on], { cwd: this.work });
    appendFileSync(join(this.work, `${this.count % 7}.txt`), `${name}\n`.repeat(20));
    writeFileSync(join(this.work, name), name.repeat(300));
    git(["add", "."], { cwd: this.work });
    git(["commit", "-qm", name], { cwd: this.work });
    return gitText(["rev-parse", "HEAD"], { cwd: this.work });
  }

  merge(a: string, b: string): string {
    git(["checkout", "-q", "--detach", a], { cwd: this.work });
    git(["merge", "-q", "-s", "ours", "--no-edit", "--allow-unrelated-histories", b], { cwd: this.work });
    return gitText(["rev-parse", "HEAD"], { cwd: this.work });
  }

  get refs(): Map<string, string> {
    const lines = gitText(["for-each-ref", "--format=%(refname) %(objectname)"], { cwd: this.dir }).split("\n");
    return new Map(lines.filter(Boolean).map((line) => line.split(" ") as [string, string]));
  }

  /** As the server groups them: the default branch, all heads, tags, and what no clone asks for. */
  roots(): { roots: string[]; laterRoots: string[][] } {
    const of = (pattern: RegExp) => [...this.refs].filter(([name]) => pattern.test(name)).map(([, oid]) => oid);
    const groups = [of(/^refs\/heads\//), of(/^refs\/tags\//), of(/^refs\/(?!heads|tags)/)];
    return { roots: of(/^refs\/heads\/main$/), laterRoots: groups };
  }

  get cloned(): string[] {
    return [...this.refs].filter(([name]) => /^refs\/(heads|tags)\//.test(name)).map(([, oid]) => oid);
  }

  /** As Hearth takes a push: a thin pack, verified, with a closure record. */
  async push(name: string, oid: string): Promise<void> {
    const have = [...new Set(this.refs.values())];
    const input = `${oid}\n${have.map((one) => `^${one}\n`).join("")}`;
    const pack = git(["pack-objects", "--stdout", "--revs", "--thin", "-q"], { cwd: this.work, input }).stdout;
    const isEmpty = pack.readUInt32BE(8) === 0;
    const quarantined = await ingestPack({
      repoDir: this.dir,
      pack: isEmpty ? null : new Blob([new Uint8Array(pack)]).stream(),
      newTips: [oid],
      connectedTo: have,
      strict: true,
    });
    admit(quarantined);
    git(["update-ref", name, oid], { cwd: this.dir });
  }

  remove(name: string): void {
    git(["update-ref", "-d", name], { cwd: this.dir });
  }

  night(pruneBefore = 0) {
    const input = { repoDir: this.dir, extent: "all", ...this.roots(), retainedRoots: [], pruneBefore } as const;
    const signal = new AbortController().signal;
    return run(input, { signal, crash: () => {}, tell: () => {} });
  }

  /** What has been replaced goes; what nothing leads to, too, when it is older than that. */
  prune(pruneBefore = 0): void {
    const { roots, laterRoots } = this.roots();
    const plan = planPrune(this.dir, {
      roots: [...roots, ...laterRoots.flat()],
      replacedBefore: Date.now() + 1000,
      pruneBefore,
    });
    expect(plan.neededPacks).toEqual([]);
    removePacks(this.dir, plan.packs);
    removeLoose(this.dir, [...plan.copies, ...plan.lostLoose]);
  }

  packs(): string[] {
    const replaced = replacedPacks(this.dir);
    const names = readdirSync(join(this.dir, "objects/pack")).filter((name) => name.endsWith(".pack"));
    return names.map((name) => name.slice(0, -".pack".length)).filter((name) => !replaced.has(name));
  }

  age(): void {
    const at = Date.now() / 1000 - 30 * 86_400;
    for (const entry of readdirSync(join(this.dir, "objects"), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), at, at);
  }

  reached(...args: string[]): string[] {
    return gitText(["rev-list", "--objects", "--no-object-names", ...args], { cwd: this.dir })
      .split("\n")
      .filter(Boolean)
      .sort();
  }

  stored(): string[] {
    const lines = gitText(["cat-file", "--batch-all-objects", "--batch-check=%(objectname)"], { cwd: this.dir });
    return [...new Set(lines.split("\n").filter(Boolean))].sort();
  }

  /** Objects that a clone of heads and tags gets by copies of whole packs, and those that have to be found one by one. */
  clone(tips = this.cloned): { copied: number; found: number } {
    const store = ObjectStore.open(this.dir);
    const context = { store, commits: Commits.open(this.dir, store), closed: closedPacks(this.dir, store) };
    const common = { haves: [], filter: undefined, cuts: undefined, followTags: [], mayCopyPacks: true };
    const { contents } = planPack(context, { wants: [...new Set(tips)], ...common });
    const copied = contents.copied.reduce((sum, pack) => sum + pack.index.objectCount, 0);
    const found = contents.groups.reduce((sum, group) => sum + group.length, 0);
    store.close();
    return { copied, found };
  }
}

test("with pull requests open a clone of heads and tags is still a copy of packs", async () => {
  using root = tempDir();
  const repository = new Repository(root.path);
  let main = repository.commit(undefined);
  for (let at = 0; at < 10; at++) main = repository.commit(main);
  await repository.push("refs/heads/main", main);
  for (let pull = 1; pull <= 20; pull++)
    await repository.push(`refs/pull/${pull}/head`, repository.commit(repository.commit(`${main}~${pull % 5}`)));
  const wanted = repository.reached("--branches", "--tags").length;
  expect(repository.clone()).toEqual({ copied: wanted, found: 0 });
  await repository.night();
  repository.prune();
  expect(repository.clone()).toEqual({ copied: wanted, found: 0 });
  expect(repository.stored()).toEqual(repository.reached("--all"));
  // One is merged: what it brought is taken by clones from now on, the others stay apart.
  await repository.push("refs/heads/main", repository.merge(main, repository.refs.get("refs/pull/3/head") ?? ""));
  await repository.night();
  repository.prune();
  const now = repository.reached("--branches", "--tags").length;
  expect(now).toBeGreaterThan(wanted);
  const { copied, found } = repository.clone();
  expect(copied + found).toBe(now);
  expect(git(["fsck", "--strict", "--full"], { cwd: repository.dir }).stderr).toBe("");
});

test("a clone of one branch, of all heads without tags, and of all of them are copies of packs", async () => {
  using root = tempDir();
  const repository = new Repository(root.path);
  const first = repository.commit(undefined);
  const main = repository.commit(repository.commit(first));
  const side = repository.commit(repository.commit(first));
  git(["tag", "-am", "one", "v1", main], { cwd: repository.work });
  git(["tag", "-am", "old", "v0", repository.commit(first)], { cwd: repository.work });
  const tag = (name: string) => gitText(["rev-parse", name], { cwd: repository.work });
  await repository.push("refs/pull/1/head", repository.commit(side));
  await repository.push("refs/heads/side", side);
  await repository.push("refs/heads/main", main);
  await repository.push("refs/tags/v1", tag("v1"));
  await repository.push("refs/tags/v0", tag("v0"));
  await repository.night();
  repository.prune();
  expect(repository.clone([main])).toEqual({ copied: repository.reached(main).length, found: 0 });
  expect(repository.clone([main, side])).toEqual({ copied: repository.reached(main, side).length, found: 0 });
  expect(repository.clone()).toEqual({ copied: repository.reached("--branches", "--tags").length, found: 0 });
  expect(repository.stored()).toEqual(repository.reached("--all"));
  expect(await repository.night()).toBeUndefined();
});

test("a pack in which both lie is divided", async () => {
  using root = tempDir();
  const repository = new Repository(root.path);
  const main = repository.commit(repository.commit(undefined));
  const pull = repository.commit(main);
  // One push brought all of it; then only a part of it is a branch.
  await repository.push("refs/pull/1/head", pull);
  git(["update-ref", "refs/heads/main", main], { cwd: repository.dir });
  expect(repository.clone().copied).toBe(0);
  const done = await repository.night();
  expect([done?.pack?.startsWith("pack-"), done?.later.length]).toEqual([true, 1]);
  repository.prune();
  expect(repository.clone()).toEqual({ copied: repository.reached("--branches").length, found: 0 });
  expect(repository.stored()).toEqual(repository.reached("--all"));
});

test("a night writes what changed, and leaves what did not as the files they are", async () => {
  using root = tempDir();
  const repository = new Repository(root.path);
  let main = repository.commit(undefined);
  for (let at = 0; at < 30; at++) main = repository.commit(main);
  await repository.push("refs/heads/main", main);
  await repository.night();
  repository.prune();
  const [large] = repository.packs();
  if (!large) throw new Error("no pack");
  expect(await repository.night()).toBeUndefined();
  for (let day = 1; day <= 4; day++) {
    main = repository.commit(main);
    await repository.push("refs/heads/main", main);
    // Something is taken away every day.
    await repository.push("refs/heads/topic", repository.commit(main));
    repository.remove("refs/heads/topic");
    const done = await repository.night();
    expect([day, done?.replacedPacks.includes(large)]).toEqual([day, false]);
    expect([day, (done?.objects ?? 0) < 30]).toEqual([day, true]);
    repository.prune();
  }
  expect(repository.packs()).toContain(large);
  repository.age();
  await repository.night(Date.now() / 1000 - 86_400);
  repository.prune(Date.now() / 1000 - 86_400);
  expect(repository.packs()).toContain(large);
  expect(repository.reached("--all").filter((oid) => !repository.stored().includes(oid))).toEqual([]);
});

test("whatever is pushed, moved and taken away, nothing that a ref leads to is ever lost", async () => {
  const chance = random(newSeed());
  for (let round = 0; round < 3; round++) {
    using root = tempDir();
    const repository = new Repository(root.path);
    const below = (count: number) => Math.floor(chance() * count);
    await repository.push("refs/heads/main", repository.commit(undefined));
    for (let step = 0; step < 40; step++) {
      const refs = [...repository.refs];
      const [, some = ""] = refs[below(refs.length)] ?? [];
      const [, other = ""] = refs[below(refs.length)] ?? [];
      const name = [`refs/heads/b${below(4)}`, `refs/pull/${below(4)}/head`, `refs/tags/t${below(3)}`][below(3)] ?? "";
      const what = below(9);
      if (what < 4) await repository.push(name, repository.commit(some));
      else if (what === 4) await repository.push(name, some);
      else if (what === 5) await repository.push(name, repository.merge(some, other));
      else if (what === 6 && refs.length > 2) repository.remove(refs[below(refs.length)]?.[0] ?? "");
      else if (what === 7) {
        await repository.night();
        repository.prune();
      } else {
        repository.age();
        await repository.night(Date.now() / 1000 - 86_400);
        repository.prune(Date.now() / 1000 - 86_400);
      }
      const stored = new Set(repository.stored());
      expect(repository.reached("--all").filter((oid) => !stored.has(oid))).toEqual([]);
      if (repository.cloned.length > 0) {
        const { copied, found } = repository.clone();
        expect([round, step, copied + found]).toEqual([round, step, repository.reached("--branches", "--tags").length]);
      }
    }
    expect(git(["fsck", "--strict", "--full"], { cwd: repository.dir }).code).toBe(0);
  }
}, 180_000);
