/**
 * The actions of the security audit log, with their details besides who, whom, when and from where. An area adds its
 * own by declaration merging, and their words to those of web/audit. Details are names and numbers, never a secret.
 */
export interface AuditActions {
  "sign-in": {
    readonly method: "password" | "passcode" | "recovery-code" | "passkey" | "remembered" | "source" | "proxy";
  };
  "sign-in-failed": { readonly method: "password" | "passcode" | "recovery-code" | "passkey" | "key" };
  "remember-theft": Record<string, never>;
  "sign-out": Record<string, never>;
  "sessions-ended": Record<string, never>;
  "password-changed": Record<string, never>;
  "password-recovered": Record<string, never>;
  "password-due": Record<string, never>;
  "email-added": { readonly email: string };
  "email-removed": { readonly email: string };
  "email-primary": { readonly email: string; readonly before: string };
  "email-confirmed": { readonly email: string };
  "token-created": { readonly name: string };
  "token-deleted": { readonly name: string };
  "account-created": Record<string, never>;
  "account-renamed": { readonly from: string; readonly to: string };
  "account-deleted": Record<string, never>;
  "account-activated": Record<string, never>;
  "account-deactivated": Record<string, never>;
  "sign-in-prohibited": Record<string, never>;
  "sign-in-permitted": Record<string, never>;
  "admin-granted": Record<string, never>;
  "admin-revoked": Record<string, never>;
  "passcodes-enabled": Record<string, never>;
  "passcodes-disabled": Record<string, never>;
  "recovery-codes-made": Record<string, never>;
  "passkey-added": { readonly name: string };
  "passkey-removed": { readonly name: string };
  "passkey-cloned": { readonly name: string };
  "two-factor-removed": Record<string, never>;
  "token-regenerated": { readonly name: string };
  "key-added": { readonly name: string; readonly sort: string };
  "key-removed": { readonly name: string; readonly sort: string };
  "key-verified": { readonly name: string; readonly sort: string };
  "deploy-key-added": { readonly name: string; readonly repo: string };
  "deploy-key-removed": { readonly name: string; readonly repo: string };
  "application-added": { readonly name: string };
  "application-edited": { readonly name: string };
  "application-secret-renewed": { readonly name: string };
  "application-removed": { readonly name: string };
  "application-authorized": { readonly name: string };
  "application-revoked": { readonly name: string };
  "organization-member-removed": { readonly name: string };
  "team-created": { readonly team: string };
  "team-edited": { readonly team: string };
  "team-deleted": { readonly team: string };
  "team-member-added": { readonly team: string; readonly name: string };
  "team-member-removed": { readonly team: string; readonly name: string };
  "team-repository-added": { readonly team: string; readonly repo: string };
  "team-repository-removed": { readonly team: string; readonly repo: string };
  "collaborator-added": { readonly repo: string; readonly name: string; readonly level: string };
  "collaborator-removed": { readonly repo: string; readonly name: string };
  "repository-deleted": { readonly repo: string };
  "repository-hidden": { readonly repo: string };
  "repository-transferred": { readonly from: string; readonly to: string };
  "transfer-started": { readonly repo: string; readonly name: string };
  "transfer-ended": { readonly repo: string; readonly name: string };
  "branch-protection-changed": { readonly repo: string; readonly name: string };
  "tag-protection-changed": { readonly repo: string; readonly name: string };
  "schedule-run": { readonly name: string };
  sudo: { readonly name: string };
}

export type AuditAction = keyof AuditActions;

export type AuditDetails = Readonly<Record<string, string | number>>;

/** One recorded action. */
export interface AuditEntry {
  readonly id: number;
  readonly at: number;
  /** May be unknown here: from a later version or another area. */
  readonly action: string;
  /** The account concerned; its id is undefined for a name no account has. */
  readonly accountId: number | undefined;
  readonly account: string;
  /** The actor; undefined for a visitor. */
  readonly actorId: number | undefined;
  readonly actor: string;
  readonly via: string;
  readonly address: string;
  readonly details: AuditDetails;
}
