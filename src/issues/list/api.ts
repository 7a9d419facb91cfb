import { Type } from "@sinclair/typebox";
import type { User } from "../../access/user.ts";
import {
  flagParam,
  type ListCall,
  type ListOptions,
  lists,
  type TakesQuery,
  textParam,
  timeParam,
} from "../../http/query.ts";
import { page } from "../../http/respond.ts";
import type { Call, Route } from "../../http/route.ts";
import { BadRequest, NotFound } from "../../kernel/errors.ts";
import type { Slice } from "../../kernel/paging.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { readsItems, searchesItems } from "../access.ts";
import { ifThere } from "../query/resolve.ts";
import { IssueResource, issueResources } from "../resource.ts";
import type { SeenIssue } from "../types.ts";
import type { ContributedFilter, ItemFilter } from "./types.ts";

const common = {
  state: textParam("open, closed or all; anything else means open."),
  type: textParam("issues or pulls; anything else means both."),
  q: textParam("Text to find in titles, descriptions and comments; a number also finds the item with that number."),
  since: timeParam("Only items that changed at this time or later, as RFC 3339."),
  before: timeParam("Only items that changed at this time or earlier, as RFC 3339."),
};
const inRepo = {
  ...common,
  labels: textParam(
    "Label names of the repository, separated by commas; items must have all of them, unknown names are ignored.",
  ),
  milestones: textParam(
    "Milestone titles or numbers, separated by commas; items in any of them match, unknown ones are ignored.",
  ),
  created_by: textParam("Name of the author."),
  assigned_by: textParam("Name of the assignee."),
  mentioned_by: textParam("Name of someone mentioned in it."),
};
const everywhere = {
  ...common,
  labels: textParam("Label names, separated by commas; items with any of them match, unknown names are ignored."),
  milestones: textParam(
    "Milestone titles, separated by commas; items in any of them match, unknown titles are ignored.",
  ),
  owner: textParam("Name of the repository's owner."),
  team: textParam("Name of a team of the owner; only its repositories are searched."),
  created_by: textParam("Name of the author."),
  assigned: flagParam("Only items assigned to the caller.", false),
  created: flagParam("Only items created by the caller.", false),
  mentioned: flagParam("Only items that mention the caller.", false),
  review_requested: flagParam("Only pull requests that the caller is asked to review.", false),
  reviewed: flagParam("Only pull requests that the caller reviewed.", false),
};

/** Max names looked up. */
const MAX_NAMES = 50;

/** Lists and searches of items over REST (contract issues.md 3.1, 3.2). */
export function itemListRoutes(services: Services): Route[] {
  const api = { surface: "api", method: "GET" } as const;
  const list = { 200: { description: "A page, newest first.", schema: Type.Array(IssueResource) } };
  return [
    {
      ...api,
      path: "/api/v1/repos/issues/search",
      access: searchesItems,
      doc: {
        id: "issueSearchIssues",
        tag: "issue",
        summary: "Search issues and pull requests everywhere",
        answers: {
          ...list,
          400: { description: "There is no such owner or team." },
          404: { description: "There is no such account." },
        },
      },
      ...searchesEverywhere(services),
    },
    {
      ...api,
      path: "/api/v1/repos/:owner/:repo/issues",
      access: readsItems,
      doc: {
        id: "issueListIssues",
        tag: "issue",
        summary: "List the issues and pull requests of a repository",
        answers: {
          ...list,
          404: { description: "There is no such account, or the caller may not read these items." },
        },
      },
      ...listsItems(services),
    },
  ];
}

/** Items across everything the caller may read, for REST and page scripts. */
export function searchesEverywhere(services: Services, options: ListOptions = {}): TakesQuery {
  return lists(
    everywhere,
    async (call, asked) => {
      const { user } = call.principal;
      const filter: ItemFilter = {
        ...commonFilter(asked),
        ...ownerFilter(services, call, asked),
        posterId: asked.created_by ? named(services, call, asked.created_by).id : undefined,
        ...nameFilter(services, call, asked),
        ...(user ? ownFilter(user, asked) : {}),
      };
      return answer(services, call, await services.itemLists.search(call.principal, filter, call.paging));
    },
    options,
  );
}

/** The same for one repository. */
export function listsItems(services: Services, options: ListOptions = {}): TakesQuery {
  return lists(
    inRepo,
    async (call, asked) => {
      const seen = seenRepo(call);
      const readable = services.issues.requireReadable(seen);
      const filter: ItemFilter = {
        ...commonFilter(asked),
        ...plannedFilter(services, seen, asked),
        posterId: asked.created_by ? named(services, call, asked.created_by).id : undefined,
        assignee: asked.assigned_by ? named(services, call, asked.assigned_by).id : undefined,
        mentionedId: asked.mentioned_by ? named(services, call, asked.mentioned_by).id : undefined,
      };
      if (filter.isPull !== undefined && !(filter.isPull ? readable.pulls : readable.issues)) throw new NotFound();
      return answer(services, call, await services.itemLists.list(seen, filter, call.paging));
    },
    options,
  );
}

