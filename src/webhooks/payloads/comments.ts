import { commentResource } from "../../issues/comments/resource.ts";
import type { SeenComment } from "../../issues/comments/service.ts";
import { issueResource } from "../../issues/resource.ts";
import { NotFound } from "../../kernel/errors.ts";
import { pullResource } from "../../pulls/resource.ts";
import type { Services } from "../../services.ts";
import type { Happening, HookHappenings } from "../happenings.ts";
import { changesFrom, personOf, repoOf, seenBy } from "./common.ts";

/** What is said under issues and pull requests (contract webhooks.md 6.6). Reviews have events of their own. */
export function addCommentHappenings(services: Services, happenings: HookHappenings): void {
  happenings.add("comment.created", ({ principal, repoId }, payload) => {
    const comment = commentOf(services, repoId, payload.entryId);
    return comment ? [told(services, comment, "created", principal?.userId)] : [];
  });
  happenings.add("comment.edited", ({ principal, repoId }, payload) => {
    const comment = commentOf(services, repoId, payload.entryId);
    const changes = changesFrom({ body: { from: payload.before } });
    return comment ? [told(services, comment, "edited", principal?.userId, { changes })] : [];
  });
  happenings.addFarewell("comment.deleted", ({ principal, repoId }, { entryId }) => {
    const comment = commentOf(services, repoId, entryId);
    if (!comment) return [];
    const { item } = comment;
    // It still counts until the row is gone.
    const after = { ...item, issue: { ...item.issue, comments: Math.max(0, item.issue.comments - 1) } };
    return [told(services, { ...comment, item: after }, "deleted", principal?.userId)];
  });
}

/** A plain comment; undefined: it is gone, or an entry of another kind. */
function commentOf(services: Services, repoId: number | undefined, entryId: number): SeenComment | undefined {
  const seen = seenBy(services, repoId);
  if (!seen) return undefined;
  try {
    const found = services.comments.find(seen, entryId);
    return found.entry.kind === "comment" ? found : undefined;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

function told(
  services: Services,
  comment: SeenComment,
  action: "created" | "edited" | "deleted",
  senderId: number | undefined,
  extra: { readonly changes?: object } = {},
): Happening {
  const { item } = comment;
  const { isPull } = item.issue;
  const pull = isPull ? services.pulls.of(item) : undefined;
  return {
    type: isPull ? "pull_request_comment" : "issue_comment",
    payload: {
      action,
      issue: issueResource(services, item),
      ...(pull ? { pull_request: pullResource(services, pull) } : {}),
      comment: commentResource(services, comment),
      ...extra,
      repository: repoOf(services, item.seen),
      sender: personOf(services, senderId),
      is_pull: isPull,
    },
  };
}
