import { asAccount } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { FileService } from "../../content/files/service.ts";
import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Team } from "../../organizations/types.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { JobTimedOut, type WorkerPool } from "../../workers/pool.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";
import { isDraft } from "../values.ts";
import { type BadLine, MAX_OWNERS_BYTES, OWNERS_FILES } from "./code-owners.ts";
import { MAX_REVIEWERS, type ResolvedReviewers, type ReviewRequests } from "./requests.ts";
import { reviewsOf } from "./store.ts";

export interface OwnerParts {
  readonly db: Database;
  readonly files: FileService;
  readonly identity: IdentityService;
  readonly pool: WorkerPool;
  readonly pulls: PullService;
  readonly refs: RefService;
  readonly requests: ReviewRequests;
  readonly storage: RepoStorage;
}

/** A problem in CODEOWNERS that is otherwise ignored. */
export type OwnersProblem = BadLine | { readonly line: number; readonly why: "unknown-owner"; readonly owner: string };

/** For matching all patterns of CODEOWNERS against all changed paths. */
const TIMEOUT_MS = 5_000;
/** The text of timeline entries for requests made by CODEOWNERS. */
const BY_OWNERS = "CODEOWNERS rules";
/** Problems reported per file, and owners looked up for them. */
const MAX_PROBLEMS = 50;
const MAX_LOOKED_UP = 500;

/** Requests reviews according to CODEOWNERS (contract pulls.md 13). */
export class CodeOwners {
  constructor(private readonly parts: OwnerParts) {}

  /** Asks the owners of the changed code on the poster's behalf, unless it is a draft. */
  async ask(item: SeenPull): Promise<void> {
    const { db, identity, pulls, requests } = this.parts;
    const { issue, pull, seen } = item;
    if (!pull.isOpen || isDraft(issue.title) || seen.repo.forkOf !== undefined || pull.mergeBase === undefined) return;
    const names = await this.ownersOf(item);
    const poster = issue.posterId === undefined ? undefined : identity.byId(issue.posterId);
    if (names.length === 0 || !poster) return;
    const found = this.named(seen, poster, names.slice(0, MAX_REVIEWERS));
    db.transaction(() => {
      const now = pulls.byId(asAccount(poster), issue.id);
      if (!now?.pull.isOpen) return;
      const known = new Set(reviewsOf(db, issue.id, "all").flatMap(({ reviewerId }) => reviewerId ?? []));
      const users = found.users.filter(({ id }) => !known.has(id));
      requests.addAll(now, { users, teams: found.teams }, BY_OWNERS);
    });
  }

  /** Whether the path is one that CODEOWNERS is read from. */
  isOwnersFile(path: string): boolean {
    return (OWNERS_FILES as readonly string[]).includes(path);
  }

  /** The first problems of such a file, in line order. */
  async problems(seen: SeenRepo, oid: string): Promise<OwnersProblem[]> {
    const text = this.textOf(seen, oid);
    if (text.trim() === "") return [];
    const { badLines, rules } = await this.parts.pool.run("pulls.owners-file", { text }, { lane: "interactive" });
    const known = new Map<string, boolean>();
    const isUnknown = (name: string) => {
      if (!known.has(name) && known.size === MAX_LOOKED_UP) return false;
      const isKnown = known.get(name) ?? this.isSeen(seen, name);
      known.set(name, isKnown);
      return !isKnown;
    };
    const unknown = rules.flatMap(({ line, owners }) =>
      owners.filter(isUnknown).map((owner): OwnersProblem => ({ line, why: "unknown-owner", owner })),
    );
    return [...badLines, ...unknown].sort((a, b) => a.line - b.line).slice(0, MAX_PROBLEMS);
  }

  /** An account hidden from the viewer is not an owner to them. */
  private isSeen(seen: SeenRepo, name: string): boolean {
    const found = this.parts.requests.ownerNamed(seen, name);
    return found !== undefined && ("team" in found || this.parts.identity.sees(seen.principal, found.user));
  }

  private async ownersOf({ pull, seen }: SeenPull): Promise<string[]> {
    const { files, pool, refs, storage } = this.parts;
    const head = refs.find(seen.repo.id, `refs/heads/${seen.repo.defaultBranch}`)?.oid;
    if (head === undefined || pull.mergeBase === undefined) return [];
    const text = await storage.reading(() => {
      for (const path of OWNERS_FILES) {
        const file = files.find(seen, head, path);
        if (file?.kind === "file") return this.textOf(seen, file.oid);
      }
      return "";
    });
    if (text.trim() === "") return [];
    const input = { repoDir: storage.dirOf(seen.repo.id), mergeBase: pull.mergeBase, head: pull.headOid, text };
    try {
      return await pool.run("pulls.owners", input, { timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (!(error instanceof JobTimedOut)) throw error;
      return [];
    }
  }

  /** Empty if it is too large. */
  private textOf(seen: SeenRepo, oid: string): string {
    return Buffer.from(this.parts.files.bytes(seen, oid, MAX_OWNERS_BYTES) ?? []).toString("utf8");
  }

  /** The named accounts and teams that may be asked. */
  private named(seen: SeenRepo, poster: User, names: readonly string[]): ResolvedReviewers {
    const users: User[] = [];
    const teams: Team[] = [];
    for (const name of names) {
      const found = this.parts.requests.ownerNamed(seen, name);
      if (found && "team" in found) teams.push(found.team);
      else if (found && found.user.id !== poster.id) users.push(found.user);
    }
    return { users, teams };
  }
}
