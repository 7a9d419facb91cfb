import type { Principal } from "../../access/principal.ts";
import type { AccessControl } from "../../access/service.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import type { Outbox } from "../../events/outbox.ts";
import type { IdentityService } from "../../identity/service.ts";
import type { Cache, CacheBudget } from "../../kernel/cache.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { TeamService } from "../../organizations/teams/service.ts";
import type { RepoSearch } from "../../repos/search/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { IssueService } from "../service.ts";
import type { SeenIssue } from "../types.ts";
import { fewCandidates, foundCandidates, posterIds } from "./candidates-store.ts";
import { around, type ItemViewer, isOf, itemViewer } from "./repositories-store.ts";
import * as store from "./store.ts";
import type { TextHits } from "./texts-store.ts";
import type { ItemFilter } from "./types.ts";

/** A filter matching at most this many items is evaluated by looking those up first. */
const FEW = 500;
/** How many of the newest matching texts are examined. */
const MAX_TEXTS = 1_000;
/** The same, if the other filters leave less than a page of those. */
const MAX_OLDER_TEXTS = 20_000;
/** Max items of a filtered list that are counted. */
const MAX_COUNTED = 10_000;
/** Searches running longer are aborted. */
const TEXT_TIMEOUT_MS = 3_000;

/** Events after which filters may match different items. */
const changingKinds = [
  "timeline.appended",
  "issue.created",
  "issue.edited",
  "issue.deleted",
  "issue.restored",
  "issues.imported",
  "comment.edited",
  "comment.deleted",
  "comment.restored",
  "label.deleted",
  "milestone.deleted",
  "account.blocked",
  "collaborator.removed",
  "organization.rights-lost",
] as const;

export interface ItemListNeeds {
  readonly access: AccessControl;
  readonly caches: CacheBudget;
  readonly clock: Clock;
  readonly db: Database;
  readonly identity: IdentityService;
  readonly issues: IssueService;
  readonly outbox: Outbox;
  readonly pool: WorkerPool;
  readonly repoSearch: RepoSearch;
  readonly teams: TeamService;
}

/** A condition contributed by another area. */
export interface Contribution {
  readonly condition: string;
  /** Alternative for queries that join `repositories` and their `owners` and have the viewer's access parameters. */
  readonly everywhere?: string;
  /** Whether the principal may learn what the condition reveals; `repoId` undefined: across all repositories. */
  mayAsk?(principal: Principal, value: number, repoId: number | undefined): boolean;
}

/** A page of a list, with the numbers of open and closed items that match its filter. */
export interface ItemPage {
  readonly items: SeenIssue[];
  readonly open: number;
  readonly closed: number;
}

interface AskedSlice extends Slice<number> {
  readonly query: store.ListQuery;
}

/** Lists of items with filters and orders, in one repository and across all (contract issues.md 3.1, 3.2, 19, 27). */
export class ItemLists {
  private readonly contributed = new Map<string, Contribution>();
  private readonly counted: Cache<string, number>;
  /** Ids of a repository's items that match words, as JSON; searches with different other filters share them. */
  private readonly found: Cache<string, TextHits>;
  /** Sorted ids that match a search's filters, shared by its pages. */
  private readonly sorted: Cache<string, readonly number[]>;
  /** Change counter per repository, part of the cache keys: older counts become unreachable. */
  private readonly versions = new Map<number, number>();

  constructor(private readonly needs: ItemListNeeds) {
    this.counted = needs.caches.cache(() => 8);
    this.found = needs.caches.cache(({ ids }) => ids.length);
    this.sorted = needs.caches.cache((ids) => ids.length * 8);
    for (const kind of changingKinds)
      needs.outbox.react(kind, ({ repoId }) => {
        if (repoId === undefined) {
          this.counted.clear();
          this.found.clear();
          this.sorted.clear();
        } else this.versions.set(repoId, this.versionOf(repoId) + 1);
      });
  }

  /**
   * Registers conditions; called by areas while they are wired.
   * @param condition SQL on `issues`, given the parameter's name
   */
  addFilter(name: string, condition: (parameter: string) => string, more: Omit<Contribution, "condition"> = {}): void {
    this.contributed.set(name, { condition: condition(`$${name}`), ...more });
  }

  /** Items of a repository, of the kinds that may be read. @throws NotFound neither may */
  async list(seen: SeenRepo, filter: ItemFilter, paging: Pick<Paging, "limit" | "offset">): Promise<Slice<SeenIssue>> {
    const scope = { repoId: seen.repo.id, ...this.needs.issues.requireReadable(seen) };
    const { items, total } = await this.asked(seen.principal, scope, filter, paging);
    return { items: this.needs.issues.inRepo(seen, items), total };
  }

  /** Items across everything the principal may read. */
  async search(
    principal: Principal,
    filter: ItemFilter,
    paging: Pick<Paging, "limit" | "offset">,
  ): Promise<Slice<SeenIssue>> {
    const { items, total } = await this.asked(principal, this.viewerOf(principal), filter, paging);
    return { items: this.needs.issues.seeEach(principal, items), total };
  }

