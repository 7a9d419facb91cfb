import { type Static, Type } from "@sinclair/typebox";
import { text, whole, yesNo } from "../../http/fields.ts";
import { UserResource } from "../../identity/resource.ts";
import { LabelResource, labelResource } from "../../labels/resource.ts";
import { MilestoneResource, milestoneResource } from "../../milestones/resource.ts";
import { TeamResource, teamResource } from "../../organizations/resource.ts";
import type { Services } from "../../services.ts";
import { TrackedTimeResource, trackedTimeResources } from "../../time/resource.ts";
import { CommentResource, commentResources, entryFields, entryParts, peopleOf } from "../comments/resource.ts";
import { IssueResource, issueResources } from "../resource.ts";
import type { SeenIssue } from "../types.ts";
import type { TimelineEntry, TimelineKind } from "./types.ts";

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const TimelineResource = Type.Object(
  {
    ...entryFields,
    type: text("Type of the entry: comment, close, label, comment_ref and so on."),
    old_project_id: whole("The board it was removed from; 0 if none."),
    project_id: whole("The board it was added to; 0 if none."),
    old_milestone: orNull(MilestoneResource, "The previous milestone; null if there was none or it was deleted."),
    milestone: orNull(MilestoneResource, "The new milestone; null if there is none or it was deleted."),
    tracked_time: orNull(TrackedTimeResource, "The logged time; null if it was deleted."),
    old_title: text("The previous title."),
    new_title: text("The new title."),
    old_ref: text("The previous branch."),
    new_ref: text("The new branch."),
    ref_issue: orNull(IssueResource, "The item that refers to this one; null if it was deleted."),
    ref_comment: orNull(CommentResource, "The comment that refers to this item; null if it was deleted."),
    ref_action: text("none, closes or reopens (on merge), or neutered (the reference was removed)."),
    ref_commit_sha: text("The commit that refers to this item."),
    review_id: whole("Number of the review; 0 if none."),
    label: orNull(LabelResource, "The label that was added or removed."),
    assignee: orNull(UserResource, "The account that was assigned or asked for a review."),
    assignee_team: orNull(TeamResource, "The team that was asked for a review."),
    removed_assignee: yesNo("Whether the assignee or the request was removed."),
    resolve_doer: orNull(UserResource, "Always null, because comments on lines are not listed here."),
    dependent_issue: orNull(IssueResource, "The item it depends on, or that depends on it."),
  },
  { $id: "TimelineComment", description: "An entry in the timeline of an issue or a pull request." },
);
export type TimelineResource = Static<typeof TimelineResource>;

const references: ReadonlySet<TimelineKind> = new Set<TimelineKind>(["issue_ref", "pull_ref", "comment_ref"]);
const dependencies: ReadonlySet<TimelineKind> = new Set<TimelineKind>(["add_dependency", "remove_dependency"]);

/** An item's timeline as its viewer may see it: a fixed number of queries for any number of entries. */
export function timelineResources(
  services: Services,
  item: SeenIssue,
  entries: readonly TimelineEntry[],
): TimelineResource[] {
  const { identity, issues, labels, links, milestones, teams, timeline, times } = services;
  const { seen } = item;
  const all = <T>(of: (entry: TimelineEntry) => T | undefined) => [
    ...new Set(entries.flatMap((entry) => of(entry) ?? [])),
  ];
  const person = peopleOf(services, seen.principal, [...all((each) => each.userId), ...all((each) => each.assigneeId)]);
  const known = identity.byIds(all((each) => each.assigneeId));
  const labelsById = labels.byIds(all((each) => each.labelId));
  const milestonesById = milestones.byIds([...all((each) => each.milestoneId), ...all((each) => each.oldMilestoneId)]);
  const teamsById = new Map(teams.byIds(all((each) => each.teamId)).map((team) => [team.id, team]));
  const others = issues.seeEach(
    seen.principal,
    all((each) => each.otherIssueId),
  );
  const otherResources = new Map(issueResources(services, others).map((resource) => [resource.id, resource]));
  const otherItems = new Map(others.map((other) => [other.issue.id, other]));
  const otherEntries = [...timeline.byIds(all((each) => each.otherEntryId)).values()].flatMap((entry) => {
    const other = otherItems.get(entry.issueId);
    return other ? [{ item: other, entry }] : [];
  });
  const otherComments = new Map(commentResources(services, otherEntries).map((resource) => [resource.id, resource]));
  const booked = [...times.byIds(all((each) => each.trackedTimeId)).values()];
  const timesById = new Map(trackedTimeResources(services, booked, [item]).map((resource) => [resource.id, resource]));
  const milestoneOf = (id: number | undefined) => {
    const milestone = id === undefined ? undefined : milestonesById.get(id);
    return milestone ? milestoneResource(milestone) : null;
  };
  return entries.map((entry): TimelineResource => {
    const { kind } = entry;
    const label = labelsById.get(entry.labelId ?? 0);
    const team = teamsById.get(entry.teamId ?? 0);
    const other = otherResources.get(entry.otherIssueId ?? 0) ?? null;
    const isTitle = kind === "change_title";
    const isRef = !isTitle && kind !== "project_board";
    return {
      ...entryParts({ item, entry }, links),
      user: person(entry.userId),
      type: kind,
      old_project_id: entry.oldProjectId,
      project_id: entry.projectId,
      old_milestone: milestoneOf(entry.oldMilestoneId),
      milestone: milestoneOf(entry.milestoneId),
      tracked_time: timesById.get(entry.trackedTimeId ?? 0) ?? null,
      old_title: isTitle ? entry.oldText : "",
      new_title: isTitle ? entry.newText : "",
      old_ref: isRef ? entry.oldText : "",
      new_ref: isRef ? entry.newText : "",
      ref_issue: references.has(kind) ? other : null,
      ref_comment: otherComments.get(entry.otherEntryId ?? 0) ?? null,
      ref_action: entry.refAction,
      ref_commit_sha: entry.commitId,
      review_id: entry.reviewId ?? 0,
      label: label ? labelResource(label, seen, links) : null,
      assignee: known.has(entry.assigneeId ?? 0) ? person(entry.assigneeId) : null,
      assignee_team: team ? teamResource(team, null) : null,
      removed_assignee: entry.isRemoval,
      resolve_doer: null,
      dependent_issue: dependencies.has(kind) ? other : null,
    };
  });
}
