import type { Call } from "../../src/http/route.ts";
import { type ItemFilter, itemOrders } from "../../src/issues/list/types.ts";
import { type Label, scopeOf } from "../../src/labels/types.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { ListChoice, ListFilter } from "../components/list-bar.tsx";
import { wordsFor } from "../language.ts";
import { withQuery } from "../links.ts";
import { issueListWords } from "./words/index.ts";

/** Maximum choices of a menu: other values are typed into the search box. */
export const MAX_CHOICES = 100;
/** Maximum people in the author menu; others are also typed. */
const MAX_AUTHORS = 30;
const OPEN_MILESTONES = { state: "open", name: "", order: "closestduedate" } as const;

/** An active filter, and the list without it. */
export interface ChosenFilter {
  readonly label: string;
  readonly href: string;
}

/** The context that the menus of a list are built from. */
export interface MenuPlace {
  readonly services: WebServices;
  readonly call: Call;
  readonly seen: SeenRepo;
  readonly isPull: boolean;
  readonly filter: ItemFilter;
  /** The URL of the current list. */
  readonly here: string;
}

/** Every label that items there can have. */
export const labelsOf = ({ seen, services }: MenuPlace) => services.labels.allUsable(seen);

export const openMilestones = ({ seen, services }: MenuPlace) =>
  services.milestones.list(seen, OPEN_MILESTONES, { limit: MAX_CHOICES, offset: 0 }).items;

/** Users who can be assigned there. */
export const assignable = ({ seen, services }: MenuPlace) => services.assignees.candidates(seen).slice(0, MAX_CHOICES);

const boardsOf = ({ seen, services }: MenuPlace) => services.itemProjects.usable(seen).slice(0, MAX_CHOICES);

/** Label ids in the URL: a negative one excludes the label, 0 means items without labels. */
const labelIds = ({ query }: Call) => (query.get("labels") ?? "").split(",").filter((id) => /^-?\d{1,15}$/.test(id));

const withLabels = (here: string, ids: readonly string[]) =>
  withQuery(here, { labels: ids.length > 0 ? ids.join(",") : undefined, page: undefined });

/** Sort orders, including those by the labels of a scope. */
function orders(
  call: Call,
  { order = "latest", scope }: ItemFilter,
  here: string,
  labels: readonly Label[],
): ListChoice[] {
  const t = wordsFor(call, issueListWords);
  const sorted = (sort: string) => withQuery(here, { sort, page: undefined });
  const scopes = [...new Set(labels.flatMap((label) => scopeOf(label) ?? []))].slice(0, MAX_CHOICES);
  return [
    ...itemOrders.map((value) => ({
      label: t(`order-${value}`),
      href: sorted(value),
      current: scope === undefined && value === order,
    })),
    ...scopes.map((each) => ({
      label: t("orderByScope", { scope: each }),
      href: sorted(`scope-${each}`),
      current: each === scope,
    })),
  ];
}

/** The sort menu of a list that has no other menu. */
export function orderMenu(call: Call, filter: ItemFilter, here: string): ListFilter {
  return { label: wordsFor(call, issueListWords)("order"), choices: orders(call, filter, here, []) };
}

/** In the order of contract web.md 2.9. */
const menuNames = ["label", "milestone", "project", "author", "assignee", "order"] as const;
type MenuName = (typeof menuNames)[number];

/** The URL of the part of a list behind a menu: a page with the menu open, or the fragment alone. */
export const menuHref = (here: string, name: MenuName | "bulk") => withQuery(here, { menu: name });

/** Menus that narrow or order a repository's list. @param asked the menu that is open on the page */
export function repoMenus(place: MenuPlace, asked: string | undefined): ListFilter[] {
  const t = wordsFor(place.call, issueListWords);
  return menuNames
    .filter((name) => name !== "project" || place.services.itemProjects.hasUsable(place.seen))
    .map((name) => ({
      label: t(name),
      ...(name === asked ? { choices: choicesOf(place, name), isOpen: true } : { choices: menuHref(place.here, name) }),
    }));
}

/** The choices of the menu with that name; undefined: there is no such menu. */
export function choicesNamed(place: MenuPlace, name: string): ListChoice[] | undefined {
  const found = menuNames.find((each) => each === name);
  return found && choicesOf(place, found);
}

