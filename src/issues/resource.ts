import { type Static, Type } from "@sinclair/typebox";
import { anonymous } from "../access/principal.ts";
import { text, time, whole, yesNo } from "../http/fields.ts";
import { UserResource, userResources } from "../identity/resource.ts";
import { ghost } from "../identity/system-users.ts";
import { rfc3339, ZERO_TIME } from "../kernel/clock.ts";
import { LabelResource, labelResource } from "../labels/resource.ts";
import type { Label } from "../labels/types.ts";
import { MilestoneResource, milestoneResource } from "../milestones/resource.ts";
import { ProjectResource, projectResource } from "../projects/resource.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Services } from "../services.ts";
import { issueAddress, issuePage } from "./addresses.ts";
import { AttachmentResource, attachmentResource } from "./attachments/resource.ts";
import type { SeenIssue } from "./types.ts";

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const timeOrNull = (description: string) => orNull(Type.String({ format: "date-time" }), description);

export const RepositoryMetaResource = Type.Object(
  {
    id: whole("Number of the repository."),
    name: text("Its name."),
    owner: text("Name of its owner."),
    full_name: text("Owner and name, separated by a slash."),
  },
  { $id: "RepositoryMeta", description: "The repository of an item, in short." },
);

export const PullRequestMetaResource = Type.Object(
  {
    merged: yesNo("Whether it was merged."),
    merged_at: timeOrNull("When it was merged."),
    draft: yesNo("Whether it is a draft, according to its title."),
    html_url: text("Its page."),
  },
  { $id: "PullRequestMeta", description: "Fields specific to pull requests." },
);
export type PullRequestMetaResource = Static<typeof PullRequestMetaResource>;

export const IssueResource = Type.Object(
  {
    id: whole("Number of the item on this server; never used again."),
    url: text("API address of the item."),
    html_url: text("Its page."),
    number: whole("Number in its repository, counted for issues and pull requests together."),
    user: UserResource,
    original_author: text(
      "Its author on the forge it was imported from; empty if it was written here or they have an account here.",
    ),
    original_author_id: whole("Their number on that forge."),
    title: text("Its title."),
    body: text("Its text, as Markdown."),
    ref: text("The branch or tag it is about; empty if none."),
    assets: Type.Array(AttachmentResource, {
      description: "The files attached to it, excluding those of its comments.",
    }),
    labels: Type.Array(LabelResource, { description: "Its labels, sorted by name." }),
    milestone: orNull(MilestoneResource, "Its milestone."),
    assignee: orNull(UserResource, "Its first assignee, for older clients."),
    assignees: Type.Array(UserResource, { description: "The assignees." }),
    state: text("open or closed."),
    is_locked: yesNo("Whether it is locked, so that only people with write access may comment."),
    comments: whole("Number of comments and reviews."),
    created_at: time("When it was created."),
    updated_at: time("When it was last updated."),
    closed_at: timeOrNull("When it was closed; null while it is open."),
    due_date: timeOrNull("The due date; null if none."),
    time_estimate: whole("Estimated time in seconds; 0 if there is no estimate."),
    pull_request: orNull(PullRequestMetaResource, "Fields specific to pull requests; null for an issue."),
    repository: RepositoryMetaResource,
    projects: Type.Array(ProjectResource, { description: "The boards it is on, by number." }),
    pin_order: whole("Its position among the pinned items, from 1; 0 if not pinned."),
    content_version: whole("Increases with every change of the text; an edit may name the version it is based on."),
  },
  { $id: "Issue", description: "An issue, or the fields a pull request shares with issues." },
);
export type IssueResource = Static<typeof IssueResource>;

/** Memoizes by id, for values that many items share. */
function once<Value extends { readonly id: number }, Rest extends unknown[], Made>(
  make: (value: Value, ...rest: Rest) => Made,
): (value: Value, ...rest: Rest) => Made {
  const made = new Map<number, Made>();
  return (value, ...rest) => {
    const known = made.get(value.id);
    if (known !== undefined) return known;
    const fresh = make(value, ...rest);
    made.set(value.id, fresh);
    return fresh;
  };
}

/** Fields of issues that pull requests lack. */
export const ISSUE_ONLY = [
  "repository",
  "pull_request",
  "time_estimate",
  "ref",
  "original_author",
  "original_author_id",
] as const;
type ItemResource = Omit<IssueResource, (typeof ISSUE_ONLY)[number]>;

/** Items as their viewer may see them: a fixed number of queries for any number of items. */
export function issueResources(services: Services, items: readonly SeenIssue[]): IssueResource[] {
  const pulls = services.itemParts.of("pull_request", items);
  return itemResources(services, items, ({ issue, seen }) => ({
    original_author: issue.originalAuthor,
    original_author_id: issue.originalAuthorId,
    ref: issue.ref,
    time_estimate: issue.timeEstimate,
    pull_request: pulls.get(issue.id) ?? null,
    repository: {
      id: seen.repo.id,
      name: seen.repo.name,
      owner: seen.owner.login,
      full_name: `${seen.owner.login}/${seen.repo.name}`,
    },
  }));
}

