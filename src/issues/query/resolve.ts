import type { Principal } from "../../access/principal.ts";
import type { User } from "../../access/user.ts";
import type { IdentityService } from "../../identity/service.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { LabelService } from "../../labels/service.ts";
import type { MilestoneService } from "../../milestones/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { ContributedFilter, ItemFilter, ItemOrder } from "../list/types.ts";
import { isItemOrder } from "../list/types.ts";
import type { ParsedQuery, QueryTerm } from "./parse.ts";

export interface QueryNeeds {
  readonly identity: IdentityService;
  readonly labels: LabelService;
  readonly milestones: MilestoneService;
  readonly repos: RepoService;
}

/** Where a query is run, and by whom. */
export interface QueryPlace {
  readonly principal: Principal;
  /** Undefined: all repositories. */
  readonly seen: SeenRepo | undefined;
}

/** A resolved query: the filter, and the repository it names, if any. */
export interface ResolvedQuery {
  readonly filter: ItemFilter;
  /** Named by `repo:`, and visible to the principal. */
  readonly repo: SeenRepo | undefined;
  /** Values that match nothing here; if there are any, the result is empty. */
  readonly unknown: readonly string[];
}

type Draft = { -readonly [Name in keyof ItemFilter]: ItemFilter[Name] };

/** No item has this id. */
const NOBODY = 0;

/** Short aliases for orders, besides their full names. */
const orders: Readonly<Record<string, ItemOrder>> = {
  created: "latest",
  newest: "latest",
  updated: "recentupdate",
  comments: "mostcomment",
  due: "nearduedate",
  closed: "recentclose",
};

