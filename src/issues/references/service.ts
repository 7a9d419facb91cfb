import { asAccount, operator, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { Clock } from "../../kernel/clock.ts";
import { mayRefer } from "../../references/grammar.ts";
import type { TextReferences } from "../../references/reader.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import { contextOf, eventOf } from "../context.ts";
import type { IssueService } from "../service.ts";
import type { ItemStates } from "../state.ts";
import type { Timeline } from "../timeline/service.ts";
import type { RefAction, TimelineEntry } from "../timeline/types.ts";
import type { Issue, SeenIssue } from "../types.ts";
import type { Mentioned } from "./mentions.ts";
import * as store from "./store.ts";
import type { ReferenceTargets } from "./targets.ts";

declare module "../../jobs/types.ts" {
  interface JobPayloads {
    /** Finds the references in a long text. */
    "issues.read-text": ReadText;
  }
}

declare module "../../events/types.ts" {
  interface EventPayloads {
    /** New text mentions people; without an entry it is the item's text. */
    "issue.mentioned": { issueId: number; number: number; isPull: boolean; entryId: number | null; userIds: number[] };
  }
}

interface ReadText {
  readonly issueId: number;
  readonly entryId: number | null;
  readonly contentVersion: number;
  /** Who wrote or changed it. */
  readonly userId: number;
  readonly isNew: boolean;
}

/** An item's title and text, or a comment's text. */
export interface Text {
  readonly item: SeenIssue;
  readonly entry: TimelineEntry | undefined;
  readonly isNew: boolean;
}

export interface ReferenceNeeds {
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly identity: IdentityService;
  readonly issues: IssueService;
  readonly itemStates: ItemStates;
  readonly jobs: JobQueue;
  readonly mentioned: Mentioned;
  readonly pool: WorkerPool;
  readonly targets: ReferenceTargets;
  readonly timeline: Timeline;
  /** With a trailing slash. */
  readonly rootUrl: string;
}

/** Texts up to this size are parsed right away; the worst take ten milliseconds. */
const SHORT = 4 * 1024;
const TIMEOUT_MS = 10_000;

type Reader = typeof import("../../references/reader.ts");

/** References in items' texts, recorded in the timelines of the referenced items (contract issues.md 18.3, 18.5). */
export class ItemReferences {
  private reader: Reader | undefined;

  constructor(private readonly needs: ReferenceNeeds) {
    needs.jobs.handle("issues.read-text", {
      parse: (payload) => payload as ReadText,
      run: (payload) => this.readLater(payload),
      timeLimitMs: 60_000,
      maxTries: 3,
    });
  }

  /** Provides the parser, which is not loaded at start. Until it is set, a job parses all texts. */
  readWith(reader: Reader): void {
    this.reader = reader;
  }

  /**
   * Records a text's references, and neuters those it no longer contains. Long texts are parsed shortly after, by a
   * job. Joins the running transaction.
   */
  written(text: Text): void {
    const { jobs } = this.needs;
    const source = textOf(text);
    const { user } = text.item.seen.principal;
    if (!user) return;
    if (!mayRefer(source) && (text.isNew || !this.hasReferences(text))) return;
    if (source.length <= SHORT && this.reader) this.apply(text, this.read(this.reader, text), text.item.seen.principal);
    else
      jobs.enqueue("issues.read-text", {
        issueId: text.item.issue.id,
        entryId: text.entry?.id ?? null,
        contentVersion: versionOf(text),
        userId: user.id,
        isNew: text.isNew,
      });
  }

  /** For an item's title and text. Joins the running transaction. @param before undefined: it is new */
  itemWritten(item: SeenIssue, before: Issue | undefined): void {
    this.written({ item, entry: undefined, isNew: before === undefined });
  }

  /** Neuters the references of a comment being deleted. Joins the running transaction. */
  commentRemoved({ id }: TimelineEntry): void {
    store.neuterReferencesOf(this.needs.db, id, this.needs.clock());
  }

  /**
   * Applies a merged pull request's keywords: issues it closes are closed, those it reopens are reopened. Issues that
   * depend on something open stay open. Whether a keyword counts was decided when it was written. Joins the running
   * transaction.
   * @param commitId the base's tip after the merge
   */
  merged({ issue, seen }: SeenIssue, commitId: string): void {
    const { db, issues, itemStates } = this.needs;
    const actions = store.actionsOfMerge(db, issue.id);
    const items = new Map(
      issues
        .seeEach(
          operator,
          actions.map(({ issueId }) => issueId),
        )
        .map((item) => [item.issue.id, item]),
    );
    for (const { action, issueId } of actions) {
      const item = items.get(issueId);
      if (!item || item.issue.isPull || item.seen.repo.isArchived) continue;
      const target = { ...item, seen: { ...item.seen, principal: seen.principal } };
      if (action === "closes" && itemStates.isBlocked(target)) continue;
      itemStates.set(target, action === "closes", { commitId });
    }
  }

  /** The issues that merging a pull request closes, as far as the principal can see them. */
  closedBy(principal: Principal, issueId: number): SeenIssue[] {
    const { db, issues } = this.needs;
    const closed = store.actionsOfMerge(db, issueId).filter(({ action }) => action === "closes");
    const ids = closed.map((each) => each.issueId);
    return issues.seeEach(principal, ids).filter(({ issue }) => !issue.isPull);
  }

  private read(reader: Reader, text: Text): TextReferences {
    const { rootUrl } = this.needs;
    if (text.entry) return reader.readMarkdown(text.entry.body, rootUrl);
    const { body, title } = text.item.issue;
    return reader.together(reader.readPlain(title, rootUrl), reader.readMarkdown(body, rootUrl));
  }

  private async readLater(payload: ReadText): Promise<void> {
    const { db, pool, rootUrl } = this.needs;
    const reader = await import("../../references/reader.ts");
    const text = this.find(payload);
    if (!text) return;
    const source = text.entry?.body ?? text.item.issue.body;
    const inBody = await pool.run(
      "references.read",
      { source, rootUrl },
      { lane: "maintenance", timeoutMs: TIMEOUT_MS },
    );
    const found = text.entry ? inBody : reader.together(reader.readPlain(text.item.issue.title, rootUrl), inBody);
    db.transaction(() => {
      // If it was changed meanwhile, that change has enqueued another job.
      const present = this.find(payload);
      if (present) this.apply(present, found, present.item.seen.principal);
    });
  }

  /** The text as it is now; undefined if it was deleted or changed. */
  private find({ contentVersion, entryId, isNew, issueId, userId }: ReadText): Text | undefined {
    const { identity, issues, timeline } = this.needs;
    const user = identity.byId(userId);
    const [item] = user ? issues.seeEach(asAccount(user), [issueId]) : [];
    const entry = entryId === null ? undefined : timeline.byIds([entryId]).get(entryId);
    if (!item || (entryId !== null && !entry)) return undefined;
    const text = { item, entry, isNew };
    return versionOf(text) === contentVersion ? text : undefined;
  }

  private hasReferences({ item, entry }: Text): boolean {
    return store.referencesOf(this.needs.db, { issueId: item.issue.id, entryId: entry?.id }).length > 0;
  }

  private apply(text: Text, found: TextReferences, author: Principal): void {
    this.applyItems(text, found, author);
    this.applyMentions(text, found, author);
  }

  private applyItems(text: Text, { items }: TextReferences, author: Principal): void {
    const { clock, db, targets, timeline } = this.needs;
    const { item, entry } = text;
    const known = store.referencesOf(db, { issueId: item.issue.id, entryId: entry?.id });
    const stored = new Map(known.map((each) => [each.issueId, each]));
    const present = new Set<number>();
    const references = items.map(({ reference }) => reference);
    for (const [at, target] of targets.find(author, item.seen, references).entries()) {
      if (!target || target.issue.id === item.issue.id || present.has(target.issue.id)) continue;
      if (targets.isBlockedFrom(target)) continue;
      present.add(target.issue.id);
      const action = this.actionOn(text, target, items[at]?.action ?? "none");
      const before = stored.get(target.issue.id);
      if (!before)
        timeline.append(target, {
          kind: entry ? "comment_ref" : item.issue.isPull ? "pull_ref" : "issue_ref",
          otherIssueId: item.issue.id,
          ...(entry ? { otherEntryId: entry.id } : {}),
          refAction: action,
        });
      else if (before.action !== action) store.setAction(db, before.id, action, clock());
    }
    for (const { action, id, issueId } of known)
      if (!present.has(issueId) && action !== "neutered") store.setAction(db, id, "neutered", clock());
  }

  /** Keywords of pull requests act on issues when they are merged; elsewhere they have no effect. */
  private actionOn({ item, entry }: Text, target: SeenIssue, action: RefAction): RefAction {
    const { issue } = item;
    if (!issue.isPull || target.issue.isPull || action === "none") return "none";
    const isOwnText = !entry && issue.repoId === target.issue.repoId;
    return isOwnText || this.needs.targets.mayAct(target) ? action : "none";
  }

  private applyMentions({ item, entry, isNew }: Text, { mentions }: TextReferences, { user: author }: Principal): void {
    const { db, mentioned, outbox } = this.needs;
    if (!author || mentions.length === 0) return;
    const people = mentioned.of(item, author, mentions);
    for (const { id } of people) store.addMention(db, item.issue.id, id);
    if (!isNew || people.length === 0) return;
    const userIds = people.map(({ id }) => id);
    const payload = { ...eventOf(item.issue), entryId: entry?.id ?? null, userIds };
    outbox.append("issue.mentioned", contextOf(item.seen, item.issue), payload);
  }
}

const textOf = ({ item, entry }: Text) => entry?.body ?? `${item.issue.title}\n${item.issue.body}`;
const versionOf = ({ item, entry }: Text) => entry?.contentVersion ?? item.issue.contentVersion;
