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
import {
  idsAround,
  idsOwnedBy,
  idsSeen,
  idsWithWord,
  listsVersion,
  ownOrders,
  pageOfIds,
  type RememberedTotal,
  reposOf,
  type SearchFilter,
  type SearchSql,
  searchRepos,
  sharedByCollaboration,
  type Viewer,
  type Word,
  type WordPlaces,
  type WordSource,
  walkInOrder,
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
  /** SQL expression of what `repositories` is sorted by, the smallest first. */
  readonly key: string;
}

/** A repository's row as it is remembered. */
const ROW_BYTES = 800;
const TOTAL_BYTES = 300;
/** Each of no more is looked at. What finds more is compared with what the principal sees, which is remembered. */
const MAX_EXAMINED = 300;

const modes = ["", "source", "fork", "mirror", "collaborative"];

/** Lists of repositories, each only with what the principal may see now. */
export class RepoSearch {
  private readonly contributed = new Map<string, RepoFilter>();
  private readonly shared: ((user: string) => string)[] = [];
  private readonly words: WordSource[] = [];
  private readonly pages: UntilWritten<Slice<Repo>>;
  private readonly totals: UntilWritten<number>;
  private readonly ids: UntilWritten<IdList>;
  private readonly orders = new Map<string, string>(Object.entries(ownOrders));

  constructor(
    private readonly db: Database,
    private readonly repos: RepoService,
    private readonly access: AccessControl,
    caches: CacheBudget,
  ) {
    this.pages = new UntilWritten(db, caches, ({ items }) => items.length * ROW_BYTES);
    this.totals = new UntilWritten(db, caches, () => TOTAL_BYTES, listsVersion);
    this.ids = new UntilWritten(db, caches, weightOf, listsVersion);
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
    this.orders.set(name, key);
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
    const viewer = this.viewer(principal);
    const question = ["around", viewer.params, user.id, part];
    return this.listed(principal, question, paging, () =>
      idsAround(this.db, user.id, viewer, this.givenTo("$user"), part),
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
    const places = { inDescription: request.inDescription ?? false, topicOnly: request.topicOnly ?? false };
    const contributed = this.conditionsOf(request.filters ?? {});
    const viewer = this.viewer(principal);
    const asked = [viewer.params, words, places, filter, contributed];
    return this.page(principal, ["found", ...asked], paging, order, (total) => {
      const found = words.map((word) => this.withWord(word, places));
      const logins = words.flatMap(({ owner }) => owner?.toLowerCase() ?? []);
      const isFilled = found.reduce((sum, { length }) => sum + length, 0) > MAX_EXAMINED;
      if (isFilled && isUnfiltered(filter, contributed) && (order === byName || logins.length === 0))
        return this.amongSeen(viewer, filter.onlyPublic, found, logins, order, paging);
      const sql = { order, shared: this.sharedWith("$around"), ...contributed, total };
      return searchRepos(this.db, viewer, { ...filter, found, logins }, sql, paging.limit, paging.offset);
    });
  }

  /** Ids of what the word finds, whoever may see it. */
  private withWord(word: Word, places: WordPlaces): IdList {
    return this.ids.once(JSON.stringify(["word", word, places]), () => idsWithWord(this.db, word, places, this.words));
  }

  private idsOwnedBy(logins: readonly string[]): IdList {
    if (logins.length === 0) return new Uint32Array();
    return this.ids.once(JSON.stringify(["owned by", logins]), () => idsOwnedBy(this.db, logins));
  }

  /** The page of what many words found, without a question for each. */
  private amongSeen(
    viewer: Viewer,
    onlyPublic: boolean,
    found: readonly IdList[],
    logins: readonly string[],
    order: SearchSql["order"],
    { limit, offset }: Paging,
  ): Slice<Repo> {
    const seen = this.ids.once(JSON.stringify(["seen", viewer.params, onlyPublic]), () =>
      idsSeen(this.db, viewer, onlyPublic),
    );
    const shown = among(seen, found);
    if (order === byName) return pageOfIds(this.db, membersFirst(shown, this.idsOwnedBy(logins)), limit, offset);
    return { items: walkInOrder(this.db, shown, order, limit, offset), total: shown.length };
  }

  /**
   * The page of a list of another area, which is remembered until `repository_lists` changes.
   * @param question everything that it depends on besides the database
   */
  listed(principal: Principal, question: readonly unknown[], paging: Paging, read: () => IdList): Slice<SeenRepo> {
    return this.page(principal, question, paging, undefined, () => {
      const ids = this.ids.once(JSON.stringify(question), read);
      return pageOfIds(this.db, ids, paging.limit, paging.offset);
    });
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
    if (sort === "") return byName;
    const key = this.orders.get(sort);
    if (key === undefined) throw new ValidationFailed("search.bad-sort", { field: "sort", params: { sort } });
    if (order !== "" && order !== "asc" && order !== "desc")
      throw new ValidationFailed("search.bad-order", { field: "order", params: { order } });
    return { key, descending: order === "desc" };
  }

  /** @param question what the number of repositories depends on besides the database */
  private page(
    principal: Principal,
    question: readonly unknown[],
    { limit, offset }: Paging,
    order: SearchSql["order"] | undefined,
    read: (total: RememberedTotal) => Slice<Repo>,
  ): Slice<SeenRepo> {
    const all = JSON.stringify(question);
    const found = this.pages.once(`${all} ${JSON.stringify([order, limit, offset])}`, () =>
      read((count) => this.totals.once(all, count)),
    );
    return { items: this.repos.seeAll(principal, found.items), total: found.total };
  }

  private viewer(principal: Principal): Viewer {
    return { isVisible: this.access.repoCondition(), params: this.access.params(principal) };
  }
}

const byName = { key: "repositories.lower_name", descending: false };

/** Whether nothing but the words and what the principal sees decides what is found. */
function isUnfiltered(
  filter: Omit<SearchFilter, "found" | "logins">,
  { conditions }: Pick<SearchSql, "conditions">,
): boolean {
  const { around, isFork, isPrivate, isTemplate, isArchived, firstOwner } = filter;
  const flags = [around, isFork, isPrivate, isTemplate, isArchived];
  return flags.every((value) => value === undefined) && firstOwner === 0 && conditions.length === 0;
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
