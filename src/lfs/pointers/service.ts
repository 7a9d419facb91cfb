import type { Database } from "../../db/database.ts";
import type { FoundPointers, PointerBlob } from "../../git/lfs/find-pointers.ts";
import { isOid, type Oid } from "../../git/objects/types.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import type { Clock } from "../../kernel/clock.ts";
import { nextTurn } from "../../kernel/next-turn.ts";
import type { QuotaService } from "../../quotas/service.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { Repo, SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { LfsObjects } from "../service.ts";
import * as store from "../store.ts";
import type { LfsObject } from "../types.ts";
import type { PointerPath } from "./paths.job.ts";

export interface PointerParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly objects: LfsObjects;
  readonly pool: WorkerPool;
  readonly quotas: QuotaService;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
}

/**
 * `here`: the repository has the object; `elsewhere`: another one that the caller may read has it; `missing`:
 * neither, as far as the caller may know.
 */
export type PointerState = "here" | "elsewhere" | "missing";

export interface ShownPointer extends PointerBlob {
  readonly state: PointerState;
}

/** The objects that refs of a repository do and do not point at. */
export interface PointerReport {
  readonly pointers: readonly ShownPointer[];
  /** Unreferenced objects, which can be deleted; absent: there are more pointers than were checked. */
  readonly unnamed?: readonly LfsObject[];
  readonly isCut: boolean;
}

/** Maximum number shown. */
const MAX_SHOWN = 1000;
/** More pointers than any repository has. */
const MAX_POINTERS = 1_000_000;
const BATCH = 1000;
/** Objects are uploaded before the push that references them. */
const FRESH_MS = 24 * 3_600_000;
/** Maximum number of repositories searched for the same object. */
const MAX_LOOKED_AT = 20;
const MAX_BRANCHES = 50;
const MAX_ENTRIES = 200_000;
const MAX_PATHS = 100;

/** Compares pointers on branches, tags and pull requests with the large files of a repository. */
export class LfsPointers {
  constructor(private readonly parts: PointerParts) {}

  async report(seen: SeenRepo): Promise<PointerReport> {
    const { db, objects } = this.parts;
    const { isCut, pointers } = await this.find(seen.repo, MAX_POINTERS);
    const shown = pointers.slice(0, MAX_SHOWN);
    const present = objects.among(
      seen,
      shown.map(({ oid }) => oid),
    );
    const states = shown.map((pointer): ShownPointer => {
      const isHere = present.get(pointer.oid)?.sizeBytes === pointer.sizeBytes;
      const state = isHere ? "here" : this.source(seen, pointer) ? "elsewhere" : "missing";
      return { ...pointer, state };
    });
    const isLong = isCut || pointers.length > shown.length;
    if (isCut) return { pointers: states, isCut: true };
    const named = new Set(pointers.map(({ oid }) => oid));
    const unnamed: LfsObject[] = [];
    for (const object of this.all(db, seen.repo.id)) {
      if (unnamed.length === MAX_SHOWN) break;
      if (!named.has(object.oid) && this.isOld(object, FRESH_MS)) unnamed.push(object);
    }
    return { pointers: states, unnamed, isCut: isLong };
  }

  /**
   * Adds objects that the repository's pointers name and that another repository has, if the caller may read that
   * one: they could download the bytes there and upload them here (hardening rule 9). @returns how many
   * @throws TooLarge the owner may store nothing more
   */
  async associate(seen: SeenRepo): Promise<number> {
    const { clock, db, quotas } = this.parts;
    const { pointers } = await this.report(seen);
    const wanted = new Map(
      pointers.flatMap((pointer) => (pointer.state === "elsewhere" ? [[pointer.oid, pointer]] : [])),
    );
    return db.transaction(() => {
      let added = 0;
      for (const pointer of wanted.values()) {
        const object = this.source(seen, pointer);
        if (!object) continue;
        quotas.require(seen.owner, "size:git:lfs", object.sizeBytes);
        store.insertObject(db, { ...object, repoId: seen.repo.id, updatedAt: clock() });
        added++;
      }
      return added;
    });
  }