  /** The same page with the numbers of open and closed items that match the filter, whichever state it shows. */
  async page(seen: SeenRepo, filter: ItemFilter, paging: Pick<Paging, "limit" | "offset">): Promise<ItemPage> {
    const scope = { repoId: seen.repo.id, ...this.needs.issues.requireReadable(seen) };
    const asked = await this.asked(seen.principal, scope, filter, paging);
    return { items: this.needs.issues.inRepo(seen, asked.items), ...this.countsOf(asked) };
  }

  /** The same across everything the principal may read. */
  async pageEverywhere(
    principal: Principal,
    filter: ItemFilter,
    paging: Pick<Paging, "limit" | "offset">,
  ): Promise<ItemPage> {
    const asked = await this.asked(principal, this.viewerOf(principal), filter, paging);
    return { items: this.needs.issues.seeEach(principal, asked.items), ...this.countsOf(asked) };
  }

  /** Numbers of items in a repository; kinds the principal may not read are left out. */
  counts(seen: SeenRepo): Partial<Record<"issues" | "pulls", store.ItemCounters>> {
    const { issues, pulls } = store.countersOf(this.needs.db, seen.repo.id);
    const reads = (isPull: boolean) => this.needs.issues.levelOn(seen, { isPull }) !== "none";
    return { ...(reads(false) ? { issues } : {}), ...(reads(true) ? { pulls } : {}) };
  }

  /**
   * Authors of items of a kind in the repository, by name.
   * @param start of the name; empty: any.
   * @throws NotFound not readable
   */
  posters(seen: SeenRepo, isPull: boolean, start: string, limit: number): User[] {
    if (this.needs.issues.levelOn(seen, { isPull }) === "none") throw new NotFound();
    const ids = posterIds(this.needs.db, { repoId: seen.repo.id, isPull }, start.toLowerCase(), limit);
    const people = this.needs.identity.byIds(ids);
    return ids.flatMap((id) => people.get(id) ?? []);
  }

  /** Which of these names belong to labels somewhere the principal may read items. */
  knownLabelNames(principal: Principal, names: readonly string[]): string[] {
    return store.visibleLabelNames(this.needs.db, names, this.viewerOf(principal));
  }

  /** The same for milestone titles, in lower case. */
  knownMilestoneTitles(principal: Principal, titles: readonly string[]): string[] {
    return store.visibleMilestoneTitles(this.needs.db, titles, this.viewerOf(principal));
  }

  private viewerOf(principal: Principal): ItemViewer {
    const { access } = this.needs;
    const mayRead = {
      issues: access.repoCondition({ unit: "issues" }),
      pulls: access.repoCondition({ unit: "pulls" }),
    };
    return itemViewer(mayRead, access.params(principal));
  }

  /** Ids of a page, the total, and the query used. */
  private async asked(
    principal: Principal,
    scope: store.ItemScope,
    filter: ItemFilter,
    paging: Pick<Paging, "limit" | "offset">,
  ): Promise<AskedSlice> {
    const query = await this.queryOf(principal, scope, filter, MAX_TEXTS);
    const slice = this.slice(query, paging);
    if (query.candidates?.cutAt === undefined || slice.items.length === paging.limit) return { ...slice, query };
    const deeper = await this.queryOf(principal, scope, filter, MAX_OLDER_TEXTS);
    return { ...this.slice(deeper, paging), query: deeper };
  }

  private async queryOf(
    principal: Principal,
    scope: store.ItemScope,
    filter: ItemFilter,
    maxTexts: number,
  ): Promise<store.ListQuery> {
    const params: Record<string, number | string> = {
      ...(filter.isOverdue !== undefined ? { now: this.needs.clock() } : {}),
    };
    const extra = (filter.contributed ?? []).flatMap(({ name, value, isNegated }) => {
      const found = this.contributed.get(name);
      const repoId = "repoId" in scope ? scope.repoId : undefined;
      // Conditions of a missing area, or that the principal may not ask about, match nothing.
      if (!found || found.mayAsk?.(principal, value, repoId) === false) return isNegated ? [] : ["0"];
      const condition = repoId === undefined ? (found.everywhere ?? found.condition) : found.condition;
      params[name] = value;
      return [isNegated ? `NOT (${condition})` : `(${condition})`];
    });
    if (filter.aroundId !== undefined) extra.push(isOf(this.around("$around")));
    if (filter.teamId !== undefined) {
      extra.push(this.needs.teams.repos.heldBy("$team"));
      params["team"] = filter.teamId;
    }
    const candidates = filter.words?.length
      ? await this.withWords(scope, filter, params, maxTexts)
      : this.few(scope, filter, FEW);
    return { scope, filter, extra, params, candidates };
  }

  private async withWords(
    scope: store.ItemScope,
    filter: ItemFilter,
    params: Record<string, number | string>,
    maxTexts: number,
  ): Promise<store.Candidates> {
    const { ids, texts } = await this.textHits(scope, filter.words ?? [], maxTexts);
    params["found"] = ids;
    if (filter.number !== undefined) params["number"] = filter.number;
    return { ...foundCandidates(scope, filter), ...(texts === maxTexts ? { cutAt: maxTexts } : {}) };
  }

