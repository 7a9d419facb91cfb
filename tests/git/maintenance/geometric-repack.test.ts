import { expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { geometricRepack } from "../../../src/git/maintenance/geometric-repack.ts";
import { removeLoose, removePacks } from "../../../src/git/maintenance/remove.ts";
import { repack } from "../../../src/git/maintenance/repack.ts";
import { SHA1 } from "../../../src/git/objects/format.ts";
import { hashObject } from "../../../src/git/objects/hash.ts";
import { markReplaced, replacedPacks } from "../../../src/git/odb/replaced.ts";
import { ObjectStore } from "../../../src/git/odb/store.ts";
import { initRepository, writeObjects } from "../../../src/git/odb/write.ts";
import { readClosure } from "../../../src/git/receive/closure.ts";
import { ingestPack } from "../../../src/git/receive/ingest.ts";
import { admit } from "../../../src/git/receive/quarantine.ts";
import { allObjects, buildHistory, git, gitText, tempDir } from "../objects/real-git.ts";
import { pieces } from "../receive/packs.ts";

setDefaultTimeout(600_000);

test("many pushes and loose edits become one pack with the same objects, still exact", async () => {
  using dir = tempDir();
  const source = join(dir.path, "source.git");
  buildHistory(source, 100);
  const repo = join(dir.path, "r.git");
  initRepository(repo, { defaultBranch: "main" });
  let old: string | undefined;
  for (let step = 90; step >= 0; step -= 10) {
    const tip = gitText(["-C", source, "rev-parse", `main~${step}`]);
    const options = step % 20 === 0 ? ["--no-delta-base-offset"] : ["--delta-base-offset"];
    const pack = git(["-C", source, "pack-objects", "-q", "--revs", "--stdout", "--thin", ...options], {
      input: `${tip}\n${old ? `^${old}\n` : ""}`,
    }).stdout;
    const connectedTo = old ? [old] : [];
    admit(await ingestPack({ repoDir: repo, pack: pieces(pack, 9999), newTips: [tip], connectedTo, strict: true }));
    git(["-C", repo, "update-ref", "refs/heads/main", tip]);
    old = tip;
  }
  const tree = gitText(["-C", repo, "rev-parse", "main^{tree}"]);
  const commit = Buffer.from(
    `tree ${tree}\nparent ${old}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nedit\n`,
  );
  const [edit = ""] = writeObjects(repo, [{ type: "commit", data: commit }]);
  git(["-C", repo, "update-ref", "refs/heads/main", edit]);
  const before = allObjects(repo);
  const packs = readdirSync(join(repo, "objects/pack")).filter((name) => name.endsWith(".pack"));
  expect(packs.length).toBe(10);

  const steps: string[] = [];
  const result = (await geometricRepack(repo, { roots: [edit], crashPoint: (name) => steps.push(name) }))!;
  expect(result.replacedPacks.length).toBe(10);
  expect(steps.length).toBeGreaterThan(5);
  markReplaced(repo, result.replacedPacks);
  expect([...replacedPacks(repo).keys()].sort()).toEqual([...result.replacedPacks].sort());
  const reader = ObjectStore.open(repo, { verify: true });
  removePacks(repo, result.replacedPacks);
  removeLoose(repo, result.replacedLoose);
  for (const { oid, type } of before) expect(reader.read(oid)?.type).toBe(type as "blob");
  expect(allObjects(repo)).toEqual(before);
  expect(git(["-C", repo, "fsck", "--strict", "--full"]).code).toBe(0);
  expect(readdirSync(join(repo, "objects/pack")).length).toBe(2);
  git(["-C", repo, "verify-pack", join(repo, "objects/pack", `${result.pack}.idx`)]);
  expect(readClosure(repo, result.pack!.replace("pack-", ""))).toEqual({ tips: [edit], boundary: [], exact: true });
  expect(readdirSync(join(repo, "objects/info/hearth"))).toEqual([`${result.pack}.closure`]);
  // Nothing is left to do.
  expect(await geometricRepack(repo, { roots: [edit] })).toBeUndefined();
});

test("a damaged entry stops it before anything changes", async () => {
  using dir = tempDir();
  const repo = join(dir.path, "r.git");
  buildHistory(repo, 20);
  git(["-C", repo, "repack", "-adq"]);
  writeObjects(repo, [{ type: "blob", data: Buffer.from("loose") }]);
  const pack = readdirSync(join(repo, "objects/pack")).find((name) => name.endsWith(".pack"))!;
  const path = join(repo, "objects/pack", pack);
  const bytes = readFileSync(path);
  bytes[bytes.length - 60]! ^= 0xff;
  git(["-C", repo, "prune-packed"]);
  Bun.spawnSync(["chmod", "u+w", path]);
  writeFileSync(path, bytes);
  const tip = gitText(["-C", repo, "rev-parse", "main"]);
  expect(repack(repo, { roots: [tip] })).rejects.toThrow(/damaged/);
  expect(readdirSync(join(repo, "objects/pack")).filter((name) => name.endsWith(".pack"))).toEqual([pack]);
  expect(ObjectStore.open(repo).has(hashObject(SHA1, "blob", Buffer.from("loose")))).toBe(true);
});