  /** Removes objects that no pointer names and that are older than that. @returns how many */
  async cleanUp(repo: Repo, olderThanMs = FRESH_MS): Promise<number> {
    const { db, refs } = this.parts;
    const version = refs.version(repo.id);
    const { isCut, pointers } = await this.find(repo, MAX_POINTERS);
    if (isCut) return 0;
    const named = new Set(pointers.map(({ oid }) => oid));
    let removed = 0;
    for (let after = 0, some = [] as LfsObject[]; ; after = some.at(-1)?.id ?? 0) {
      some = store.objectsAfter(db, repo.id, after, BATCH);
      if (some.length === 0) return removed;
      const unnamed = some.filter((object) => !named.has(object.oid) && this.isOld(object, olderThanMs));
      const isCurrent = db.transaction(() => {
        // A push may have referenced them meanwhile.
        if (refs.version(repo.id) !== version) return false;
        for (const { oid } of unnamed) store.deleteObject(db, repo.id, oid);
        return true;
      });
      if (!isCurrent) return removed;
      removed += unnamed.length;
      await nextTurn();
    }
  }

  /** The first paths on branches with a pointer to an object. */
  async pathsOf(
    { repo }: SeenRepo,
    oid: string,
  ): Promise<{ blobs: readonly PointerBlob[]; paths: readonly PointerPath[] }> {
    const { pool, refs, storage } = this.parts;
    const found = await this.find(repo, MAX_POINTERS);
    const blobs = found.pointers.filter((pointer) => pointer.oid === oid);
    if (blobs.length === 0) return { blobs, paths: [] };
    const isDefault = (name: string) => name === BRANCHES + repo.defaultBranch;
    const branches = refs
      .list(repo.id, BRANCHES)
      .toSorted((a, b) => Number(isDefault(b.name)) - Number(isDefault(a.name)))
      .slice(0, MAX_BRANCHES)
      .map(({ name, oid: commit }) => ({ name: name.slice(BRANCHES.length), commit }));
    const input = {
      repoDir: storage.dirOf(repo.id),
      branches,
      blobs: blobs.map(({ blob }) => blob),
      maxEntries: MAX_ENTRIES,
      maxPaths: MAX_PATHS,
    };
    return { blobs, paths: await pool.run("lfs.pointerPaths", input) };
  }

  /** Pointers reachable from some objects and not from others; missing objects reach nothing. */
  async between(repo: Repo, wants: readonly Oid[], haves: readonly Oid[]): Promise<readonly PointerBlob[]> {
    return (await this.search(repo, wants, haves, MAX_POINTERS)).pointers;
  }

  private find(repo: Repo, max: number): Promise<FoundPointers> {
    return this.search(repo, this.parts.refs.tips(repo.id).split("\n").filter(isOid), [], max);
  }

  private search(repo: Repo, wants: readonly Oid[], haves: readonly Oid[], max: number): Promise<FoundPointers> {
    const { pool, storage } = this.parts;
    if (wants.length === 0) return Promise.resolve({ pointers: [], isCut: false });
    const input = { repoDir: storage.dirOf(repo.id), wants: [...new Set(wants)], haves: [...new Set(haves)], max };
    return pool.run("git.lfsPointers", input, { lane: "bulk" });
  }

  private *all(db: Database, repoId: number): Generator<LfsObject> {
    for (let after = 0; ; ) {
      const some = store.objectsAfter(db, repoId, after, BATCH);
      yield* some;
      const last = some.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  private isOld({ updatedAt }: LfsObject, ageMs: number): boolean {
    return updatedAt <= this.parts.clock() - ageMs;
  }

  /** The object in another repository whose code the principal may read. */
  private source({ principal, repo }: SeenRepo, { oid, sizeBytes }: PointerBlob): LfsObject | undefined {
    const { db, objects, repos } = this.parts;
    for (const id of store.reposWith(db, oid, MAX_LOOKED_AT)) {
      if (id === repo.id || !repos.mayRead(principal, id, "code")) continue;
      const object = store.findObject(db, id, oid);
      if (object?.sizeBytes === sizeBytes && objects.isStored(object)) return object;
    }
    return undefined;
  }
}
