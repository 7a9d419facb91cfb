import { atLeast } from "../../access/levels.ts";
import { operator } from "../../access/principal.ts";
import type { BlobBody, BlobService } from "../../blobs/service.ts";
import type { Database } from "../../db/database.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest, Forbidden, NotFound } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { requireReadable } from "../runs/lists.ts";
import type { Run } from "../runs/types.ts";
import * as store from "./store.ts";
import { type Artifact, ArtifactStatus, type AskingJob, type ListedArtifact } from "./types.ts";
import { ARTIFACTS } from "./uploads.ts";
import { artifactNameOf } from "./values.ts";

export interface ArtifactNeeds {
  readonly db: Database;
  readonly clock: Clock;
  readonly blobs: BlobService;
  readonly repos: RepoService;
}

/** Finds, serves and deletes artifacts, for users and for jobs (contract actions.md 7 and 8.9). */
export class ArtifactService {
  constructor(private readonly needs: ArtifactNeeds) {}

  /**
   * The artifacts of a repository, or of one of its runs.
   * @param name empty: any
   * @throws NotFound if it may not be read
   */
  list(
    seen: SeenRepo,
    filter: { readonly name: string; readonly runId?: number },
    page: Pick<Paging, "limit" | "offset">,
  ): Slice<ListedArtifact> {
    requireReadable(seen);
    return store.listArtifacts(this.needs.db, { ...filter, repoId: seen.repo.id }, page);
  }

  /** @throws NotFound, also for artifacts of another repository or of the older protocol */
  get(seen: SeenRepo, id: number): ListedArtifact {
    requireReadable(seen);
    const found = store.findListed(this.needs.db, seen.repo.id, id);
    if (!found) throw new NotFound("actions.no-such-artifact");
    return found;
  }

  /** A run's artifacts, sorted by name, as its last attempt sees them. */
  ofRun({ attempt, id }: Run): store.ArtifactSummary[] {
    return store.summariesOf(this.needs.db, id, attempt, this.needs.clock());
  }

  /** @throws Forbidden without write access; NotFound */
  delete(seen: SeenRepo, id: number): void {
    const { db } = this.needs;
    const { id: found } = this.get(seen, id);
    if (!atLeast(seen.access.on("actions"), "write")) throw new Forbidden("repository.needs-write");
    db.transaction(() => store.deleteArtifact(db, found));
  }

  /** The files under a name as a run's last attempt sees them: one, or those of the older protocol. @throws NotFound */
  named({ attempt, id: runId }: Run, name: string): Artifact[] {
    const called = (some: readonly Artifact[]) => some.filter((artifact) => artifact.name === name);
    const newer = called(this.newerOf({ attempt, runId }));
    const found = newer.length > 0 ? newer : called(this.olderOf({ attempt, runId }));
    if (found.length === 0) throw new NotFound("actions.no-such-artifact");
    return found;
  }

  /** @throws Forbidden without write access; NotFound */
  deleteOfRun(seen: SeenRepo, run: Run, name: string): void {
    if (!atLeast(seen.access.on("actions"), "write")) throw new Forbidden("repository.needs-write");
    const { db } = this.needs;
    db.transaction(() => {
      for (const { id } of this.named(run, name)) store.deleteArtifact(db, id);
    });
  }

  /** Whether it has expired. */
  isOver({ expiresAt, status }: Artifact): boolean {
    return status === ArtifactStatus.expired || expiresAt <= this.needs.clock();
  }

  /** The bytes of an artifact. @throws NotFound if it has expired */
  open(artifact: Artifact): BlobBody {
    if (this.isOver(artifact)) throw new NotFound("actions.artifact-over");
    const body = this.needs.blobs.open(ARTIFACTS, String(artifact.id));
    if (!body) throw new NotFound("actions.no-such-artifact");
    return body;
  }

  /** The artifact that a signed address names. @throws NotFound */
  signed(id: number): Artifact {
    const found = store.findArtifact(this.needs.db, id);
    if (found?.path !== "") throw new NotFound("actions.artifact-gone");
    return found;
  }

  /** The repository of an artifact, with names in lower case; undefined if there is none. */
  repositoryOf(id: number): { readonly id: number; readonly owner: string; readonly name: string } | undefined {
    const { db, repos } = this.needs;
    const found = store.findArtifact(db, id);
    const seen = found && repos.seeById(operator, found.repoId);
    if (!seen) return undefined;
    return { id: seen.repo.id, owner: seen.owner.login.toLowerCase(), name: seen.repo.name.toLowerCase() };
  }

  /** The artifacts of the newer protocol that a job sees, sorted by name. */
  newerOf({ attempt, runId }: Pick<AskingJob, "attempt" | "runId">): Artifact[] {
    const { clock, db } = this.needs;
    return store.artifactsOfRun(db, { attempt, protocol: "newer", runId }, clock());
  }

  /** @throws NotFound */
  newerNamed(job: AskingJob, name: string): Artifact {
    const found = this.newerOf(job).find((artifact) => artifact.name === name);
    if (!found) throw new NotFound("actions.artifact-gone");
    return found;
  }

  /** Deletes an artifact that the job sees. @throws NotFound */
  deleteNamed(job: AskingJob, name: string): Artifact {
    const { db } = this.needs;
    const found = this.newerNamed(job, name);
    db.transaction(() => store.deleteArtifact(db, found.id));
    return found;
  }

  /** Files of the older protocol that a job sees, sorted by name and path. */
  olderOf({ attempt, runId }: Pick<AskingJob, "attempt" | "runId">): Artifact[] {
    const { clock, db } = this.needs;
    return store.artifactsOfRun(db, { attempt, protocol: "older", runId }, clock());
  }

  /** The files under a name. @throws NotFound */
  olderNamed(job: AskingJob, name: string): Artifact[] {
    const files = this.olderOf(job).filter((file) => file.name === artifactNameOf(name));
    if (files.length === 0) throw new NotFound("actions.artifact-gone");
    return files;
  }

  /** A file of the older protocol. @throws NotFound; BadRequest if it belongs to another run */
  olderFile({ runId }: AskingJob, id: number): Artifact {
    const found = store.findArtifact(this.needs.db, id);
    if (!found || found.path === "" || found.status !== ArtifactStatus.there)
      throw new NotFound("actions.artifact-gone");
    if (found.runId !== runId) throw new BadRequest("actions.other-run");
    return found;
  }

  /** Deletes the bytes of expired artifacts. @returns how many expired */
  expire(limit: number): number {
    const { blobs, clock, db } = this.needs;
    return db.transaction(() => {
      const over = store.overBefore(db, clock(), limit);
      for (const id of over) {
        blobs.forget(ARTIFACTS, String(id));
        store.setWithoutBytes(db, id, ArtifactStatus.expired, clock());
      }
      return over.length;
    });
  }

  /** Deletes unfinished artifacts that have received nothing since the given time. @returns how many were deleted */
  discardUnfinished(before: number, limit: number): number {
    const { db } = this.needs;
    return db.transaction(() => store.deleteUnfinished(db, before, limit));
  }
}
