import { atLeast } from "../../src/access/levels.ts";
import { isPartial } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import type { ItemFilter } from "../../src/issues/list/types.ts";
import { NotFound, Redirected } from "../../src/kernel/errors.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { ListChoices, type ListFilter, type ListState } from "../components/list-bar.tsx";
import type { JSX } from "../jsx/types.ts";
import { wordsFor } from "../language.ts";
import { pageHref, withQuery } from "../links.ts";
import { pageOf } from "../list-query.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { shellOf, show, showPart } from "../visit.ts";
import { readsRepoPage } from "./access.ts";
import { type Asked, askedOf } from "./asked.ts";
import { BulkBody, type BulkChoices } from "./bulk.tsx";
import { bulkRoutes } from "./bulk-routes.ts";
import { globalItemPages } from "./global-routes.tsx";
import { itemRows } from "./items.ts";
import { itemJsonPages } from "./json-routes.ts";
import { type ListBody, RepoItemsPage, type SavedSearchesProps } from "./list.tsx";
import {
  assignable,
  type ChosenFilter,
  choicesNamed,
  chosenFilters,
  labelsOf,
  MAX_CHOICES,
  type MenuPlace,
  menuHref,
  openMilestones,
  repoMenus,
} from "./menus.ts";
import { pinPages } from "./pin-routes.ts";
import { savedSearchRoutes } from "./saved-routes.ts";
import { issueListWords } from "./words/index.ts";

export const PER_PAGE = 20;

/** Lists of issues and pull requests, of one repository and of all (contract issues.md 27). */
export function itemListPages(services: WebServices): Route[] {
  const page = { surface: "page", method: "GET", access: readsRepoPage } as const;
  return [
    { ...page, path: "/:owner/:repo/issues", handle: (call) => repoItems(services, call, false) },
    { ...page, path: "/:owner/:repo/pulls", handle: (call) => repoItems(services, call, true) },
    ...itemJsonPages(services),
    ...globalItemPages(services),
    ...bulkRoutes(services),
    ...pinPages(services),
    ...savedSearchRoutes(services),
  ];
}

async function repoItems(services: WebServices, call: Call, isPull: boolean): Promise<Response> {
  const { itemLists, issues, pins } = services;
  const seen = seenRepo(call);
  const tracker = isPull ? undefined : seen.repo.settings.externalTracker;
  if (tracker) throw new Redirected(303, tracker.url);
  if (issues.levelOn(seen, { isPull }) === "none") throw new NotFound();
  const asked = askedOf(services, call, isPull, seen);
  const filter = { ...asked.filter, state: stateOf(services, seen, asked, isPull) };
  const home = homeOf(seen, isPull ? "pulls" : "issues");
  const here = hereOf(call, home);
  const place: MenuPlace = { services, call, seen, isPull, filter, here };
  const menu = call.query.get("menu") ?? undefined;
  if (menu !== undefined && isPartial(call.request)) return showPart(call, menuPart(place, menu));
  const slice = pageOf(call, PER_PAGE);
  const found =
    asked.unknown.length > 0 ? { items: [], open: 0, closed: 0 } : await itemLists.page(seen, filter, slice);
  const isPlain = !asked.isFiltered && slice.page === 1;
  const mayPin = atLeast(seen.access.level, "admin") && !seen.repo.isArchived && call.principal.user !== undefined;
  const view = (
    <RepoItemsPage
      shell={shellOf(services, call)}
      repo={await repoFrame(services, seen)}
      isPull={isPull}
      box={{
        action: home,
        query: asked.query,
        keep: kept(call),
        saved: savedOf(services, call, seen, isPull, asked, home),
      }}
      pinned={isPlain ? itemRows(services, pins.list(seen, isPull)) : []}
      pinsMoveAt={mayPin ? homeOf(seen, "issues/move_pin") : undefined}
      newHref={newHref(services, call, seen, isPull)}
      list={listOf(services, call, {
        found,
        filter,
        here,
        home,
        page: slice.page,
        asked,
        filters: repoMenus(place, menu),
        chosen: chosenFilters(place),
        bulk:
          found.items.length > 0 && mayChangeSeveral(place)
            ? menu === "bulk"
              ? bulkChoices(place)
              : menuHref(here, "bulk")
            : undefined,
      })}
    />
  );
  return show(call, view);
}

/** Open, unless there are only closed ones. */
function stateOf({ itemLists }: WebServices, seen: SeenRepo, asked: Asked, isPull: boolean): ItemFilter["state"] {
  if (!asked.isAnyState) return asked.filter.state;
  const counts = itemLists.counts(seen)[isPull ? "pulls" : "issues"];
  return counts && counts.open === 0 && counts.closed > 0 ? "all" : "open";
}

