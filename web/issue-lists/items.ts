import type { SeenIssue } from "../../src/issues/types.ts";
import type { Milestone } from "../../src/milestones/types.ts";
import type { WebServices } from "../area.ts";
import type { Person } from "../components/avatar.tsx";
import type { Instant } from "../components/time.tsx";
import { type ShownLabel, shownLabel } from "../labels/chip.tsx";
import { type RepoName, repoHref } from "../links.ts";
import { absentPerson, personOf } from "../people.ts";

/** The state of an item; pull requests can also be merged or drafts. */
export type ItemState = "open" | "closed" | "merged" | "draft";

/** An item as a list shows it. */
export interface ItemRow {
  readonly id: number;
  readonly repo: RepoName;
  readonly number: number;
  readonly title: string;
  readonly href: string;
  readonly isPull: boolean;
  readonly state: ItemState;
  readonly isLocked: boolean;
  /** Undefined: the account was deleted. */
  readonly poster: Person | undefined;
  readonly createdAt: Instant;
  readonly closedAt: Instant | undefined;
  readonly labels: readonly ShownLabel[];
  readonly milestone: Pick<Milestone, "id" | "title"> | undefined;
  readonly assignees: readonly Person[];
  readonly comments: number;
  readonly tasks: number;
  readonly tasksDone: number;
  readonly dueAt: Instant | undefined;
  readonly isOverdue: boolean;
}

/** Rows of a list, with a fixed number of queries for all of them. */
export function itemRows(services: WebServices, items: readonly SeenIssue[]): ItemRow[] {
  const { clock, identity, issues, itemParts, labels, milestones } = services;
  const parts = issues.partsOf(items);
  const all = [...parts.values()];
  const pulls = itemParts.of("pull_request", items);
  const labelsById = labels.byIds([...new Set(all.flatMap(({ labelIds }) => labelIds))]);
  const milestonesById = milestones.byIds([...new Set(items.flatMap(({ issue }) => issue.milestoneId ?? []))]);
  const users = identity.byIds([
    ...new Set([...items.flatMap(({ issue }) => issue.posterId ?? []), ...all.flatMap((each) => each.assigneeIds)]),
  ]);
  const now = clock();
  return items.map(({ issue, seen }) => {
    const { assigneeIds = [], labelIds = [] } = parts.get(issue.id) ?? {};
    const repo = { owner: seen.owner.login, name: seen.repo.name };
    const poster = users.get(issue.posterId ?? 0);
    const pull = pulls.get(issue.id);
    return {
      id: issue.id,
      repo,
      number: issue.number,
      title: issue.title,
      href: repoHref(repo, `${issue.isPull ? "pulls" : "issues"}/${issue.number}`),
      isPull: issue.isPull,
      state: pull?.merged ? "merged" : issue.isClosed ? "closed" : pull?.draft ? "draft" : "open",
      isLocked: issue.isLocked,
      poster: poster ? personOf(poster) : issue.originalAuthor === "" ? undefined : absentPerson(issue),
      createdAt: issue.createdAt,
      closedAt: issue.closedAt,
      labels: labelIds.flatMap((id) => {
        const label = labelsById.get(id);
        return label ? [shownLabel(label)] : [];
      }),
      milestone: shownMilestone(milestonesById.get(issue.milestoneId ?? 0)),
      assignees: assigneeIds.flatMap((id) => {
        const user = users.get(id);
        return user ? [personOf(user)] : [];
      }),
      comments: issue.comments,
      tasks: issue.tasks,
      tasksDone: issue.tasksDone,
      dueAt: issue.dueAt,
      isOverdue: !issue.isClosed && issue.dueAt !== undefined && issue.dueAt < now,
    };
  });
}

const shownMilestone = (milestone: Milestone | undefined) => milestone && { id: milestone.id, title: milestone.title };
