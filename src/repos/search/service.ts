import type { Principal } from "../../access/principal.ts";
import type { AccessControl } from "../../access/service.ts";
import type { User } from "../../access/user.ts";
import type { Database } from "../../db/database.ts";
import { UntilWritten } from "../../db/until-written.ts";
import type { CacheBudget } from "../../kernel/cache.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { Paging, Slice } from "../../kernel/paging.ts";
import type { RepoService } from "../service.ts";
import type { SeenRepo } from "../types.ts";
import {
  type Found,
  listsVersion,
  type Order,
  ownOrders,
  type RememberedTotal,
  reposAround,
  reposOf,
  type SearchSql,
  searchRepos,
  sharedByCollaboration,
  type Viewer,
  type Word,
  type WordSource,
} from "./store.ts";

/** What to look for; what is absent does not matter. */
export interface SearchRequest {
  /** Words with commas between them; one is enough. `owner/name` looks in both. */
  readonly text?: string;
  readonly inDescription?: boolean;
  /** Look for the words among topics only. */
  readonly topicOnly?: boolean;
  /** Number of an account: what it owns and, unless `exclusive`, what is shared with it. */
  readonly around?: number | undefined;
  readonly exclusive?: boolean;
  readonly mode?: string;
  /** Values of the filters that areas contribute, by name; 0 and undefined do not matter. */
  readonly filters?: Readonly<Record<string, number | undefined>>;
  /** false: only what is open to everyone. */
  readonly withPrivate?: boolean | undefined;
  readonly isPrivate?: boolean | undefined;
  readonly isTemplate?: boolean | undefined;
  readonly isArchived?: boolean | undefined;
  readonly firstOwner?: number | undefined;
  readonly sort?: string;
  readonly order?: string;
}

/** A condition that an area adds to the search. */
export interface RepoFilter {
  /** Of the query parameter, whose value is a number (of an account, a team): `starredBy`. */
  readonly name: string;
  /** For the API document. */
  readonly description: string;
  /**
   * SQL that holds for the repositories to find, in a query with `repositories`, their owners as `owners` and the
   * parameters of access conditions. @param value SQL expression of the parameter's value
   */
  readonly condition: (value: string) => string;
}

/** An order that an area adds to the search. */
export interface RepoOrder {
  /** The value of `sort`. */
  readonly name: string;
  /** SQL expression of what `repositories` is sorted by, the smallest first; what changes it raises `repository_lists`. */
  readonly key: string;
}

/** An id as it is remembered, and what comes with a list of them. */
const ID_BYTES = 8;
const LIST_BYTES = 300;

const modes = ["", "source", "fork", "mirror", "collaborative"];

/** Lists of repositories, each only with what the principal may see now. */
export class RepoSearch {
  private readonly contributed = new Map<string, RepoFilter>();
  private readonly shared: ((user: string) => string)[] = [];
  private readonly words: WordSource[] = [];
  /** What was found: ids alone. Whether they may be seen is asked whenever they are shown. */
  private readonly settled: UntilWritten<Found>;
  /** The same in an order that anything may change. */
  private readonly moving: UntilWritten<Found>;
  private readonly totals: UntilWritten<number>;
  private readonly orders = new Map<string, Order>(Object.entries(ownOrders));

  constructor(
    private readonly db: Database,
    private readonly repos: RepoService,
    private readonly access: AccessControl,
    caches: CacheBudget,
  ) {
    const bytesOf = ({ ids }: Found) => LIST_BYTES + ids.length * ID_BYTES;
    this.settled = new UntilWritten(db, caches, bytesOf, listsVersion);
    this.moving = new UntilWritten(db, caches, bytesOf);
    this.totals = new UntilWritten(db, caches, () => LIST_BYTES, listsVersion);
  }

  /** Areas contribute their filters and orders while they are wired. */
  addFilter(filter: RepoFilter): void {
    if (this.contributed.has(filter.name)) throw new Error(`two areas filter repositories by ${filter.name}`);
    this.contributed.set(filter.name, filter);
  }

  /** What else words of a search find, such as topics. */
  addWords(source: WordSource): void {
    this.words.push(source);
  }

  /** Also in the place of an order that has nothing to go by yet. */
  addOrder({ name, key }: RepoOrder): void {
    this.orders.set(name, { keys: [key], isMoving: false });
  }

  /**
   * Areas contribute ways in which an account is given repositories besides collaboration, while they are wired.
   * @param ids SQL query for the ids of what the account is given whose id is the SQL expression it gets; it uses an index
   */
  addShared(ids: (user: string) => string): void {
    this.shared.push(ids);
  }

  /** SQL queries for the ids of what the account was given, collaboration included. @param user SQL expression of its id */
  sharedWith(user: string): string[] {
    return [sharedByCollaboration(user), ...this.givenTo(user)];
  }

  private givenTo(user: string): string[] {
    return this.shared.map((ids) => ids(user));
  }