const answer = (services: Services, call: ListCall, { items, total }: Slice<SeenIssue>) =>
  page(issueResources(services, items), total, { rootUrl: services.links.rootUrl, ...call });

interface CommonQuery {
  readonly state: string;
  readonly type: string;
  readonly q: string;
  readonly since: number | undefined;
  readonly before: number | undefined;
}

function commonFilter({ before, q, since, state, type }: CommonQuery): ItemFilter {
  const words = q.includes("\0") ? "" : q.trim();
  return {
    state: state === "closed" || state === "all" ? state : "open",
    isPull: type === "pulls" ? true : type === "issues" ? false : undefined,
    since,
    before,
    words: words === "" ? undefined : [words],
    number: /^#?\d{1,9}$/.test(words) ? Number(words.replace("#", "")) : undefined,
  };
}

/** Resolves names of labels and milestones in a repository; unknown ones are ignored. */
function plannedFilter(
  { labels, milestones }: Services,
  seen: SeenRepo,
  asked: { readonly labels: string; readonly milestones: string },
): Pick<ItemFilter, "labels" | "milestoneIds"> {
  const names = namesIn(asked.labels);
  const own = labels.usableNamed(seen, names).filter(({ repoId }) => repoId === seen.repo.id);
  const groups = names.flatMap((name) => {
    const ids = own.flatMap((label) => (label.name === name ? [label.id] : []));
    return ids.length > 0 ? [ids] : [];
  });
  const milestoneIds = namesIn(asked.milestones).flatMap((name) => ifThere(() => milestones.get(seen, name))?.id ?? []);
  return {
    labels: groups.length > 0 ? groups : undefined,
    milestoneIds: milestoneIds.length > 0 ? milestoneIds : undefined,
  };
}

/** The same across all repositories: only names visible to the caller are resolved. */
function nameFilter(
  { itemLists }: Services,
  { principal }: Call,
  asked: { readonly labels: string; readonly milestones: string },
): Pick<ItemFilter, "labelNames" | "milestoneTitles"> {
  const labelNames = itemLists.knownLabelNames(principal, namesIn(asked.labels));
  const titles = namesIn(asked.milestones).map((title) => title.toLowerCase());
  const milestoneTitles = itemLists.knownMilestoneTitles(principal, titles);
  return {
    labelNames: labelNames.length > 0 ? labelNames : undefined,
    milestoneTitles: milestoneTitles.length > 0 ? milestoneTitles : undefined,
  };
}

/** @throws BadRequest no such owner or team visible to the caller */
function ownerFilter(
  { identity, organizations, teams }: Services,
  { principal }: Call,
  { owner, team }: { readonly owner: string; readonly team: string },
): Pick<ItemFilter, "ownerId" | "teamId"> {
  if (owner === "" && team === "") return {};
  if (owner === "") throw new BadRequest("issue.team-without-owner", { field: "team" });
  const account = identity.byLogin(owner);
  if (!account || !identity.sees(principal, account))
    throw new BadRequest("issue.unknown-user", { field: "owner", params: { name: owner } });
  if (team === "") return { ownerId: account.id };
  try {
    const seen = organizations.standingIn(principal, account);
    return { ownerId: account.id, teamId: teams.named(seen, team).team.id };
  } catch (error) {
    if (error instanceof NotFound)
      throw new BadRequest("issue.unknown-team", { field: "team", params: { name: team } });
    throw error;
  }
}

interface OwnQuery {
  readonly assigned: boolean;
  readonly created: boolean;
  readonly mentioned: boolean;
  readonly review_requested: boolean;
  readonly reviewed: boolean;
}

function ownFilter({ id }: User, asked: OwnQuery): Partial<ItemFilter> {
  const contributed: ContributedFilter[] = [
    ...(asked.review_requested ? [{ name: "reviewRequested", value: id }] : []),
    ...(asked.reviewed ? [{ name: "reviewed", value: id }] : []),
  ];
  return {
    ...(asked.assigned ? { assignee: id } : {}),
    ...(asked.created ? { posterId: id } : {}),
    ...(asked.mentioned ? { mentionedId: id } : {}),
    ...(contributed.length > 0 ? { contributed } : {}),
  };
}

/** @throws NotFound */
function named({ identity }: Services, { principal }: Call, name: string): User {
  const user = identity.byLogin(name);
  if (!user || !identity.sees(principal, user)) throw new NotFound("issue.unknown-user", { params: { name } });
  return user;
}

function namesIn(given: string): string[] {
  const names = given.split(",").flatMap((name) => name.trim() || []);
  return [...new Set(names)].slice(0, MAX_NAMES);
}
