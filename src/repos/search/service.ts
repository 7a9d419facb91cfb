import type { Principal } from "../../access/principal.ts";
import type { AccessControl } from "../../access/service.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import { among, type IdList, membersFirst, weightOf } from "../../db/id-lists.ts";
import { UntilWritten } from "../../db/until-written.ts";
import type { CacheBudget } from "../../kernel/cache.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RepoService } from "../service.ts";
import type { Repo, SeenRepo } from "../types.ts";
import { KeptInStep } from "./kept.ts";
import {
  idsOf,
  type ListQuery,
  listsVersion,
  type MainLanguages,
  mainLanguages,
  updated,
  updatedLanguages,
} from "./list-store.ts";
import {
  amongFew,
  aroundAccount,
  everyRepoBy,
  filtered,
  type Order,
  type OrderKey,
  ownedBy,
  ownedByNamed,
  ownedByNumbered,
  ownOrders,
  pageOfIds,
  pageOfOwned,
  type SearchSql,
  sharedByCollaboration,
  sorted,
  type Viewer,
  type Word,
  type WordSource,
  walkInOrder,
  withWord,
} from "./store.ts";

/** Search criteria; absent ones match everything. */
export interface SearchRequest {
  /** Comma-separated words, at least one of which must match. `owner/name` matches both parts. */
  readonly text?: string;
  readonly inDescription?: boolean;
  /** Search topics only. */
  readonly topicOnly?: boolean;
  /** Account id: repositories it owns and, unless `exclusive`, those shared with it. */
  readonly around?: number | undefined;
  readonly exclusive?: boolean;
  readonly mode?: string;
  /** Values of filters contributed by areas, by name; 0 and undefined are ignored. */
  readonly filters?: Readonly<Record<string, number | undefined>>;
  /** false: only public ones. */
  readonly withPrivate?: boolean | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly isTemplate?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
  /** The main language, case-insensitive; empty: any. */
  readonly language?: string;
  readonly firstOwner?: number | undefined;
  readonly sort?: string;
  readonly order?: string;
}

/** A filter that an area adds to the search. */
export interface RepoFilter {
  /** Name of the query parameter, whose value is a number (id of an account or team), such as `starredBy`. */
  readonly name: string;
  /** For the API document. */
  readonly description: string;
  /**
   * SQL condition on the repositories to find, in a query with `repositories`, their owners as `owners` and the
   * parameters of access conditions.
   * @param value SQL expression of the parameter's value
   */
  readonly condition: (value: string) => string;
}

/** A sort order that an area adds to the search. */
export interface RepoOrder {
  /** The value of `sort`. */
  readonly name: string;
  /** SQL expression that `repositories` is sorted by, ascending. */
  readonly key: string;
  /** `repository_list_changes` records every repository whose key changes. */
  readonly isTold?: boolean;
}

/** Bytes of a cached repository row. */
const ROW_BYTES = 800;
/**
 * Up to this many word matches are checked one by one. Beyond that, they are intersected with the cached list of what
 * the principal can see.
 */
const MAX_EXAMINED = 100;
/** Max results sorted for a page. Beyond that, an index is walked in order. */
const MAX_SORTED = 300;

const modes = ["", "source", "fork", "mirror", "collaborative"];

/** Lists of repositories, each limited to what the principal may see now. */
export class RepoSearch {
  private readonly contributed = new Map<string, RepoFilter>();
  private readonly shared: ((user: string) => string)[] = [];
  private readonly words: WordSource[] = [];
  private readonly pages: UntilWritten<Slice<Repo>>;
  private readonly ids: UntilWritten<IdList>;
  private readonly lists: KeptInStep<IdList>;
  private readonly languages: KeptInStep<MainLanguages>;
  private readonly orders = new Map<string, OrderKey>(
    Object.entries(ownOrders).map(([name, terms]) => [name, { terms }]),
  );

  constructor(
    private readonly db: Database,
    private readonly repos: RepoService,
    private readonly access: AccessControl,
    caches: CacheBudget,
  ) {
    this.pages = new UntilWritten(db, caches, ({ items }) => items.length * ROW_BYTES);
    this.ids = new UntilWritten(db, caches, weightOf, (each) => String(listsVersion(each)));
    this.lists = new KeptInStep(db, caches, weightOf);
    this.languages = new KeptInStep(db, caches, ({ places }) => places.byteLength);
  }

  /** Registers filters; called by areas while they are wired. */
  addFilter(filter: RepoFilter): void {
    if (this.contributed.has(filter.name)) throw new Error(`two areas filter repositories by ${filter.name}`);
    this.contributed.set(filter.name, filter);
  }