  /** What areas contribute, for the API and its document. */
  get filters(): readonly RepoFilter[] {
    return [...this.contributed.values()];
  }

  /** What an account owns, oldest first. The caller has decided that the account may be seen. */
  ownedBy(principal: Principal, owner: User, paging: Paging): Slice<SeenRepo> {
    const { limit, offset } = paging;
    const viewer = this.viewer(principal);
    return this.page(principal, ["owned", viewer.params, owner.id], paging, undefined, (total) =>
      reposOf(this.db, owner.id, viewer, limit, offset, total),
    );
  }

  /**
   * What an account owns or was given more on than everyone has, by name.
   * @param part of the name; empty: all
   */
  ownAndShared(principal: Principal, user: User, paging: Paging, part = ""): Slice<SeenRepo> {
    const { limit, offset } = paging;
    const viewer = this.viewer(principal);
    const given = this.givenTo("$user");
    return this.page(principal, ["around", viewer.params, user.id, part], paging, undefined, (total) =>
      reposAround(this.db, user.id, viewer, given, part, limit, offset, total),
    );
  }

  /**
   * Contract repositories.md 5.7.
   * @throws ValidationFailed unknown mode, sort or order
   */
  search(principal: Principal, request: SearchRequest, paging: Paging): Slice<SeenRepo> {
    const mode = request.mode ?? "";
    if (!modes.includes(mode)) throw new ValidationFailed("search.bad-mode", { field: "mode" });
    const order = this.orderOf(request);
    const words = wordsOf(request.text ?? "");
    // There are no mirrors yet: what asks for one finds nothing.
    const none = mode === "mirror";
    if (none) return { items: [], total: 0 };
    const filter = {
      words,
      inDescription: request.inDescription ?? false,
      topicOnly: request.topicOnly ?? false,
      around: request.around,
      exclusive: request.exclusive ?? false,
      collaborative: mode === "collaborative",
      isFork: mode === "fork" ? true : mode === "source" ? false : undefined,
      onlyPublic: !(request.withPrivate ?? true) || !principal.user || principal.scope?.publicOnly === true,
      isPrivate: request.isPrivate,
      isTemplate: request.isTemplate,
      isArchived: request.isArchived,
      firstOwner: request.firstOwner ?? 0,
    };
    const sql = {
      words: this.words,
      shared: this.sharedWith("$around"),
      ...this.conditionsOf(request.filters ?? {}),
    };
    const viewer = this.viewer(principal);
    const { limit, offset } = paging;
    const asked = [viewer.params, filter, sql.conditions, sql.values];
    return this.page(principal, ["found", ...asked], paging, order, (total) =>
      searchRepos(this.db, viewer, filter, { ...sql, order, total }, limit, offset),
    );
  }

  private conditionsOf(requested: NonNullable<SearchRequest["filters"]>): Pick<SearchSql, "conditions" | "values"> {
    const used = this.filters.filter(({ name }) => (requested[name] ?? 0) > 0);
    return {
      conditions: used.map(({ condition }, at) => condition(`$filter${at}`)),
      values: Object.fromEntries(used.map(({ name }, at) => [`filter${at}`, requested[name] ?? 0])),
    };
  }

  private orderOf(request: SearchRequest): SearchSql["order"] {
    const { sort = "", order = "" } = request;
    if (sort === "") return { ...ownOrders[""], isDescending: false };
    const found = this.orders.get(sort);
    if (found === undefined) throw new ValidationFailed("search.bad-sort", { field: "sort", params: { sort } });
    if (order !== "" && order !== "asc" && order !== "desc")
      throw new ValidationFailed("search.bad-order", { field: "order", params: { order } });
    return { ...found, isDescending: order === "desc" };
  }

  /**
   * A list of another area, remembered until `repository_lists` changes.
   * @param question everything that it depends on besides the database
   */
  remembered(question: readonly unknown[], read: () => Found): Found {
    return this.settled.once(JSON.stringify(question), read);
  }

  /** Those of the repositories that the principal sees now, in the order of the ids. */
  shown(principal: Principal, { ids, total }: Found): Slice<SeenRepo> {
    const seen = new Map(this.repos.seeEach(principal, ids).map((each) => [each.repo.id, each]));
    return { items: ids.flatMap((id) => seen.get(id) ?? []), total };
  }

  /** @param question what the number of repositories depends on besides the database */
  private page(
    principal: Principal,
    question: readonly unknown[],
    { limit, offset }: Paging,
    order: SearchSql["order"] | undefined,
    read: (total: RememberedTotal) => Found,
  ): Slice<SeenRepo> {
    const all = JSON.stringify(question);
    const cache = order?.isMoving ? this.moving : this.settled;
    const found = cache.once(`${all} ${JSON.stringify([order, limit, offset])}`, () =>
      read((count) => this.totals.once(all, count)),
    );
    return this.shown(principal, found);
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
