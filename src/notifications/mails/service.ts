import { asAccount, operator } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { IdentityService } from "../../identity/service.ts";
import { issuePage } from "../../issues/addresses.ts";
import type { IssueService } from "../../issues/service.ts";
import type { Timeline } from "../../issues/timeline/service.ts";
import type { SeenIssue } from "../../issues/types.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Links } from "../../kernel/links.ts";
import { unlinked } from "../../mail/content.ts";
import type { ComposedMail, MailParams, MailService } from "../../mail/service.ts";
import { repoPage } from "../../repos/addresses.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Occasion } from "../occasions.ts";
import type { NotificationReason, Receiver } from "../types.ts";
import { filterHeaders, messageIdOf, threadId } from "./headers.ts";
import type { MailPreferences } from "./preferences.ts";
import * as store from "./store.ts";
import type { MailTexts } from "./texts.ts";
import { type ItemMailWords, type MailedHappening, mailedHappenings } from "./types.ts";

export interface ItemMailParts {
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly issues: IssueService;
  readonly links: Links;
  readonly mail: MailService;
  readonly preferences: MailPreferences;
  readonly repos: RepoService;
  readonly texts: MailTexts;
  readonly timeline: Timeline;
  readonly words: ItemMailWords;
}

const KIND = "notifications.item";
/** Maximum length of the quoted text. */
const MAX_TEXT = 20_000;

/**
 * Mails about events of issues and pull requests (contract issues.md 25): one per person, limited to what they may
 * read when it is sent.
 */
export class ItemMails {
  constructor(private readonly parts: ItemMailParts) {
    parts.mail.compose(KIND, (params) => this.compose(params));
  }

  /**
   * Mails someone about an occasion, according to their preferences and at most once. Joins the running transaction.
   * @param isDoer whether they did it themselves
   */
  offer(occasion: Occasion, { reason, userId }: Receiver, isDoer: boolean): void {
    const { clock, db, links, mail, preferences } = this.parts;
    const { at, doerId, entryId, issueId, mail: own, repoId, what } = occasion;
    if (!mail.isConfigured || !(what || own) || !wants(preferences.of(userId), reason, isDoer)) return;
    const once = (kind: string, params: MailParams, messageId: string) => {
      if (store.noteTold(db, userId, messageId, clock()))
        mail.enqueue(kind, { ...params, user: userId, reason }, { messageId });
    };
    if (own) once(own.kind, own.params, own.messageId);
    if (own || !what) return;
    const [seen] = this.parts.repos.seeEach(operator, [repoId]);
    const [item] = issueId === null ? [] : this.parts.issues.seeEach(operator, [issueId]);
    if (!seen || (issueId !== null && !item)) return;
    const domain = new URL(links.rootUrl).hostname;
    const messageId = item
      ? messageIdOf(item, { what, entryId: entryId ?? null, at }, domain)
      : `<${pathOf(seen)}/${what}/${at}@${domain}>`;
    once(KIND, { repo: repoId, issue: issueId ?? 0, entry: entryId ?? 0, doer: doerId ?? 0, what }, messageId);
  }

  /** @returns how many */
  prune(before: number, limit: number): number {
    return store.forgetToldBefore(this.parts.db, before, limit);
  }

  /** The mail with the current content; undefined if it is obsolete, or the receiver may no longer read it. */
  private async compose(params: MailParams): Promise<ComposedMail | undefined> {
    const { identity, issues, links, repos } = this.parts;
    const user = identity.byId(Number(params["user"]));
    const what = mailedHappenings.find((each) => each === params["what"]);
    if (user?.kind !== "individual" || !user.isActive || user.prohibitLogin || !what) return undefined;
    const reason = String(params["reason"]) as NotificationReason;
    const doer = identity.byId(Number(params["doer"]));
    if (params["issue"] === 0) {
      const [seen] = repos.seeEach(asAccount(user), [Number(params["repo"])]);
      return seen ? this.aboutRepo({ doer, reason, seen, user, what }) : undefined;
    }
    const [item] = issues.seeEach(asAccount(user), [Number(params["issue"])]);
    if (!item) return undefined;
    const entryId = Number(params["entry"]);
    const text = await this.textOf(item, what, entryId);
    if (text === undefined) return undefined;
    const page = issuePage(item, links);
    const repoUrl = repoPage(item.seen, links);
    const { issue, seen } = item;
    const content = await this.parts.words({
      what,
      reason,
      language: user.language,
      doer: nameOf(doer),
      repo: pathOf(seen),
      item: { title: issue.title, number: issue.number, isPull: issue.isPull },
      text: text === "" ? undefined : { source: text, html: await this.parts.texts.html(item.seen, text) },
      href: entryId === 0 ? page : `${page}#issuecomment-${entryId}`,
      settings: `${links.rootUrl}user/settings/notifications`,
    });
    const domain = new URL(links.rootUrl).hostname;
    const to = { login: user.login, email: user.email };
    return {
      to: user.email,
      content,
      fromName: nameOf(doer),
      ...(what === "new" ? {} : { references: [threadId(item, domain)] }),
      list: { name: pathOf(seen), id: `${seen.repo.name}.${seen.owner.login}.${domain}` },
      unsubscribe: page,
      headers: filterHeaders(item, { reason, doer: doer?.login ?? "", to, repoUrl, itemUrl: page }),
    };
  }

  private async aboutRepo(about: {
    readonly doer: User | undefined;
    readonly reason: NotificationReason;
    readonly seen: SeenRepo;
    readonly user: User;
    readonly what: MailedHappening;
  }): Promise<ComposedMail> {
    const { doer, reason, seen, user, what } = about;
    const href = repoPage(seen, this.parts.links);
    const doerName = nameOf(doer);
    const content = await this.parts.words({
      what,
      reason,
      language: user.language,
      doer: doerName,
      repo: pathOf(seen),
      item: undefined,
      text: undefined,
      href,
      settings: "",
    });
    return { to: user.email, content, fromName: doerName };
  }

  /** The text of the event; empty: none. Undefined: it was deleted. */
  private async textOf({ issue }: SeenIssue, what: MailedHappening, entryId: number): Promise<string | undefined> {
    if (entryId === 0) return what === "new" ? issue.body.slice(0, MAX_TEXT) : "";
    return this.parts.timeline.byIds([entryId]).get(entryId)?.body.slice(0, MAX_TEXT);
  }
}

/** Prevents mail programs from turning chosen names into links. */
const nameOf = (user: User | undefined) => (user ? unlinked(user.fullName || user.login) : "");
const pathOf = ({ owner, repo }: SeenRepo) => `${owner.login}/${repo.name}`;

function wants(preference: ReturnType<MailPreferences["of"]>, reason: NotificationReason, isDoer: boolean): boolean {
  if (isDoer) return preference === "andyourown";
  if (preference === "onmention") return reason === "mentioned";
  return preference !== "disabled";
}
