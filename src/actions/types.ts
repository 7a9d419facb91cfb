import type { Principal } from "../access/principal.ts";
import type { AuditedAccount } from "../audit/service.ts";

/**
 * Whose settings of Actions: a repository's, an account's (for all that it owns), or, with neither number, the site's.
 * Who is given one may manage what is in it.
 */
export interface ActionsHome {
  readonly principal: Principal;
  readonly repoId: number | undefined;
  readonly ownerId: number | undefined;
  /** In whose record of security events changes are. */
  readonly account: AuditedAccount;
  /** What the record calls it: `ada/tools`, `ada`; empty: the site. */
  readonly place: string;
}

/** A repository's. */
export type RepoHome = ActionsHome & { readonly repoId: number };

/** What is in a home, as its rows name it. */
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

/** What may be shown of a secret. */
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
  /** Its last call, and its last one about a task; undefined: none. */
  readonly lastOnlineAt: number | undefined;
  readonly lastActiveAt: number | undefined;
}
