import type { DomainEvent } from "../events/types.ts";
import type { IssueService } from "../issues/service.ts";
import type { Timeline } from "../issues/timeline/service.ts";
import type { Issue } from "../issues/types.ts";

/** A feed entry about an issue or a pull request (contract issues.md 26.1). */
export interface ItemEntry {
  readonly kind: string;
  /** `<number>|<title or text>` */
  readonly content: string;
  readonly unit: "issues" | "pulls";
  readonly issueId: number;
  readonly entryId: number | null;
}

export interface ItemEntryNeeds {
  readonly issues: IssueService;
  readonly timeline: Timeline;
}

/** Maximum length of a comment's excerpt. */
const MAX_EXCERPT = 200;

/** Undefined: no entry, or the item has been deleted. */
export function itemEntryOf(event: DomainEvent, needs: ItemEntryNeeds): ItemEntry | undefined {
  switch (event.kind) {
    case "issue.created":
      return entry(event.payload, needs, "create_issue", "create_pull_request", ({ title }) => title);
    case "issue.state-changed": {
      const { entryId = null, isClosed, isMerge } = event.payload;
      // Merging has an entry of its own.
      if (isMerge) return undefined;
      const [ofIssue, ofPull] = isClosed
        ? ["close_issue", "close_pull_request"]
        : ["reopen_issue", "reopen_pull_request"];
      const made = entry(event.payload, needs, ofIssue ?? "", ofPull ?? "", () => "");
      return made && { ...made, entryId };
    }
    case "comment.created": {
      const said = needs.timeline.byIds([event.payload.entryId]).get(event.payload.entryId);
      if (!said) return undefined;
      const made = entry(event.payload, needs, "comment_issue", "comment_pull", () => excerpt(said.body));
      return made && { ...made, entryId: said.id };
    }
    case "pull.merged": {
      const kind = event.payload.isScheduled ? "auto_merge_pull_request" : "merge_pull_request";
      return entry(event.payload, needs, "", kind, ({ title }) => title);
    }
    case "pull.reviewed": {
      const kinds = {
        approve: "approve_pull_request",
        reject: "reject_pull_request",
        comment: "comment_pull",
      } as const;
      const { entryId, kind } = event.payload;
      const said = needs.timeline.byIds([entryId]).get(entryId)?.body.trim() ?? "";
      // A review with only line comments has no text of its own.
      if (kind === "comment" && said === "") return undefined;
      const made = entry(event.payload, needs, "", kinds[kind], () => excerpt(said.split("\n", 1)[0] ?? ""));
      return made && { ...made, entryId };
    }
    default:
      return undefined;
  }
}

function entry(
  { isPull, issueId, number }: { readonly isPull: boolean; readonly issueId: number; readonly number: number },
  { issues }: ItemEntryNeeds,
  ofIssue: string,
  ofPull: string,
  text: (issue: Issue) => string,
): ItemEntry | undefined {
  const issue = issues.byId(issueId);
  if (!issue) return undefined;
  return {
    kind: isPull ? ofPull : ofIssue,
    content: `${number}|${text(issue)}`,
    unit: isPull ? "pulls" : "issues",
    issueId,
    entryId: null,
  };
}

function excerpt(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_EXCERPT)];
  return characters.length <= MAX_EXCERPT ? characters.join("") : `${characters.slice(0, MAX_EXCERPT).join("")}…`;
}

/** The number and text of such an entry. */
export function itemContent(content: string): { readonly number: number; readonly text: string } {
  const bar = content.indexOf("|");
  return { number: Number(content.slice(0, bar)), text: content.slice(bar + 1) };
}
