import type { Call } from "../../src/http/route.ts";
import { type ContributedFilter, type ItemFilter, isItemOrder } from "../../src/issues/list/types.ts";
import { type ParsedQuery, parseQuery } from "../../src/issues/query/parse.ts";
import { type QueryPlace, resolveQuery } from "../../src/issues/query/resolve.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";

/**
 * What the URL of a list asks for: parameters set by menus (contract issues.md 27), and the query of the search box.
 */
export interface Asked {
  readonly query: string;
  readonly parsed: ParsedQuery;
  readonly filter: ItemFilter;
  /** Neither the URL nor the query names a state. */
  readonly isAnyState: boolean;
  /** Values that match nothing here, so that the result is empty. */
  readonly unknown: readonly string[];
  /** Named by `repo:` in a list across repositories. */
  readonly repo: SeenRepo | undefined;
  readonly isFiltered: boolean;
}

const number = (text: string | null) => (text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined);

export function askedOf(
  services: WebServices,
  call: Call,
  isPull: boolean | undefined,
  seen: SeenRepo | undefined,
): Asked {
  const place: QueryPlace = { principal: call.principal, seen };
  const query = (call.query.get("q") ?? "").replaceAll("\0", "").trim();
  const parsed = parseQuery(query);
  const { filter: said, repo, unknown } = resolveQuery(services, parsed, place);
  const state = call.query.get("state") ?? "";
  const saysState = parsed.terms.some(({ name, value }) => isStateTerm(name, value));
  const isKnownState = state === "open" || state === "closed" || state === "all";
  const chosen = { ...parameterFilter(services, call), ...typeFilter(call) };
  const { state: saidState, ...rest } = said;
  const contributed = [...(chosen.contributed ?? []), ...(rest.contributed ?? [])];
  const sort = call.query.get("sort") ?? "";
  const filter: ItemFilter = {
    ...(isItemOrder(sort) ? { order: sort } : sort.startsWith("scope-") ? { scope: sort.slice(6) } : {}),
    ...chosen,
    ...rest,
    isPull: rest.isPull ?? isPull,
    state: saysState ? saidState : isKnownState ? state : "open",
    contributed: contributed.length > 0 ? contributed : undefined,
  };
  const isFiltered = query !== "" || Object.values(chosen).some((value) => value !== undefined);
  return { query, parsed, filter, isAnyState: !saysState && !isKnownState, unknown, repo, isFiltered };
}

const isStateTerm = (name: string, value: string) =>
  (name === "is" || name === "state") && ["open", "closed", "all"].includes(value.toLowerCase());

/** The filter set by menus. */
function parameterFilter({ identity }: WebServices, { query }: Call): Partial<ItemFilter> {
  const labels = (query.get("labels") ?? "")
    .split(",")
    .flatMap((id) => number(id) ?? [])
    .slice(0, 50);
  const milestone = number(query.get("milestone"));
  const project = number(query.get("project"));
  const poster = query.get("poster") ?? "";
  const assignee = query.get("assignee") ?? "";
  const wanted = labels.filter((id) => id > 0);
  const excluded = labels.filter((id) => id < 0);
  return {
    ...(wanted.length > 0 ? { labels: wanted.map((id) => [id]) } : {}),
    ...(excluded.length > 0 ? { withoutLabels: excluded.map((id) => -id) } : {}),
    ...(labels.includes(0) ? { hasNoLabel: true } : {}),
    ...(milestone === -1 ? { hasNoMilestone: true } : milestone ? { milestoneIds: [milestone] } : {}),
    ...(project === -1
      ? { contributed: [{ name: "anyProject", value: 1, isNegated: true }] }
      : project
        ? { contributed: [{ name: "project", value: project }] }
        : {}),
    ...(poster === "" ? {} : { posterId: identity.byLogin(poster)?.id ?? 0 }),
    ...assigneeFilter(assignee),
  };
}

function assigneeFilter(given: string): Partial<ItemFilter> {
  if (given === "(none)" || given === "-1") return { assignee: "none" };
  if (given === "(any)") return { assignee: "any" };
  const id = number(given);
  return id ? { assignee: id } : {};
}

/** How the items are related to the viewer. */
function typeFilter({ principal, query }: Call): Partial<ItemFilter> {
  const { user } = principal;
  if (!user) return {};
  const contribute = (name: string): Partial<ItemFilter> => {
    const filter: ContributedFilter = { name, value: user.id };
    return { contributed: [filter] };
  };
  switch (query.get("type")) {
    case "assigned":
      return { assignee: user.id };
    case "created_by":
      return { posterId: user.id };
    case "mentioned":
      return { mentionedId: user.id };
    case "review_requested":
      return contribute("reviewRequested");
    case "reviewed_by":
      return contribute("reviewed");
    default:
      return {};
  }
}