  /** Registers another thing that search words match, such as topics. */
  addWords(source: WordSource): void {
    this.words.push(source);
  }

  /** May replace a built-in order that has no data without an area. */
  addOrder({ name, key, isTold = false }: RepoOrder): void {
    this.orders.set(name, { terms: [key], isTold });
  }

  /**
   * Registers a way other than collaboration in which accounts gain access to repositories; called while areas are
   * wired.
   * @param ids takes the SQL expression of an account's id and returns an SQL query for ids of repositories; must use
   * an index
   */
  addShared(ids: (user: string) => string): void {
    this.shared.push(ids);
  }

  /**
   * SQL queries for ids of what the account was given, collaborations included.
   * @param user SQL expression of its id
   */
  sharedWith(user: string): string[] {
    return [sharedByCollaboration(user), ...this.givenTo(user)];
  }

  private givenTo(user: string): string[] {
    return this.shared.map((ids) => ids(user));
  }

  /** Filters contributed by areas, for the API and its document. */
  get filters(): readonly RepoFilter[] {
    return [...this.contributed.values()];
  }

  /** Repositories an account owns, oldest first. The caller has checked that the account is visible. */
  ownedBy(principal: Principal, owner: User, { limit, offset }: Paging): Slice<SeenRepo> {
    const query = ownedBy(owner.id, this.viewer(principal));
    const question = ["owned", query.params];
    return this.page(principal, [...question, limit, offset], () => ({
      items: pageOfOwned(this.db, query, limit, offset),
      total: this.list(question, query).length,
    }));
  }

  /**
   * Repositories an account owns or was given more access to than everyone has, by name.
   * @param part of the name; empty: all
   */
  ownAndShared(principal: Principal, user: User, { limit, offset }: Paging, part = ""): Slice<SeenRepo> {
    const query = aroundAccount(user.id, this.viewer(principal), this.givenTo("$user"), part);
    const question = ["around", query.params];
    return this.page(principal, [...question, limit, offset], () => {
      const list = this.list(question, query);
      return { items: pageOfIds(this.db, list, limit, offset), total: list.length };
    });
  }

  /** Contract repositories.md 5.7. @throws ValidationFailed unknown mode, sort or order */
  search(principal: Principal, request: SearchRequest, paging: Paging): Slice<SeenRepo> {
    const order = this.orderOf(request);
    const { limit, offset } = paging;
    return this.page(principal, ["found", this.viewer(principal).params, request, limit, offset], () => {
      const shown = this.found(principal, request);
      return { items: this.pageInOrder(shown, order, this.firstsOf(request), paging), total: shown.length };
    });
  }

  /**
   * The main languages of the search's results, ignoring its language filter, with counts, most frequent first.
   * @throws ValidationFailed unknown mode
   */
  languagesOf(principal: Principal, request: SearchRequest): { language: string; count: number }[] {
    const { names, places } = this.languages.once(
      "languages",
      () => mainLanguages(this.db),
      (known, changed) => updatedLanguages(this.db, known, changed),
    );
    const counts = new Uint32Array(names.length);
    const found = this.found(principal, { ...request, language: "" });
    for (let at = 0; at < found.length; at++) counts[places[found[at] ?? 0] ?? 0]!++;
    return names
      .map((language, place) => ({ language, count: counts[place] ?? 0 }))
      .filter(({ language, count }) => language !== "" && count > 0)
      .sort((a, b) => b.count - a.count || (a.language < b.language ? -1 : 1));
  }

  /** Ids of all results, by name. @throws ValidationFailed unknown mode */
  private found(principal: Principal, request: SearchRequest): IdList {
    const mode = request.mode ?? "";
    if (!modes.includes(mode)) throw new ValidationFailed("search.bad-mode", { field: "mode" });
    const filter = {
      around: request.around,
      exclusive: request.exclusive ?? false,
      collaborative: mode === "collaborative",
      isFork: mode === "fork" ? true : mode === "source" ? false : undefined,
      isMirror: mode === "mirror" ? true : mode === "source" || mode === "collaborative" ? false : undefined,
      onlyPublic:
        !(request.withPrivate ?? true) ||
        (!principal.user && principal.via !== "nothing") ||
        principal.scope?.publicOnly === true,
      isPrivate: request.isPrivate,
      isTemplate: request.isTemplate,
      isArchived: request.isArchived,
      language: request.language ?? "",
    };
    const contributed = this.conditionsOf(request.filters ?? {});
    const query = filtered(this.viewer(principal), filter, {
      ...contributed,
      shared: this.sharedWith("$around"),
    });
    const all = () => this.list(["filtered", query.params, contributed.conditions], query);
    const words = wordsOf(request.text ?? "");
    if (words.length === 0) return all();
    const places = { inDescription: request.inDescription ?? false, topicOnly: request.topicOnly ?? false };
    const found = words.map((word) => this.list(["word", word, places], withWord(word, places, this.words)));
    const count = found.reduce((sum, { length }) => sum + length, 0);
    return count > MAX_EXAMINED ? among(all(), found) : idsOf(this.db, amongFew(query, found));
  }

