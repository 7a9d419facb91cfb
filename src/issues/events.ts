import type { TimelineKind } from "./timeline/types.ts";

/** Events about issues and pull requests; each carries the item's unit. */
export interface IssueEvent {
  readonly issueId: number;
  readonly number: number;
  readonly isPull: boolean;
}

declare module "../events/types.ts" {
  interface EventPayloads {
    "issue.created": IssueEvent;
    /** Changed fields (title, body, ref, due date …) and their old values, if short enough. */
    "issue.edited": IssueEvent & { fields: string[]; before: Record<string, string> };
    /** `isMerge`: a pull request was closed by merging it. `commitId`: the commit whose message or merge caused it. */
    "issue.state-changed": IssueEvent & { isClosed: boolean; isMerge?: boolean; commitId?: string; entryId?: number };
    /** Both are empty if the labels to add were already set. `isCleared`: all were removed by request. */
    "issue.labels-changed": IssueEvent & { added: number[]; removed: number[]; isCleared: boolean };
    "issue.milestone-changed": IssueEvent & { oldId: number | null; newId: number | null };
    "issue.assignee-changed": IssueEvent & { userId: number; isAssigned: boolean };
    "issue.lock-changed": IssueEvent & { isLocked: boolean };
    "issue.pin-changed": IssueEvent & { isPinned: boolean };
    "issue.deleted": IssueEvent & { title: string };
    /** A deleted item was restored as it was. */
    "issue.restored": IssueEvent;
    "comment.created": IssueEvent & { entryId: number };
    "comment.edited": IssueEvent & { entryId: number; before: string };
    "comment.deleted": IssueEvent & { entryId: number };
    "comment.restored": IssueEvent & { entryId: number };
    /** A reaction was added or removed; without an entry, on the item itself. */
    "reaction.changed": IssueEvent & { entryId: number | null };
    /** A new entry on the item's timeline; live pages listen for this. */
    "timeline.appended": { issueId: number; entryId: number; kind: TimelineKind };
  }
}
