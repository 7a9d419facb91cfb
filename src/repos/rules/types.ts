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
 * How a change of a ref comes about: by a push, or by an edit that makes a new branch; by an edit of files here, on the
 * branch itself; by the pages and routes of branches and tags; as one half of renaming a branch; by the merge of a pull
 * request, whose own conditions its area has looked at.
 */
export type ChangeVia = "push" | "edit" | "ref" | "rename" | "merge";

/** A change of a ref that someone is about to make. */
export interface ProposedChange extends RefChange {
  readonly seen: SeenRepo;
  readonly via: ChangeVia;
}

/** What a rule must know of a change before it can judge it. Nothing is found out that no rule needs. */
export interface RuleNeeds {
  readonly facts: readonly Fact[];
  /** With `blobs`: what to look for in the files. */
  readonly patterns?: readonly ContentPattern[];
  /** What to ask about the files that change. */
  readonly pathQueries?: readonly PathQuery[];
  /** With `commits`: whose signatures are good. */
  readonly signatures?: true;
}

/** Answers which of some commits are signed by a key that is known to belong to who made them. */
export type SignatureVerifier = (seen: SeenRepo, commits: readonly NewCommit[]) => Promise<ReadonlySet<Oid>>;

/**
 * Whether the one who asks may write a ref by its own right: a branch that a pull request comes from.
 * @param name undefined: any ref at all
 */
export type RefWriters = (seen: SeenRepo, name: string | undefined) => boolean;

/** Has a say in content for folders of other kinds than code, which no other rule is about. @throws Failure */
export type FolderGuard = (seen: SeenRepo, kind: FolderKind, incomingBytes: number) => void;

/** What is known of a change: what its rules asked for, and perhaps more. */
export interface KnownFacts extends ChangeFacts {
  /** What all changes together bring to the disk, at most. */
  readonly incomingBytes?: number;
  /** What the whole push brings, with `blobs`. */
  readonly received?: ReceivedFacts;
  /** The new commits that are signed by a known key, with `signatures`. */
  readonly verified?: ReadonlySet<Oid>;
}

/** Why a change is not made. */
export interface Refusal {
  /** Its words are what the pusher reads, and what the API answers. */
  readonly failure: Failure;
  /** Only this ref is refused; a push otherwise fails as a whole, as hooks of git have it. */
  readonly alone?: boolean;
}

/**
 * Says whether a ref may change: who may write at all has been decided before. Both functions are asked again right
 * before the ref moves, and must be quick: they run on the thread that serves everyone.
 */
export interface PushRule {
  /** The area's word for it. */
  readonly name: string;
  /** undefined: the rule has nothing to say of this change. */
  needs(change: ProposedChange): RuleNeeds | undefined;
  /** Called where `needs` answered, with the facts it named, all of them known in full. */
  judge(change: ProposedChange, facts: KnownFacts): Refusal | undefined;
}
