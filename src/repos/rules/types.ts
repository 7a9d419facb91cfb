import type {
  ChangeFacts,
  ContentPattern,
  Fact,
  NewCommit,
  PathQuery,
  ReceivedFacts,
} from "../../git/inspect/facts.ts";
import type { Oid } from "../../git/objects/types.ts";
import type { RefChange } from "../../git/refs/types.ts";
import type { Failure } from "../../kernel/errors.ts";
import type { FolderKind } from "../folders/types.ts";
import type { SeenRepo } from "../types.ts";

/**
 * How a ref change is made: `push`, also for edits that create a branch; `edit`, of files here, directly on the branch;
 * `ref`, by pages and routes for branches and tags; `rename`, as one half of renaming a branch; `merge`, of a pull
 * request, whose area has checked its conditions.
 */
export type ChangeVia = "push" | "edit" | "ref" | "rename" | "merge";

/** A ref change that someone is about to make. */
export interface ProposedChange extends RefChange {
  readonly seen: SeenRepo;
  readonly via: ChangeVia;
}

/** What a rule must know about a change before it can judge it. Only facts that some rule needs are gathered. */
export interface RuleNeeds {
  readonly facts: readonly Fact[];
  /** With `blobs`: what to look for in the files. */
  readonly patterns?: readonly ContentPattern[];
  /** Queries about the changed paths. */
  readonly pathQueries?: readonly PathQuery[];
  /** With `commits`: whether their signatures are valid. */
  readonly signatures?: true;
}

/** Returns those of the commits that are signed by a key known to belong to their committer. */
export type SignatureVerifier = (seen: SeenRepo, commits: readonly NewCommit[]) => Promise<ReadonlySet<Oid>>;

/**
 * Whether the caller may write a ref without write access to the code, such as the source branch of a pull request.
 * @param name undefined: any ref at all
 */
export type RefWriters = (seen: SeenRepo, name: string | undefined) => boolean;

/** Checks content entering folders other than the code's, which no other rule covers. @throws Failure */
export type FolderGuard = (seen: SeenRepo, kind: FolderKind, incomingBytes: number) => void;

/** What is known about a change: at least what its rules asked for. */
export interface KnownFacts extends ChangeFacts {
  /** Max bytes all changes together add to the disk. */
  readonly incomingBytes?: number;
  /** What the whole push contains, with `blobs`. */
  readonly received?: ReceivedFacts;
  /** The new commits signed by a known key, with `signatures`. */
  readonly verified?: ReadonlySet<Oid>;
}

/** Why a change is refused. */
export interface Refusal {
  /** Its message is shown to the pusher and returned by the API. */
  readonly failure: Failure;
  /** Only this ref is refused; otherwise the whole push fails, as with git's pre-receive hook. */
  readonly alone?: boolean;
}

/**
 * Decides whether a ref may change, after write access has been checked. Both functions are called again right before
 * the ref moves, and must be fast: they run on the thread that serves everyone.
 */
export interface PushRule {
  /** The rule's name within its area. */
  readonly name: string;
  /** Returns undefined if the rule does not apply to this change. */
  needs(change: ProposedChange): RuleNeeds | undefined;
  /** Called if `needs` returned something, with all the facts it named, complete. */
  judge(change: ProposedChange, facts: KnownFacts): Refusal | undefined;
}