/** The fields that issues and pull requests share. @param more adds or overrides each item's other fields */
export function itemResources<Item extends SeenIssue, More extends object>(
  services: Services,
  items: readonly Item[],
  more: (item: Item) => More,
): (ItemResource & More)[] {
  const [first] = items;
  if (!first) return [];
  const { attachments, identity, issues, itemParts, labels, links, milestones } = services;
  const { principal } = first.seen;
  const parts = issues.partsOf(items);
  const all = [...parts.values()];
  const usersById = identity.byIds([
    ...new Set([
      ...items.flatMap(({ issue }) => issue.posterId ?? []),
      ...all.flatMap(({ assigneeIds }) => assigneeIds),
    ]),
  ]);
  const labelOf = once((label: Label, seen: SeenRepo) => labelResource(label, seen, links));
  const milestoneOf = once(milestoneResource);
  const projectOf = once(projectResource);
  const people = new Map(
    userResources(services, principal, [ghost, ...usersById.values()]).map((resource) => [resource.id, resource]),
  );
  const labelsById = labels.byIds([...new Set(all.flatMap(({ labelIds }) => labelIds))]);
  const projects = itemParts.of("projects", items);
  const milestonesById = milestones.byIds([...new Set(items.flatMap(({ issue }) => issue.milestoneId ?? []))]);
  const files = attachments.ofItems(items.map(({ issue }) => issue.id));
  const person = (id: number | undefined) => {
    const found = people.get(id ?? ghost.id) ?? people.get(ghost.id);
    if (!found) throw new Error("the ghost has no resource");
    return found;
  };
  return items.map((item) => {
    const { issue, seen } = item;
    const { assigneeIds = [], labelIds = [] } = parts.get(issue.id) ?? {};
    const assignees = assigneeIds.flatMap((id) => people.get(id) ?? []);
    const milestone = milestonesById.get(issue.milestoneId ?? 0);
    const page = issuePage(item, links);
    return {
      id: issue.id,
      url: issueAddress(item, links),
      html_url: page,
      number: issue.number,
      user: person(issue.posterId),
      title: issue.title,
      body: issue.body,
      assets: (files.get(issue.id) ?? []).map((file) => attachmentResource(file, links)),
      labels: labelIds.flatMap((id) => {
        const label = labelsById.get(id);
        return label ? [labelOf(label, seen)] : [];
      }),
      milestone: milestone ? milestoneOf(milestone) : null,
      assignee: assignees[0] ?? null,
      assignees,
      state: issue.isClosed ? "closed" : "open",
      is_locked: issue.isLocked,
      comments: issue.comments,
      created_at: rfc3339(issue.createdAt),
      updated_at: rfc3339(issue.updatedAt),
      closed_at: issue.closedAt === undefined ? null : rfc3339(issue.closedAt),
      due_date: issue.dueAt === undefined ? null : rfc3339(issue.dueAt),
      projects: (projects.get(issue.id) ?? []).map((project) => projectOf(project)),
      pin_order: issue.pinOrder,
      content_version: issue.contentVersion,
      ...more(item),
    };
  });
}

/** A single item's resource. */
export function issueResource(services: Services, item: SeenIssue): IssueResource {
  const [resource] = issueResources(services, [item]);
  if (!resource) throw new Error("an item has a resource");
  return resource;
}

/** Placeholder for an item the reader may not see: shows that it exists, and nothing else. */
export function hiddenIssue(services: Services): IssueResource {
  const [nobody] = userResources(services, anonymous, [ghost]);
  if (!nobody) throw new Error("the ghost has no resource");
  return {
    id: 0,
    url: "",
    html_url: "",
    number: 0,
    user: nobody,
    original_author: "",
    original_author_id: 0,
    title: "HIDDEN",
    body: "",
    ref: "",
    assets: [],
    labels: [],
    milestone: null,
    assignee: null,
    assignees: [],
    state: "open",
    is_locked: false,
    comments: 0,
    created_at: ZERO_TIME,
    updated_at: ZERO_TIME,
    closed_at: null,
    due_date: null,
    time_estimate: 0,
    pull_request: null,
    repository: { id: 0, name: "", owner: "", full_name: "" },
    projects: [],
    pin_order: 0,
    content_version: 0,
  };
}

/** open, closed or merged, by item id. */
export function stateOf(
  { itemParts }: Pick<Services, "itemParts">,
  items: readonly SeenIssue[],
): Map<number, "open" | "closed" | "merged"> {
  const pulls = itemParts.of("pull_request", items);
  return new Map(
    items.map(({ issue }) => [issue.id, pulls.get(issue.id)?.merged ? "merged" : issue.isClosed ? "closed" : "open"]),
  );
}