function choicesOf(place: MenuPlace, name: MenuName): ListChoice[] {
  const { call, filter, here, isPull, seen, services } = place;
  const t = wordsFor(call, issueListWords);
  const narrowed = (field: string, value: string | number) => ({
    href: withQuery(here, { [field]: value, page: undefined }),
    current: call.query.get(field) === String(value),
  });
  switch (name) {
    case "label":
      return labelChoices(place);
    case "milestone":
      return [
        { label: t("noMilestone"), ...narrowed("milestone", -1) },
        ...openMilestones(place).map(({ id, title }) => ({ label: title, ...narrowed("milestone", id) })),
      ];
    case "project":
      return [
        { label: t("noProject"), ...narrowed("project", -1) },
        ...boardsOf(place).map(({ id, title }) => ({ label: title, ...narrowed("project", id) })),
      ];
    case "author":
      return services.itemLists
        .posters(seen, isPull, "", MAX_AUTHORS)
        .map(({ login }) => ({ label: login, ...narrowed("poster", login) }));
    case "assignee":
      return [
        { label: t("nobody"), ...narrowed("assignee", "(none)") },
        { label: t("anybody"), ...narrowed("assignee", "(any)") },
        ...assignable(place).map(({ id, login }) => ({ label: login, ...narrowed("assignee", id) })),
      ];
    case "order":
      return orders(call, filter, here, labelsOf(place));
  }
}

/** Each choice toggles its label; with the Alt key it excludes items that have the label. */
function labelChoices(place: MenuPlace): ListChoice[] {
  const { call, here } = place;
  const labels = labelsOf(place);
  const t = wordsFor(call, issueListWords);
  const set = labelIds(call);
  const showsArchived = /^(1|true|on)$/.test(call.query.get("archived_labels") ?? "");
  const without = (id: number) => set.filter((each) => Math.abs(Number(each)) !== id && each !== "0");
  const shown = labels.filter(({ archivedAt }) => showsArchived || archivedAt === undefined);
  return [
    { label: t("noLabel"), href: withLabels(here, ["0"]), current: set.includes("0") },
    ...shown.slice(0, MAX_CHOICES).map(({ id, name }) => ({
      label: name,
      href: withLabels(here, set.includes(String(id)) ? without(id) : [...without(id), String(id)]),
      altHref: withLabels(here, set.includes(String(-id)) ? without(id) : [...without(id), String(-id)]),
      current: set.includes(String(id)),
      excluded: set.includes(String(-id)),
    })),
    ...(shown.length === labels.length
      ? []
      : [{ label: t("archivedLabels"), href: withQuery(here, { archived_labels: "true" }) }]),
  ];
}

/** The filters set by the menus, each with a link that removes it. */
export function chosenFilters(place: MenuPlace): ChosenFilter[] {
  const { call, here, seen, services } = place;
  const t = wordsFor(call, issueListWords);
  const set = labelIds(call);
  const names = new Map(set.length === 0 ? [] : labelsOf(place).map(({ id, name }) => [id, name]));
  const value = (name: string) => call.query.get(name) ?? "";
  const chip = (name: string, what: string, shown: string | undefined): ChosenFilter[] =>
    value(name) === "" || shown === undefined
      ? []
      : [{ label: `${what}: ${shown}`, href: withQuery(here, { [name]: undefined, page: undefined }) }];
  const milestoneId = Number(value("milestone")) || 0;
  const milestone = milestoneId > 0 ? services.milestones.find(seen, milestoneId)?.title : undefined;
  const boards = value("project") === "" ? [] : services.itemProjects.usable(seen);
  const board = boards.find(({ id }) => String(id) === value("project"))?.title;
  const assignee = value("assignee");
  const assigneeId = Number(assignee) || 0;
  const login = assigneeId > 0 ? services.identity.byId(assigneeId)?.login : undefined;
  return [
    ...set.flatMap((id): ChosenFilter[] => {
      const name = id === "0" ? t("noLabel") : names.get(Math.abs(Number(id)));
      const label = id.startsWith("-") ? t("withoutLabel", { label: name ?? "" }) : `${t("label")}: ${name}`;
      const others = set.filter((each) => each !== id);
      return name === undefined ? [] : [{ label: id === "0" ? name : label, href: withLabels(here, others) }];
    }),
    ...chip("milestone", t("milestone"), value("milestone") === "-1" ? t("noMilestone") : milestone),
    ...chip("project", t("project"), value("project") === "-1" ? t("noProject") : board),
    ...chip("poster", t("author"), value("poster").slice(0, 50)),
    ...chip(
      "assignee",
      t("assignee"),
      assignee === "(none)" ? t("nobody") : assignee === "(any)" ? t("anybody") : login,
    ),
  ];
}
