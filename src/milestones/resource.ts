import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole } from "../http/fields.ts";
import { rfc3339 } from "../kernel/clock.ts";
import type { Milestone } from "./types.ts";

const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: "date-time" }), Type.Null()], { description });

export const MilestoneResource = Type.Object(
  {
    id: whole("Number of the milestone; never used again."),
    title: text("Its name."),
    description: text("Description, as Markdown."),
    state: text("open or closed."),
    open_issues: whole("Number of open issues and pull requests."),
    closed_issues: whole("Number of closed issues and pull requests."),
    created_at: time("When it was created."),
    updated_at: time("When it last changed."),
    closed_at: timeOrNull("When it was closed; null while it is open."),
    due_on: timeOrNull("The due date; null if none."),
  },
  { $id: "Milestone", description: "A milestone for issues and pull requests." },
);
export type MilestoneResource = Static<typeof MilestoneResource>;

export function milestoneResource(milestone: Milestone): MilestoneResource {
  const { closedAt, dueAt } = milestone;
  return {
    id: milestone.id,
    title: milestone.title,
    description: milestone.description,
    state: closedAt === undefined ? "open" : "closed",
    open_issues: milestone.openItems,
    closed_issues: milestone.closedItems,
    created_at: rfc3339(milestone.createdAt),
    updated_at: rfc3339(milestone.updatedAt),
    closed_at: closedAt === undefined ? null : rfc3339(closedAt),
    due_on: dueAt === undefined ? null : rfc3339(dueAt),
  };
}
