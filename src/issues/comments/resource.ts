import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole } from "../../http/fields.ts";
import { UserResource, userResources } from "../../identity/resource.ts";
import { ghost } from "../../identity/system-users.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import type { Links } from "../../kernel/links.ts";
import type { Services } from "../../services.ts";
import { issuePage } from "../addresses.ts";
import { AttachmentResource, attachmentResource } from "../attachments/resource.ts";
import type { SeenIssue } from "../types.ts";
import type { SeenComment } from "./service.ts";

/** Fields common to comments and all other timeline entries. */
export const entryFields = {
  id: whole("Number of the entry; never used again."),
  html_url: text("Address of the comment on the item's page."),
  pull_request_url: text("Page of its pull request; empty for an issue."),
  issue_url: text("Page of its issue; empty for a pull request."),
  user: UserResource,
  body: text("The text, as Markdown."),
  created_at: time("When it was created."),
  updated_at: time("When its text last changed."),
};

export const CommentResource = Type.Object(
  {
    ...entryFields,
    assets: Type.Array(AttachmentResource, { description: "The files attached to it." }),
    original_author: text(
      "Its author on the forge it was imported from; empty if it was written here or they have an account here.",
    ),
    original_author_id: whole("Their number on that forge."),
  },
  { $id: "Comment", description: "A comment on an issue or a pull request." },
);
export type CommentResource = Static<typeof CommentResource>;

/** An entry's anchor on its item's page. */
export function entryPage(item: SeenIssue, id: number, links: Links): string {
  return `${issuePage(item, links)}#issuecomment-${id}`;
}

/** The fields every entry has, except its author. */
export function entryParts({ item, entry }: SeenComment, links: Links) {
  const page = issuePage(item, links);
  return {
    id: entry.id,
    html_url: entryPage(item, entry.id, links),
    pull_request_url: item.issue.isPull ? page : "",
    issue_url: item.issue.isPull ? "" : page,
    body: entry.body,
    created_at: rfc3339(entry.createdAt),
    updated_at: rfc3339(entry.updatedAt),
  };
}

/** The accounts with these ids as the viewer sees them; the ghost for deleted ones. */
export function peopleOf(
  services: Services,
  viewer: SeenIssue["seen"]["principal"],
  ids: readonly (number | undefined)[],
): (id: number | undefined) => UserResource {
  const users = services.identity.byIds([...new Set(ids.flatMap((id) => id ?? []))]);
  const people = new Map(
    userResources(services, viewer, [ghost, ...users.values()]).map((resource) => [resource.id, resource]),
  );
  return (id) => {
    const found = people.get(id ?? ghost.id) ?? people.get(ghost.id);
    if (!found) throw new Error("the ghost has no resource");
    return found;
  };
}

/** Comments as their viewer may see them: a fixed number of queries for any number of comments. */
export function commentResources(services: Services, comments: readonly SeenComment[]): CommentResource[] {
  const [first] = comments;
  if (!first) return [];
  const person = peopleOf(
    services,
    first.item.seen.principal,
    comments.map(({ entry }) => entry.userId),
  );
  const files = services.attachments.ofEntries(comments.map(({ entry }) => entry.id));
  return comments.map((comment) => ({
    ...entryParts(comment, services.links),
    user: person(comment.entry.userId),
    assets: (files.get(comment.entry.id) ?? []).map((file) => attachmentResource(file, services.links)),
    original_author: comment.entry.originalAuthor,
    original_author_id: comment.entry.originalAuthorId,
  }));
}

/** A single comment's resource. */
export function commentResource(services: Services, comment: SeenComment): CommentResource {
  const [resource] = commentResources(services, [comment]);
  if (!resource) throw new Error("a comment has a resource");
  return resource;
}