export interface ListParts {
  readonly found: Awaited<ReturnType<WebServices["itemLists"]["page"]>>;
  readonly filter: ItemFilter;
  readonly here: string;
  readonly home: string;
  readonly page: number;
  readonly asked: Asked;
  readonly filters: readonly ListFilter[];
  /** Filters set by the menus, each with a link that removes it. */
  readonly chosen?: readonly ChosenFilter[];
  readonly bulk?: BulkChoices | string | undefined;
  readonly showsRepo?: boolean;
}

/** The list as a page shows it: states with counts, menus, rows. */
export function listOf(services: WebServices, call: Call, parts: ListParts): ListBody {
  const { asked, bulk, filter, filters, found, here, home, page } = parts;
  const t = wordsFor(call, issueListWords);
  const { closed, items, open } = found;
  const total = (filter.state === "closed" ? 0 : open) + (filter.state === "open" ? 0 : closed);
  const isPull = filter.isPull === true;
  const state = (value: ItemFilter["state"], label: string, count: number): ListState => ({
    label,
    count,
    href: withQuery(here, { state: value, page: undefined, q: withoutState(asked) }),
    ...(value === "open" ? { icon: isPull ? "git-pull-request" : "issue-opened" } : {}),
    ...(value === "closed" ? { icon: "check" } : {}),
    current: filter.state === value,
  });
  return {
    states: [
      state("open", t("openItems"), open),
      state("closed", t("closedItems"), closed),
      state("all", t("allItems"), open + closed),
    ],
    filters,
    chosen: parts.chosen ?? [],
    rows: itemRows(services, items),
    pages: { page, perPage: PER_PAGE, total, href: here },
    here,
    unknown: asked.unknown,
    clearHref: asked.isFiltered ? withQuery(home, { type: call.query.get("type") ?? undefined }) : undefined,
    bulk,
    ...(parts.showsRepo ? { showsRepo: true } : {}),
  };
}

/** The query without its state, which the tabs set instead. */
function withoutState({ parsed, query }: Asked): string {
  const says = parsed.terms.some(({ name, value }) => isState(name, value));
  if (!says) return query;
  return query
    .split(/\s+/)
    .filter((part) => !/^-?(is|state):(open|closed|all)$/i.test(part))
    .join(" ");
}

const isState = (name: string, value: string) =>
  (name === "is" || name === "state") && ["open", "closed", "all"].includes(value.toLowerCase());

/** The content behind a menu, as a fragment. @throws NotFound */
function menuPart(place: MenuPlace, name: string): JSX.Element {
  if (name === "bulk" && mayChangeSeveral(place)) return <BulkBody choices={bulkChoices(place)} />;
  const choices = choicesNamed(place, name);
  if (!choices) throw new NotFound();
  return <ListChoices choices={choices} />;
}

function mayChangeSeveral({ isPull, seen, services }: MenuPlace): boolean {
  const level = services.issues.levelOn(seen, { isPull });
  return seen.principal.user !== undefined && !seen.repo.isArchived && atLeast(level, "write");
}

function bulkChoices(place: MenuPlace): BulkChoices {
  const { seen, services } = place;
  return {
    action: homeOf(seen, "issues"),
    labels: labelsOf(place).slice(0, MAX_CHOICES),
    milestones: openMilestones(place),
    people: assignable(place),
    teams: services.assignees.candidateTeams(seen),
    days: services.config["issues.bin_days"],
    mayDelete: atLeast(seen.access.level, "admin"),
  };
}

function newHref({ issues }: WebServices, call: Call, seen: SeenRepo, isPull: boolean): string | undefined {
  if (!call.principal.user || seen.repo.isArchived || issues.levelOn(seen, { isPull }) === "none") return undefined;
  return homeOf(seen, isPull ? "compare" : "issues/new/choose");
}

/** Query parameters that the search form keeps. */
export function kept({ query }: Call): Record<string, string> {
  const names = ["type", "state", "labels", "milestone", "project", "poster", "assignee", "sort", "archived_labels"];
  return Object.fromEntries(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? ""]] : [])));
}

/** The URL of the current list, without its page number. */
export function hereOf(call: Call, home: string): string {
  return pageHref(withQuery(home, { ...kept(call), q: call.query.get("q") ?? undefined }), 1);
}

export function savedOf(
  { savedSearches }: WebServices,
  call: Call,
  seen: SeenRepo | undefined,
  isPull: boolean,
  { query }: Asked,
  home: string,
): SavedSearchesProps | undefined {
  if (!call.principal.user) return undefined;
  const searches = savedSearches.list(call.principal, { repoId: seen?.repo.id, isPull });
  return {
    action: `${home}/searches`,
    searches: searches.map((each) => ({ id: each.id, name: each.name, href: withQuery(home, { q: each.query }) })),
    query,
    here: hereOf(call, home),
  };
}
