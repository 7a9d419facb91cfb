import { accountOf } from "../../access/principal.ts";
import type { FileService } from "../../content/files/service.ts";
import type { RevisionService } from "../../content/revisions/service.ts";
import type { Database } from "../../db/database.ts";
import { isOid, type Oid } from "../../git/objects/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import { BadRequest } from "../../kernel/errors.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { PullChanges } from "../changes/service.ts";
import type { SeenPull } from "../types.ts";
import * as store from "./viewed-store.ts";

export interface ViewedParts {
  readonly changes: PullChanges;
  readonly clock: Clock;
  readonly db: Database;
  readonly files: FileService;
  readonly pool: WorkerPool;
  readonly revisions: RevisionService;
  readonly storage: RepoStorage;
}

/** The files someone has viewed, with the content each had; empty if the change deletes it. */
export type ViewedMarks = ReadonlyMap<string, Oid>;

/** The state of a file, according to its mark. */
export type ViewedState = "viewed" | "unviewed" | "has-changed";

/** Maximum marks per request. */
const MAX_PATHS = 1_000;
/** Maximum marks per account and pull request: as many as a diff has files. */
const MAX_MARKS = 20_000;

/** Tracks which files of a pull request someone has viewed (contract pulls.md 18). */
export class ViewedFiles {
  constructor(private readonly parts: ViewedParts) {}

  /**
   * @param head the head that was viewed; empty: the current one
   * @throws BadRequest if it is not a commit that may be shown, or there are too many files
   */
  async mark(item: SeenPull, head: string, files: ReadonlyMap<string, boolean>): Promise<void> {
    const { clock, db, files: content, revisions, storage } = this.parts;
    const { issue, pull, seen } = item;
    const user = accountOf(seen.principal);
    const commit = head || pull.headOid;
    if (files.size > MAX_PATHS) throw new BadRequest("review.too-many-files", { params: { max: MAX_PATHS } });
    const isKnown =
      commit === pull.headOid || (isOid(commit) && (await revisions.settled(() => revisions.mayShow(seen, commit))));
    if (!isKnown) throw new BadRequest("review.unknown-commit", { params: { id: commit } });
    const base = pull.mergeBase;
    const oids = await storage.reading(
      () =>
        new Map(
          [...files.keys()].flatMap((path): [string, Oid][] => {
            const found = content.find(seen, commit, path);
            if (found) return [[path, found.oid]];
            return base !== undefined && content.find(seen, base, path) ? [[path, ""]] : [];
          }),
        ),
    );
    db.transaction(() => {
      const kept = store.countMarks(db, user.id, issue.id);
      if (kept + oids.size > MAX_MARKS) throw new BadRequest("review.too-many-files", { params: { max: MAX_MARKS } });
      for (const [path, isViewed] of files) {
        const oid = oids.get(path);
        if (isViewed && oid !== undefined) store.setMark(db, user.id, issue.id, { path, oid, at: clock() });
        if (!isViewed) store.deleteMark(db, user.id, issue.id, path);
      }
    });
  }

  /** The caller's marks. */
  marksOf({ issue, seen }: SeenPull): ViewedMarks {
    const { user } = seen.principal;
    return user ? store.marksOf(this.parts.db, user.id, issue.id) : new Map();
  }

  /** How many files of the whole change are unchanged since they were viewed. */
  async countViewed(item: SeenPull, marks: ViewedMarks): Promise<number> {
    if (marks.size === 0) return 0;
    const { changes, pool, storage } = this.parts;
    const input = { repoDir: storage.dirOf(item.seen.repo.id), ...changes.range(item), marks: [...marks] };
    return pool.run("pulls.viewed", input, { lane: "interactive" });
  }
}

export function viewedState(marks: ViewedMarks, path: string, oid: Oid): ViewedState {
  const marked = marks.get(path);
  return marked === undefined ? "unviewed" : marked === oid ? "viewed" : "has-changed";
}
