import { readsSecurityLog } from "../../src/admin/access.ts";
import type { AuditDetails, AuditEntry } from "../../src/audit/actions.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { ownAccount } from "../../src/identity/access.ts";
import type { WebServices } from "../area.ts";
import { languageOfCall, wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { shellOf, show } from "../visit.ts";
import { AdminLogPage, type LogEntry, OwnLogPage } from "./log.tsx";
import { auditWords } from "./words/index.ts";

const PER_PAGE = 50;
const OWN = "/user/settings/security/log";
const ALL = "/-/admin/security-log";
const FAILURES = new Set(["sign-in-failed", "remember-theft", "passkey-cloned", "ssh-key-refused"]);
/** Placeholder details, for the names of event kinds. */
const ANY = { name: "…", email: "…", from: "…", to: "…", repo: "…", team: "…", level: "…", fingerprint: "…" };
const METHODS = ["password", "passcode", "recovery-code", "passkey", "key", "remembered"] as const;

/** The log of security events, of the user's account and of all. */
export function auditPages(services: WebServices): Route[] {
  return [
    { method: "GET", surface: "page", access: ownAccount, path: OWN, handle: (call) => ownLog(services, call) },
    { method: "GET", surface: "page", access: readsSecurityLog, path: ALL, handle: (call) => adminLog(services, call) },
  ];
}

function ownLog(services: WebServices, call: Call): Response {
  const page = pageOf(call, PER_PAGE);
  const { items, total } = services.audit.ofOwnAccount(call.principal, page);
  const pages = { page: page.page, perPage: PER_PAGE, total, href: withQuery(OWN, {}) };
  const entries = items.map((entry) => shown(services, call, entry));
  return show(call, <OwnLogPage shell={shellOf(services, call)} entries={entries} pages={pages} />);
}

function adminLog(services: WebServices, call: Call): Response {
  const { audit, identity } = services;
  const account = (call.query.get("account") ?? "").trim().slice(0, 254);
  const action = (call.query.get("action") ?? "").slice(0, 100);
  const page = pageOf(call, PER_PAGE);
  const id = account === "" ? undefined : identity.byLogin(account)?.id;
  const ofAccount = account === "" ? {} : id === undefined ? { accountName: account } : { accountId: id };
  const { items, total } = audit.list(
    call.principal,
    { ...ofAccount, action: action === "" ? undefined : action },
    page,
  );
  const href = withQuery(ALL, { account: account || undefined, action: action || undefined });
  const actions = audit
    .actions(call.principal)
    .map((value) => ({ value, label: actionText(call, value, ANY) }))
    .sort((a, b) => a.label.localeCompare(b.label));
  const view = (
    <AdminLogPage
      shell={shellOf(services, call)}
      entries={items.map((entry) => shown(services, call, entry))}
      pages={{ page: page.page, perPage: PER_PAGE, total, href }}
      account={account}
      action={action}
      actions={actions}
    />
  );
  return show(call, view);
}

function shown({ config }: WebServices, call: Call, entry: AuditEntry): LogEntry {
  const t = wordsFor(call, auditWords);
  const method = METHODS.find((name) => name === entry.details["method"]);
  // Events without an account belong to the site.
  const details = entry.details["place"] === "" ? { ...entry.details, place: config.name } : entry.details;
  const isOwn = entry.actor === "" || entry.actorId === entry.accountId;
  return {
    text: actionText(call, entry.action, details),
    isFailure: FAILURES.has(entry.action),
    account: entry.account || config.name,
    address: entry.address,
    at: entry.at,
    ...(method ? { method: t(`method-${method}`) } : {}),
    ...(isOwn ? {} : { actor: entry.actor }),
  };
}

/** An action unknown to the catalogue is shown as is: a later version may have recorded it. */
function actionText(call: Call, action: string, details: AuditDetails): string {
  return auditWords.find(languageOfCall(call), `audit-${action}`, details) ?? action;
}
