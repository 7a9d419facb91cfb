import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { syncPath } from "../durable.ts";
import type { Oid } from "../objects/types.ts";
import { type Closure, writeClosure } from "./closure.ts";

/** A received pack, as plain data that can be passed between threads. */
export interface Quarantined {
  readonly repoDir: string;
  /** Directory that holds the pack and its index until they are admitted. */
  readonly quarantineDir: string;
  /** The pack's checksum in hex, which names it; null if nothing was received. */
  readonly packId: string | null;
  readonly objects: number;
  /** Bytes of the pack as stored, and of its objects inflated. */
  readonly bytes: number;
  readonly inflatedBytes: number;
  readonly closure: Closure | null;
  /** Bases that were appended to a thin pack. */
  readonly appendedBases: readonly Oid[];
}

export type CrashPoint = (name: string) => void;

/** git's own prefix for quarantine directories: git does not read them, and its `gc` removes old ones. */
const PREFIX = "tmp_objdir-";
/** Prefix of the directories where maintenance writes its packs. */
export const MAINTENANCE_PREFIX = `${PREFIX}maintenance-`;

export function newQuarantine(repoDir: string, prefix = `${PREFIX}incoming-`): string {
  const dir = join(repoDir, "objects", `${prefix}${crypto.randomUUID()}`);
  mkdirSync(dir, { mode: 0o700 });
  return dir;
}

/**
 * Moves a verified pack into the store, durably. The index comes last: readers do not see a pack without one. Until the
 * caller commits, anything done here can be lost or left over without harm.
 */
export function admit(quarantined: Quarantined, crashPoint: CrashPoint = () => {}): void {
  const { repoDir, quarantineDir, packId, closure } = quarantined;
  if (packId === null) {
    discard(quarantined);
    return;
  }
  const packDir = join(repoDir, "objects", "pack");
  const from = join(quarantineDir, `pack-${packId}`);
  const to = join(packDir, `pack-${packId}`);
  crashPoint("admit: begin");
  chmodSync(`${from}.pack`, 0o444);
  syncPath(`${from}.pack`);
  crashPoint("admit: pack flushed");
  syncPath(`${from}.idx`);
  crashPoint("admit: index flushed");
  if (closure) writeClosure(repoDir, packId, closure);
  crashPoint("admit: closure written");
  // The same pack may be stored already, with identical bytes; replacing it would only disturb readers.
  if (!existsSync(`${to}.idx`)) {
    renameSync(`${from}.pack`, `${to}.pack`);
    crashPoint("admit: pack renamed");
    renameSync(`${from}.idx`, `${to}.idx`);
    crashPoint("admit: index renamed");
  }
  syncPath(packDir);
  crashPoint("admit: folder flushed");
  discard(quarantined);
  crashPoint("admit: quarantine removed");
}

/** Removes what was received. Nothing else has ever seen it. */
export function discard(quarantined: Pick<Quarantined, "quarantineDir">): void {
  rmSync(quarantined.quarantineDir, { recursive: true, force: true });
}

/**
 * Removes what a crash left behind: quarantines, partly written objects and files, packs moved in without their index,
 * and closures without a pack. The caller must ensure that nothing is writing.
 */
export function sweepQuarantines(repoDir: string): number {
  let swept = 0;
  const objectsDir = join(repoDir, "objects");
  for (const name of namesIn(objectsDir)) {
    if (!name.startsWith(PREFIX) && !name.startsWith("tmp_obj_")) continue;
    rmSync(join(objectsDir, name), { recursive: true, force: true });
    swept++;
  }
  const packDir = join(objectsDir, "pack");
  const names = new Set(namesIn(packDir));
  for (const name of names) {
    if (!/^pack-(?:[0-9a-f]{40}|[0-9a-f]{64})\.pack$/.test(name) || names.has(name.replace(/pack$/, "idx"))) continue;
    rmSync(join(packDir, name), { force: true });
    names.delete(name);
    swept++;
  }
  for (const directory of ["info", "info/commit-graphs", "info/hearth"]) {
    for (const name of namesIn(join(objectsDir, directory))) {
      const packOfClosure = /^(pack-(?:[0-9a-f]{40}|[0-9a-f]{64}))\.(?:closure|replaced)$/.exec(name)?.[1];
      const isOrphan = packOfClosure !== undefined && !names.has(`${packOfClosure}.pack`);
      if (!isOrphan && !name.endsWith(".tmp") && !/^commit-graph-chain\..*lock$/.test(name)) continue;
      rmSync(join(objectsDir, directory, name), { force: true });
      swept++;
    }
  }
  return swept;
}

function namesIn(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}