/** Looks up what a query's terms refer to. */
export function resolveQuery(needs: QueryNeeds, { words, terms }: ParsedQuery, place: QueryPlace): ResolvedQuery {
  const filter: Draft = { state: "all" };
  const reader = new TermReader(needs, place, filter);
  for (const term of terms) reader.read(term);
  if (words.length > 0) filter.words = words;
  const [only] = words;
  if (words.length === 1 && only !== undefined && /^#?\d{1,9}$/.test(only))
    filter.number = Number(only.replace("#", ""));
  return { filter, repo: reader.repo, unknown: reader.unknown };
}

class TermReader {
  repo: SeenRepo | undefined;
  readonly unknown: string[] = [];

  constructor(
    private readonly needs: QueryNeeds,
    private readonly place: QueryPlace,
    private readonly filter: Draft,
  ) {}

  private readonly readers: Readonly<Record<string, (term: QueryTerm) => void>> = {
    is: (term) => this.readKind(term),
    state: (term) => this.readKind(term),
    type: (term) => this.readKind(term),
    label: ({ value, isNegated }) => this.readLabel(value, isNegated),
    no: ({ value, isNegated }) => this.readPresence(value, !isNegated),
    has: ({ value, isNegated }) => this.readPresence(value, isNegated),
    author: ({ value }) => {
      this.filter.posterId = this.account(value);
    },
    mentions: ({ value }) => {
      this.filter.mentionedId = this.account(value);
    },
    assignee: ({ value }) => {
      this.filter.assignee = value === "*" ? "any" : value === "none" ? "none" : this.account(value);
    },
    owner: ({ value }) => {
      this.filter.ownerId = this.account(value);
    },
    "review-requested": ({ value, isNegated }) =>
      this.contribute({ name: "reviewRequested", value: this.account(value), isNegated }),
    "reviewed-by": ({ value, isNegated }) =>
      this.contribute({ name: "reviewed", value: this.account(value), isNegated }),
    project: ({ value, isNegated }) => this.contribute({ name: "project", value: Number(value) || NOBODY, isNegated }),
    milestone: ({ value }) => this.readMilestone(value),
    sort: ({ value }) => this.readOrder(value),
    created: ({ value }) => this.readDays(value, "createdSince", "createdBefore"),
    updated: ({ value }) => this.readDays(value, "since", "before"),
    closed: ({ value }) => this.readDays(value, "closedSince", "closedBefore"),
    comments: ({ value }) => this.readCount(value),
    repo: ({ value }) => this.readRepo(value),
  };

  read(term: QueryTerm): void {
    this.readers[term.name]?.(term);
  }

  private readKind({ value, isNegated }: QueryTerm): void {
    const { filter } = this;
    const word = value.toLowerCase();
    if (word === "open" || word === "closed") filter.state = (word === "open") !== isNegated ? "open" : "closed";
    else if (word === "all") filter.state = "all";
    else if (word === "issue" || word === "issues") filter.isPull = isNegated;
    else if (["pr", "pull", "pulls"].includes(word)) filter.isPull = !isNegated;
    else if (word === "locked") filter.isLocked = !isNegated;
    else if (word === "overdue") filter.isOverdue = !isNegated;
    else if (["merged", "draft"].includes(word)) this.contribute({ name: word, value: 1, isNegated });
    else this.unknown.push(value);
  }

  private readLabel(name: string, isNegated: boolean): void {
    const { filter, place } = this;
    const ids = place.seen ? this.needs.labels.usableNamed(place.seen, [name]).map(({ id }) => id) : undefined;
    if (isNegated) {
      if (ids) filter.withoutLabels = [...(filter.withoutLabels ?? []), ...ids];
      return;
    }
    if (ids?.length === 0) this.unknown.push(name);
    if (ids) filter.labels = [...(filter.labels ?? []), ids];
    else filter.labelNames = [...(filter.labelNames ?? []), name];
  }

  /** @param isAbsent whether it must have none */
  private readPresence(what: string, isAbsent: boolean): void {
    const { filter } = this;
    if (what === "label" || what === "labels") filter.hasNoLabel = isAbsent;
    else if (what === "milestone") filter.hasNoMilestone = isAbsent;
    else if (what === "assignee") filter.assignee = isAbsent ? "none" : "any";
    else if (what === "project") this.contribute({ name: "anyProject", value: 1, isNegated: isAbsent });
    else this.unknown.push(what);
  }

  private readMilestone(value: string): void {
    const { filter, needs, place } = this;
    if (value === "none") filter.hasNoMilestone = true;
    else if (!place.seen) filter.milestoneTitles = [value.toLowerCase()];
    else {
      const found = ifThere(() => place.seen && needs.milestones.get(place.seen, value));
      filter.milestoneIds = [found?.id ?? NOBODY];
      if (!found) this.unknown.push(value);
    }
  }

  private readOrder(value: string): void {
    const word = value.toLowerCase();
    if (word.startsWith("scope-")) this.filter.scope = value.slice("scope-".length);
    else if (isItemOrder(word)) this.filter.order = word;
    else if (orders[word]) this.filter.order = orders[word];
    else this.unknown.push(value);
  }

  /** `2026-01-31`, `>2026-01-31`, `>=…`, `<…`, `<=…`; days are UTC. */
  private readDays(
    value: string,
    from: "createdSince" | "since" | "closedSince",
    to: "createdBefore" | "before" | "closedBefore",
  ): void {
    const { filter } = this;
    const [, sign = "", day = ""] = /^([<>]?=?)(\d{4}-\d\d-\d\d)$/.exec(value) ?? [];
    const begins = Date.parse(`${day}T00:00:00Z`);
    if (Number.isNaN(begins)) {
      this.unknown.push(value);
      return;
    }
    const ends = begins + 86_400_000 - 1;
    if (sign === ">") filter[from] = ends + 1;
    else if (sign === ">=") filter[from] = begins;
    else if (sign === "<") filter[to] = begins - 1;
    else if (sign === "<=") filter[to] = ends;
    else {
      filter[from] = begins;
      filter[to] = ends;
    }
  }

  private readCount(value: string): void {
    const { filter } = this;
    const [, sign = "", digits = ""] = /^([<>]?=?)(\d{1,9})$/.exec(value) ?? [];
    const count = Number(digits);
    if (digits === "") this.unknown.push(value);
    else if (sign === ">") filter.minComments = count + 1;
    else if (sign === ">=") filter.minComments = count;
    else if (sign === "<") filter.maxComments = count - 1;
    else if (sign === "<=") filter.maxComments = count;
    else {
      filter.minComments = count;
      filter.maxComments = count;
    }
  }

  private readRepo(value: string): void {
    const [owner = "", name = ""] = value.split("/");
    this.repo = this.needs.repos.seeNamed(this.place.principal, [[owner, name]]).get(value.toLowerCase());
    if (!this.repo) this.unknown.push(value);
  }

  private contribute(filter: ContributedFilter): void {
    this.filter.contributed = [...(this.filter.contributed ?? []), filter];
  }

  /** The id of an account visible to the principal; `me` and `@me` stand for the principal. */
  private account(name: string): number {
    const { principal } = this.place;
    const login = name.replace(/^@/, "");
    const user: User | undefined = login === "me" ? principal.user : this.needs.identity.byLogin(login);
    if (user && (user.id === principal.user?.id || this.needs.identity.sees(principal, user))) return user.id;
    this.unknown.push(name);
    return NOBODY;
  }
}

/** Returns what `find` returns; undefined if it throws NotFound. */
export function ifThere<T>(find: () => T): T | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