  private async textHits(scope: store.ItemScope, words: readonly string[], maxTexts: number): Promise<TextHits> {
    const { db, pool } = this.needs;
    const find = (within: { readonly repoId: number } | ItemViewer) => {
      const input = { path: db.path, words, scope: within, maxTexts };
      return pool.run("issues.findTexts", input, { timeoutMs: TEXT_TIMEOUT_MS });
    };
    if (!("repoId" in scope)) return find(scope);
    const { repoId } = scope;
    const key = JSON.stringify([repoId, this.versionOf(repoId), words, maxTexts]);
    const cached = this.found.get(key);
    if (cached !== undefined) return cached;
    const found = await find({ repoId });
    this.found.set(key, found);
    return found;
  }

  private versionOf(repoId: number): number {
    return this.versions.get(repoId) ?? 0;
  }

  /** The filter that matches the fewest items, if it matches at most `max`. */
  private few(scope: store.ItemScope, filter: ItemFilter, max: number): store.Candidates | undefined {
    return fewCandidates(this.needs.db, scope, filter, (account) => this.around(account), max);
  }

  private around(account: string): string {
    return around(account, this.needs.repoSearch.sharedWith(account));
  }

  /** Ids of a page, and the total. */
  private slice(query: store.ListQuery, { limit, offset }: Pick<Paging, "limit" | "offset">): Slice<number> {
    const ids = this.sortedIds(query);
    return ids
      ? { items: ids.slice(offset, offset + limit), total: ids.length }
      : { items: store.listItems(this.needs.db, query, { limit, offset }), total: this.total(query) };
  }

  /** All ids of a word search; undefined for lists without words, which may be long. */
  private sortedIds(query: store.ListQuery): readonly number[] | undefined {
    if (!query.filter.words?.length) return undefined;
    const all = { limit: MAX_COUNTED, offset: 0 };
    return this.remembered(this.sorted, query, () => store.listItems(this.needs.db, query, all));
  }

  /** How many open and closed items match the filter. */
  private countsOf({ query, total }: AskedSlice): store.ItemCounters {
    const { filter } = query;
    const counted = this.counters(query);
    if (counted) return counted;
    const of = (state: "open" | "closed") =>
      state === filter.state ? total : this.total({ ...query, filter: { ...filter, state } });
    return { open: of("open"), closed: of("closed") };
  }

  private total(query: store.ListQuery): number {
    const { state } = query.filter;
    const counted = this.counters(query);
    if (counted) return (state === "closed" ? 0 : counted.open) + (state === "open" ? 0 : counted.closed);
    return this.sortedIds(query)?.length ?? this.remembered(this.counted, query, () => this.count(query));
  }

  /** Counts from the stored counters, if only kind and state filter the list. */
  private counters({ filter, scope }: store.ListQuery): store.ItemCounters | undefined {
    if (!isUnfiltered(filter)) return undefined;
    const { db } = this.needs;
    const ofKind =
      "repoId" in scope ? countersIn(db, scope) : (isPull: boolean) => store.countersEverywhere(db, scope, isPull);
    const sum = { open: 0, closed: 0 };
    for (const isPull of [false, true]) {
      if (filter.isPull === !isPull) continue;
      const { closed, open } = ofKind(isPull);
      sum.open += open;
      sum.closed += closed;
    }
    return sum;
  }

  /** Caches a query's result in a repository until something happens there. */
  private remembered<T>(cache: Cache<string, T>, query: store.ListQuery, find: () => T): T {
    const { candidates, extra, filter, scope } = query;
    if (!("repoId" in scope) || filter.isOverdue !== undefined) return find();
    // Which conditions apply depends on what other areas let the principal ask.
    const key = JSON.stringify([this.versionOf(scope.repoId), scope, filter, extra, candidates?.cutAt]);
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const found = find();
    cache.set(key, found);
    return found;
  }

  private count(query: store.ListQuery): number {
    const candidates = query.candidates ?? this.few(query.scope, query.filter, Number.POSITIVE_INFINITY);
    return store.countItems(this.needs.db, { ...query, candidates }, MAX_COUNTED);
  }
}

/** Whether the list is filtered by kind and state only. */
function isUnfiltered({ order: _order, scope: _scope, state: _state, isPull: _isPull, ...rest }: ItemFilter): boolean {
  return Object.values(rest).every((value) => value === undefined);
}

/** A repository's counters for the kinds that may be read there. */
function countersIn(db: Database, scope: Extract<store.ItemScope, { readonly repoId: number }>) {
  const { issues, pulls } = store.countersOf(db, scope.repoId);
  const unread = { open: 0, closed: 0 };
  return (isPull: boolean): store.ItemCounters =>
    isPull ? (scope.pulls ? pulls : unread) : scope.issues ? issues : unread;
}
