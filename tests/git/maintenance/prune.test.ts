import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { planPrune } from "../../../src/git/maintenance/prune.ts";
import { removeLoose, removePacks } from "../../../src/git/maintenance/remove.ts";
import { repackIfUseful } from "../../../src/git/maintenance/repack.ts";
import { markReplaced, removeMark, replacedPacks } from "../../../src/git/odb/replaced.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { closedPacks, reachablePacks } from "../../../src/git/pack-objects/closures.ts";
import { LooseLinks } from "../../../src/git/pack-objects/loose-links.ts";
import { answerDumb } from "../../../src/git/transport/dumb.ts";
import { RefSnapshot } from "../../../src/git/transport/ref-snapshot.ts";
import { allObjects, buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";

setDefaultTimeout(600_000);

const DAY = 86_400;
const now = Math.floor(Date.now() / 1000);

function age(repo: string, days: number): void {
  for (const entry of readdirSync(join(repo, "objects"), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) utimesSync(join(entry.parentPath, entry.name), now - days * DAY, now - days * DAY);
}

/** A history in one pack whose last ten commits were taken away a month ago, maintained since. */
async function aLoss(repo: string) {
  buildHistory(repo, 60);
  git(["-C", repo, "repack", "-adq"]);
  const lost = gitText(["-C", repo, "rev-parse", "main"]);
  git(["-C", repo, "update-ref", "-d", "refs/tags/v1"]);
  git(["-C", repo, "update-ref", "refs/heads/main", "main~10"]);
  const tip = gitText(["-C", repo, "rev-parse", "main"]);
  age(repo, 30);
  const done = await repackIfUseful(repo, { roots: [tip], pruneBefore: now - 14 * DAY, withClosure: true });
  markReplaced(repo, done!.replacedPacks);
  return { lost, tip, done: done! };
}

const later = { replacedBefore: Date.now() + DAY * 1000, pruneBefore: now - 14 * DAY };

test("what nothing leads to goes with the pack that is replaced, when its time has come", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  const { lost, tip, done } = await aLoss(repo);
  expect(done).toMatchObject({ cruft: null, cruftObjects: 0 });
  expect(done.dropped).toBeGreaterThan(20);
  const before = allObjects(repo).length;
  expect(planPrune(repo, { ...later, roots: [tip], replacedBefore: Date.now() - 1000 * DAY }).packs).toEqual([]);
  const plan = planPrune(repo, { ...later, roots: [tip] });
  expect(plan).toMatchObject({ packs: done.replacedPacks, neededPacks: [], lostLoose: [], lost: done.dropped });
  removePacks(repo, plan.packs);
  expect(replacedPacks(repo).size).toBe(0);
  expect(allObjects(repo).length).toBe(before - done.dropped);
  expect(git(["-C", repo, "cat-file", "-e", lost], { mayFail: true }).code).not.toBe(0);
  expect(git(["-C", repo, "fsck", "--strict", "--full"]).stderr).toBe("");
  expect(await repackIfUseful(repo, { roots: [tip], pruneBefore: now, withClosure: true })).toBeUndefined();
});

test("an object that got a name meanwhile keeps its pack, and the next repack takes it in", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  const { lost, tip } = await aLoss(repo);
  const back = gitText(["-C", repo, "rev-parse", `${lost}~3`]);
  const plan = planPrune(repo, { ...later, roots: [tip, back] });
  expect(plan.packs).toEqual([]);
  expect(plan.neededPacks.length).toBe(1);
  expect(plan.lost).toBe(0);
  for (const name of plan.neededPacks) removeMark(repo, name);
  git(["-C", repo, "update-ref", "refs/heads/back", back]);
  const again = await repackIfUseful(repo, { roots: [tip, back], pruneBefore: now - 14 * DAY, withClosure: true });
  markReplaced(repo, again!.replacedPacks);
  const next = planPrune(repo, { ...later, roots: [tip, back] });
  removePacks(repo, next.packs);
  expect(git(["-C", repo, "fsck", "--strict", "--full"]).stderr).toBe("");
  expect(gitText(["-C", repo, "rev-list", "--count", "back"])).toBe("57");
  expect(gitText(["-C", repo, "count-objects", "-v"])).toContain("packs: 1\n");
});

test("loose objects: copies go, the old that nothing leads to go, and what the young lead to stays", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  const { tip } = await aLoss(repo);
  const blob = (text: string) => gitText(["-C", repo, "hash-object", "-w", "--stdin"], { input: text });
  const [old, below] = [blob("old and lost\n"), blob("old and below a young tree\n")];
  age(repo, 30);
  const young = gitText(["-C", repo, "mktree"], { input: `100644 blob ${below}\tfile\n` });
  const copied = gitText(["-C", repo, "rev-parse", `${tip}^{tree}`]);
  const store = ObjectStore.open(repo);
  git(["-C", repo, "unpack-objects", "-q"], {
    input: git(["-C", repo, "pack-objects", "-q", "--stdout"], { input: `${copied}\n` }).stdout,
  });
  const plan = planPrune(repo, { ...later, replacedBefore: 0, roots: [tip] });
  expect(plan.lostLoose).toEqual([old]);
  expect([...plan.copies, old, below, young].sort()).toEqual(store.looseOids().sort());
  removeLoose(repo, [...plan.lostLoose, ...plan.copies]);
  expect(store.has(old)).toBe(false);
  expect([below, young, copied].map((oid) => store.read(oid) !== undefined)).toEqual([true, true, true]);
  store.close();
});

test("a reader goes on while packs are replaced under it, and replaced packs are no part of clones", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 60);
  const tips = gitText(["-C", repo, "for-each-ref", "--format=%(objectname)"]).split("\n");
  const reader = ObjectStore.open(repo);
  const oids = allObjects(repo).map(({ oid }) => oid);
  const half = oids.length >> 1;
  for (const oid of oids.slice(0, half)) expect(reader.read(oid)).toBeDefined();
  const done = await repackIfUseful(repo, { roots: tips, pruneBefore: now, withClosure: true });
  markReplaced(repo, done!.replacedPacks);
  const refs = { snapshot: () => RefSnapshot.of([]), head: () => "refs/heads/main" };
  const reach = { has: () => true, packs: () => new Set(closedPacks(repo, reader).map(({ pack }) => pack.name)) };
  const listed = answerDumb(repo, { kind: "pack-list" }, refs, reach, reader)?.content;
  expect(listed && "bytes" in listed && Buffer.from(listed.bytes).toString()).toBe(`P ${done!.pack}.pack\n\n`);
  const closed = closedPacks(repo, reader);
  expect(closed.map(({ pack }) => pack.name)).toEqual([done!.pack!]);
  const peeled = gitText(["-C", repo, "rev-parse", "main"]);
  expect(reachablePacks(closed, [...tips, peeled], new LooseLinks(reader)).length).toBe(1);
  expect(reachablePacks(closed, [peeled], new LooseLinks(reader)).length).toBe(0);
  const plan = planPrune(repo, { ...later, roots: tips });
  expect(plan.lost).toBe(0);
  removePacks(repo, plan.packs);
  removeLoose(repo, plan.copies);
  for (const oid of oids.slice(half)) expect(reader.read(oid)).toBeDefined();
  reader.close();
});