  /** Lists whose repositories go first; the last list has the highest precedence. */
  private firstsOf(request: SearchRequest): IdList[] {
    const logins = wordsOf(request.text ?? "").flatMap(({ owner }) => owner?.toLowerCase() ?? []);
    const { firstOwner = 0 } = request;
    return [
      ...(logins.length > 0 ? [this.list(["owned by", logins], ownedByNamed(logins))] : []),
      ...(firstOwner > 0 ? [this.list(["owned by", firstOwner], ownedByNumbered(firstOwner))] : []),
    ];
  }

  private pageInOrder(
    shown: IdList,
    order: Order | undefined,
    firsts: readonly IdList[],
    { limit, offset }: Paging,
  ): Repo[] {
    if (order && !order.isTold && firsts.length === 0 && shown.length > MAX_SORTED)
      return walkInOrder(this.db, shown, order, limit, offset);
    const inOrder = order ? this.inOrder(shown, order) : shown;
    return pageOfIds(this.db, firsts.reduce(membersFirst, inOrder), limit, offset);
  }

  private inOrder(shown: IdList, order: Order): IdList {
    const { terms, descending, isTold } = order;
    const [key] = terms;
    if (!isTold || key === undefined || shown.length <= MAX_SORTED) return sorted(this.db, shown, order);
    const inOrder = among(this.list(["every", key], everyRepoBy(key)), [shown]);
    return descending ? inOrder.toReversed() : inOrder;
  }

  private list(question: readonly unknown[], query: ListQuery): IdList {
    return this.lists.once(
      JSON.stringify(question),
      () => idsOf(this.db, query),
      (list, changed) => updated(this.db, query, list, changed),
    );
  }

  /**
   * A page of another area's list, cached until `repository_lists` changes.
   * @param question everything it depends on besides the database
   */
  listed(
    principal: Principal,
    question: readonly unknown[],
    { limit, offset }: Paging,
    read: () => IdList,
  ): Slice<SeenRepo> {
    return this.page(principal, [...question, limit, offset], () => {
      const ids = this.ids.once(JSON.stringify(question), read);
      return { items: pageOfIds(this.db, ids, limit, offset), total: ids.length };
    });
  }

  private conditionsOf(requested: NonNullable<SearchRequest["filters"]>): Pick<SearchSql, "conditions" | "values"> {
    const used = this.filters.filter(({ name }) => (requested[name] ?? 0) > 0);
    return {
      conditions: used.map(({ condition }, at) => condition(`$filter${at}`)),
      values: Object.fromEntries(used.map(({ name }, at) => [`filter${at}`, requested[name] ?? 0])),
    };
  }

  /** @returns undefined: by name */
  private orderOf(request: SearchRequest): Order | undefined {
    const { sort = "", order = "" } = request;
    if (sort === "") return undefined;
    const key = this.orders.get(sort);
    if (key === undefined) throw new ValidationFailed("search.bad-sort", { field: "sort", params: { sort } });
    if (order !== "" && order !== "asc" && order !== "desc")
      throw new ValidationFailed("search.bad-order", { field: "order", params: { order } });
    return { ...key, descending: order === "desc" };
  }

  /** @param question everything the page depends on besides the database */
  private page(principal: Principal, question: readonly unknown[], read: () => Slice<Repo>): Slice<SeenRepo> {
    const found = this.pages.once(JSON.stringify(question), read);
    return { items: this.repos.seeAll(principal, found.items), total: found.total };
  }

  private viewer(principal: Principal): Viewer {
    return { isVisible: this.access.repoCondition(), params: this.access.params(principal) };
  }
}

/** More words than anybody types would only cost time. */
const MAX_WORDS = 20;

function wordsOf(text: string): Word[] {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return words.slice(0, MAX_WORDS).map((word) => {
    const parts = word.split("/");
    const [owner, name] = parts;
    const both = parts.length === 2 && owner && name !== undefined;
    return { word, owner: both ? owner : null, name: both ? name : null };
  });
}
