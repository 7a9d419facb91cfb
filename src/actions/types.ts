import type { Principal } from "../access/principal.ts";
import type { AuditedAccount } from "../audit/service.ts";

/**
 * Whose Actions settings these are: a repository's, an account's (for all it owns), or, with neither ID, the site's.
 * Code that holds one may manage what is in it.
 */
export interface ActionsHome {
  readonly principal: Principal;
  readonly repoId: number | undefined;
  readonly ownerId: number | undefined;
  /** The account in whose audit log changes are recorded. */
  readonly account: AuditedAccount;
  /** The home's name in the audit log: `ada/tools`, `ada`; empty for the site. */
  readonly place: string;
}

/** The home of a repository. */
export type RepoHome = ActionsHome & { readonly repoId: number };

/** Identifies a home in rows. */
export type HomeKey = Pick<ActionsHome, "repoId" | "ownerId">;

export interface Variable {
  readonly id: number;
  readonly repoId: number | undefined;
  readonly ownerId: number | undefined;
  /** In upper case. */
  readonly name: string;
  readonly value: string;
  readonly description: string;
}

/** The public part of a secret. */
export interface ActionsSecret {
  readonly id: number;
  /** In upper case. */
  readonly name: string;
  readonly description: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A program that runs jobs. */
export interface Runner extends HomeKey {
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly version: string;
  readonly labels: readonly string[];
  readonly isEphemeral: boolean;
  readonly isDisabled: boolean;
  /** Its last call, and its last call about a task; undefined if none. */
  readonly lastOnlineAt: number | undefined;
  readonly lastActiveAt: number | undefined;
}
