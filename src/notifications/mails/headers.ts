import type { SeenIssue } from "../../issues/types.ts";
import type { NotificationReason } from "../types.ts";
import type { MailedHappening } from "./types.ts";

/** Headers of mails about items (contract issues.md 25.2), for threading and filtering. */

/** The event of a mail, as far as its message id contains it. */
export interface Happening {
  readonly what: MailedHappening;
  readonly entryId: number | null;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** @param domain of this site */
export function threadId({ issue, seen }: SeenIssue, domain: string): string {
  const kind = issue.isPull ? "pulls" : "issues";
  return `<${seen.owner.login}/${seen.repo.name}/${kind}/${issue.number}@${domain}>`;
}

/** The same for everyone notified of the same event, and for every attempt. */
export function messageIdOf(item: SeenIssue, { at, entryId, what }: Happening, domain: string): string {
  const thread = threadId(item, domain);
  if (what === "new") return thread;
  const place = entryId === null ? `${what}/${at}` : `comment/${entryId}`;
  return thread.replace("@", `/${place}@`);
}

export interface Recipient {
  readonly login: string;
  readonly email: string;
}

/** The site's own headers, also under the names that filters for other forges know. */
export function filterHeaders(
  { issue, seen }: SeenIssue,
  about: {
    readonly reason: NotificationReason;
    readonly doer: string;
    readonly to: Recipient;
    readonly repoUrl: string;
    readonly itemUrl: string;
  },
): Record<string, string> {
  const { doer, itemUrl, reason, repoUrl, to } = about;
  const path = `${seen.owner.login}/${seen.repo.name}`;
  const people = { Reason: reason, Sender: doer, Recipient: to.login, "Recipient-Address": to.email };
  return {
    "List-Archive": `<${repoUrl}>`,
    ...prefixed("X-Gitea-", {
      ...people,
      Repository: seen.repo.name,
      "Repository-Path": path,
      "Repository-Link": repoUrl,
      "Issue-ID": String(issue.number),
      "Issue-Link": itemUrl,
    }),
    ...prefixed("X-GitHub-", people),
    ...prefixed("X-GitLab-", {
      NotificationReason: reason,
      Project: seen.repo.name,
      "Project-Path": path,
      [issue.isPull ? "MergeRequest-IID" : "Issue-IID"]: String(issue.number),
    }),
  };
}

function prefixed(prefix: string, headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [prefix + name, value]));
}
