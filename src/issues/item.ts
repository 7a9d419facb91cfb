import { type Call, param } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";
import { seenRepo } from "../repos/subject.ts";
import type { IssueService } from "./service.ts";
import type { SeenIssue } from "./types.ts";

/** The item named by `:index` in the path. @throws NotFound */
export function seenIssue(call: Call, issues: IssueService): SeenIssue {
  const seen = seenRepo(call);
  issues.requireReadable(seen);
  const index = param(call, "index");
  return issues.see(seen, /^\d{1,15}$/.test(index) ? Number(index) : 0);
}

/** The same, for routes whose error names the missing item, as clients expect. @throws NotFound */
export function namedIssue(call: Call, issues: IssueService): SeenIssue {
  try {
    return seenIssue(call, issues);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    const number = param(call, "index");
    throw new NotFound("issue.missing", { params: { number, repo: seenRepo(call).repo.id } });
  }
}
