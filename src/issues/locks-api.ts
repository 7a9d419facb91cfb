import { Type } from "@sinclair/typebox";
import { maybeText } from "../http/fields.ts";
import { noContent } from "../http/respond.ts";
import { type Call, type Route, takes } from "../http/route.ts";
import type { Services } from "../services.ts";
import { changesItems } from "./access.ts";
import { namedIssue } from "./item.ts";
import { requireAdminister } from "./rights.ts";

const path = "/api/v1/repos/:owner/:repo/issues/:index/lock";

const LockBody = Type.Object(
  { lock_reason: maybeText("A short reason.") },
  { $id: "LockIssueOption", description: "How to lock an issue." },
);

/**
 * Locking items over REST requires an administrator; on pages, everyone with write access may lock (contract issues.md
 * 6).
 */
export function lockRoutes({ issues, itemLocks }: Services): Route[] {
  const api = { surface: "api", path, access: changesItems } as const;
  const params = { index: "Number of the item." };
  const administrators = { description: "The caller is not an administrator of the repository." };
  const administered = (call: Call) => {
    const item = namedIssue(call, issues);
    requireAdminister(item);
    return item;
  };
  return [
    {
      ...api,
      method: "PUT",
      doc: {
        id: "issueLockIssue",
        tag: "issue",
        summary: "Lock an issue",
        params,
        answers: { 204: { description: "Locked; only people with write access may comment." }, 403: administrators },
      },
      ...takes(
        LockBody,
        (call, { lock_reason }) => {
          itemLocks.lock(administered(call), lock_reason ?? "");
          return noContent();
        },
        { before: administered },
      ),
    },
    {
      ...api,
      method: "DELETE",
      doc: {
        id: "issueUnlockIssue",
        tag: "issue",
        summary: "Unlock an issue",
        params,
        answers: { 204: { description: "Unlocked; everyone who can read it may comment." }, 403: administrators },
      },
      handle: (call) => {
        itemLocks.unlock(administered(call));
        return noContent();
      },
    },
  ];
}
