import { anonymous } from "../../access/principal.ts";
import { commentResource } from "../../issues/comments/resource.ts";
import type { SeenComment } from "../../issues/comments/service.ts";
import { issueResource } from "../../issues/resource.ts";
import { countedKinds } from "../../issues/timeline/types.ts";
import { NotFound } from "../../kernel/errors.ts";
import { pullResource } from "../../pulls/resource.ts";
import type { Services } from "../../services.ts";
import type { Happening, TellersOf } from "../happenings.ts";
import { changesFrom, personOf, repoOf, seenBy } from "./common.ts";

/** Comments on issues and pull requests (contract webhooks.md 6.6). Reviews have events of their own. */
export function commentTellers(services: Services) {
  return {
    "comment.created": ({ principal, repoId }, { entryId }) => {
      const comment = commentOf(services, repoId, entryId);
      return comment ? [told(services, comment, "created", principal?.userId)] : [];
    },
    "comment.edited": ({ principal, repoId }, { before, entryId }) => {
      const comment = commentOf(services, repoId, entryId);
      const changes = changesFrom({ body: { from: before } });
      return comment ? [told(services, comment, "edited", principal?.userId, { changes })] : [];
    },
    "comment.deleted": ({ principal, repoId }, { entryId }) => {
      const comment = commentOf(services, repoId, entryId);
      if (!comment) return [];
      const { entry, item } = comment;
      // It still counts until the row is deleted.
      const comments = Math.max(0, item.issue.comments - (countedKinds.has(entry.kind) ? 1 : 0));
      const after = { ...item, issue: { ...item.issue, comments } };
      return [told(services, { ...comment, item: after }, "deleted", principal?.userId)];
    },
  } satisfies TellersOf;
}

/**
 * A comment, plain or on code; undefined if it is gone, an entry of another kind, or part of a review not yet
 * submitted.
 */
function commentOf(services: Services, repoId: number | undefined, entryId: number): SeenComment | undefined {
  const seen = seenBy(services, repoId);
  if (!seen) return undefined;
  try {
    const found = services.comments.find(seen, entryId);
    const { kind } = found.entry;
    const isTold = kind === "comment" || (kind === "code" && !services.reviews.hides(anonymous, found.entry));
    return isTold ? found : undefined;
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
