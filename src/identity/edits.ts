import type { Visibility } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import { administersSite } from "../access/requirements.ts";
import type { User } from "../access/user.ts";
import type { AuditAction } from "../audit/actions.ts";
import { BadRequest, Forbidden, ValidationFailed } from "../kernel/errors.ts";
import { checkEmail, checkPassword } from "./values.ts";

/** What accounts change about themselves. Absent fields stay as they are. */
export interface EditOwnAccount {
  readonly login?: string | undefined;
  readonly fullName?: string | undefined;
  readonly website?: string | undefined;
  readonly location?: string | undefined;
  readonly description?: string | undefined;
  readonly pronouns?: string | undefined;
  readonly visibility?: Visibility | undefined;
  readonly language?: string | undefined;
  readonly theme?: string | undefined;
  readonly diffViewStyle?: string | undefined;
  readonly hideEmail?: boolean | undefined;
  readonly hideActivity?: boolean | undefined;
}

/** What only site administrators change, on any account. */
export interface EditByAdmin {
  /** In plain text. */
  readonly password?: string | undefined;
  /** A new primary address, proven on the administrator's authority. */
  readonly email?: string | undefined;
  readonly loginName?: string | undefined;
  /** The sign-in source that checks the password from then on; the local password is removed. */
  readonly sourceId?: number | undefined;
  readonly mustChangePassword?: boolean | undefined;
  readonly isActive?: boolean | undefined;
  readonly isAdmin?: boolean | undefined;
  readonly isRestricted?: boolean | undefined;
  readonly prohibitLogin?: boolean | undefined;
  readonly allowGitHook?: boolean | undefined;
  readonly allowImportLocal?: boolean | undefined;
  readonly allowCreateOrganization?: boolean | undefined;
  readonly maxRepoCreation?: number | undefined;
}

export type EditUser = EditOwnAccount & EditByAdmin;

/** The fields that make an edit an administrative one. */
export const ADMIN_FIELDS: ReadonlySet<string> = new Set<keyof EditByAdmin>([
  "password",
  "email",
  "loginName",
  "sourceId",
  "mustChangePassword",
  "isActive",
  "isAdmin",
  "isRestricted",
  "prohibitLogin",
  "allowGitHook",
  "allowImportLocal",
  "allowCreateOrganization",
  "maxRepoCreation",
]);

/** The audited actions that an edit amounts to. */
export function auditedChanges(before: User, edit: EditByAdmin): AuditAction[] {
  const changes = (now: boolean | undefined, then: boolean) => now !== undefined && now !== then;
  const { isActive, isAdmin, prohibitLogin, mustChangePassword } = edit;
  const happened: [AuditAction, boolean][] = [
    ["password-changed", edit.password !== undefined],
    ["password-due", changes(mustChangePassword, before.mustChangePassword) && mustChangePassword === true],
    [isActive ? "account-activated" : "account-deactivated", changes(isActive, before.isActive)],
    [isAdmin ? "admin-granted" : "admin-revoked", changes(isAdmin, before.isAdmin)],
    [prohibitLogin ? "sign-in-prohibited" : "sign-in-permitted", changes(prohibitLogin, before.prohibitLogin)],
  ];
  return happened.filter(([, did]) => did).map(([action]) => action);
}

/**
 * A password set by an administrator is refused with a message of its own (contract identity.md 15.1). @throws
 * BadRequest
 */
export function checkGivenPassword(user: User, password: string, min: number): void {
  const facts = { field: "password", params: { min } };
  if (user.kind !== "individual") throw new BadRequest("account.no-password-for-kind", facts);
  if (user.sourceId !== 0) throw new BadRequest("account.password-elsewhere", facts);
  if (password.length < min) throw new BadRequest("account.password-short", facts);
  checkPassword(password, min);
}

/** An account from a source keeps the name given there, unless an administrator decides otherwise. @throws Forbidden */
export function requireOwnName(principal: Principal, user: User): void {
  if (user.sourceId !== 0 && !administersSite(principal)) throw new Forbidden("account.name-elsewhere");
}

/** An address set by an administrator is refused as a bad request (contract identity.md 15.1). @throws BadRequest */
export function checkGivenEmail(email: string): void {
  try {
    checkEmail(email);
  } catch (error) {
    throw error instanceof ValidationFailed ? new BadRequest(error.code, error) : error;
  }
}
