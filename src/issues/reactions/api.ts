import { Type } from "@sinclair/typebox";
import { maybeText } from "../../http/fields.ts";
import { lists } from "../../http/query.ts";
import { json, noContent, page } from "../../http/respond.ts";
import { type Call, type Route, takes } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import { changesItems, readsItems } from "../access.ts";
import type { Parent } from "../attachments/service.ts";
import { seenComment } from "../comments/api.ts";
import { seenIssue } from "../item.ts";
import { writtenKinds } from "../timeline/types.ts";
import { ReactionResource, reactionResources } from "./resource.ts";

const ReactionBody = Type.Object(
  { content: maybeText("Short name of an emoji, one of those in `/settings/ui`.") },
  { $id: "EditReactionOption", description: "A reaction." },
);

/** Reactions over REST (contract issues.md 10). */
export function reactionRoutes(services: Services): Route[] {
  const { links, reactions } = services;
  const repo = "/api/v1/repos/:owner/:repo/issues";
  const ofItem = (call: Call): Parent => ({ item: seenIssue(call, services.issues), entry: undefined });
  const ofComment = (call: Call): Parent => {
    const comment = seenComment(call, services);
    if (!writtenKinds.has(comment.entry.kind)) throw new NotFound();
    return comment;
  };
  const shown = { description: "The reaction.", schema: ReactionResource };
  const refused = { description: "The reaction is not allowed, the item is locked, or the caller is blocked." };

  const below = (
    path: string,
    ids: readonly [string, string],
    thing: string,
    parentOf: (call: Call) => Parent,
  ): Route[] => {
    const params: Record<string, string> = path.includes(":index")
      ? { index: "Number of the item." }
      : { id: "Number of the comment." };
    const common = { surface: "api", path } as const;
    return [
      {
        ...common,
        method: "POST",
        access: changesItems,
        doc: {
          id: ids[0],
          tag: "issue",
          summary: `React to ${thing}`,
          params,
          answers: { 200: { ...shown, description: "The reaction was already there." }, 201: shown, 403: refused },
        },
        ...takes(ReactionBody, (call, { content = "" }) => {
          const parent = parentOf(call);
          const { isNew, reaction } = reactions.add(parent, content);
          const [resource] = reactionResources(services, call.principal, [reaction]);
          return json(resource, isNew ? 201 : 200);
        }),
      },
      {
        ...common,
        method: "DELETE",
        access: changesItems,
        doc: {
          id: ids[1],
          tag: "issue",
          summary: `Remove a reaction from ${thing}`,
          params,
          answers: { 204: { description: "Removed." }, 403: refused },
        },
        ...takes(ReactionBody, (call, { content = "" }) => {
          reactions.remove(parentOf(call), content);
          return noContent();
        }),
      },
    ];
  };
  const listed = { 200: { description: "Oldest first.", schema: Type.Array(ReactionResource) } };
  return [
    ...below(
      `${repo}/:index/reactions`,
      ["issuePostIssueReaction", "issueDeleteIssueReaction"],
      "an issue or a pull request",
      ofItem,
    ),
    {
      surface: "api",
      method: "GET",
      path: `${repo}/:index/reactions`,
      access: readsItems,
      doc: {
        id: "issueGetIssueReactions",
        tag: "issue",
        summary: "List the reactions to an issue or a pull request",
        params: { index: "Number of the item." },
        answers: listed,
      },
      ...lists({}, (call) => {
        const { items, total } = reactions.list(ofItem(call), call.paging);
        const { path, paging, principal, query } = call;
        return page(reactionResources(services, principal, items), total, {
          rootUrl: links.rootUrl,
          path,
          query,
          paging,
        });
      }),
    },
    ...below(
      `${repo}/comments/:id/reactions`,
      ["issuePostCommentReaction", "issueDeleteCommentReaction"],
      "a comment",
      ofComment,
    ),
    {
      surface: "api",
      method: "GET",
      path: `${repo}/comments/:id/reactions`,
      access: readsItems,
      doc: {
        id: "issueGetCommentReactions",
        tag: "issue",
        summary: "List the reactions to a comment",
        params: { id: "Number of the comment." },
        answers: listed,
      },
      handle: (call) => {
        const { items } = reactions.list(ofComment(call), { limit: MAX_LISTED, offset: 0 });
        return json(reactionResources(services, call.principal, items));
      },
    },
  ];
}

/** A comment's reactions are not paginated; nobody reads more of them. */
const MAX_LISTED = 1_000;
