import { type Call, param } from "../http/route.ts";
import { seenRepo } from "../repos/subject.ts";
import type { IssueService } from "./service.ts";
import type { SeenIssue } from "./types.ts";

/** The item that `:index` of the path names. @throws NotFound */
export function seenIssue(call: Call, issues: IssueService): SeenIssue {
  const seen = seenRepo(call);
  issues.requireReadable(seen);
  const index = param(call, "index");
  return issues.see(seen, /^\d{1,15}$/.test(index) ? Number(index) : 0);
}
