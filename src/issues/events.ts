import type { TimelineKind } from "./timeline/types.ts";

/** What happens to issues and pull requests; each event has the item's unit. */
export interface IssueEvent {
  readonly issueId: number;
  readonly number: number;
  readonly isPull: boolean;
}

declare module "../events/types.ts" {
  interface EventPayloads {
    "issue.created": IssueEvent;
    /** Title, body, ref, due date …; what they were before, as far as it fits. */
    "issue.edited": IssueEvent & { fields: string[]; before: Record<string, string> };
    /** `isMerge`: a pull request was merged, which closes it. `commitId`: the commit whose words, or whose merge, did it. */
    "issue.state-changed": IssueEvent & { isClosed: boolean; isMerge?: boolean; commitId?: string; entryId?: number };
    /** Both are empty when what was to be added was there. `isCleared`: all went, as was asked. */
    "issue.labels-changed": IssueEvent & { added: number[]; removed: number[]; isCleared: boolean };
    "issue.milestone-changed": IssueEvent & { oldId: number | null; newId: number | null };
    "issue.assignee-changed": IssueEvent & { userId: number; isAssigned: boolean };
    "issue.lock-changed": IssueEvent & { isLocked: boolean };
    "issue.pin-changed": IssueEvent & { isPinned: boolean };
    "issue.deleted": IssueEvent & { title: string };
    /** It is there again, as it was deleted. */
    "issue.restored": IssueEvent;
    "comment.created": IssueEvent & { entryId: number };
    "comment.edited": IssueEvent & { entryId: number; before: string };
    "comment.deleted": IssueEvent & { entryId: number };
    "comment.restored": IssueEvent & { entryId: number };
    /** One came or went; without an entry, on the item itself. */
    "reaction.changed": IssueEvent & { entryId: number | null };
    /** Anything on the item's timeline; what live pages wait for. */
    "timeline.appended": { issueId: number; entryId: number; kind: TimelineKind };
  }
}
