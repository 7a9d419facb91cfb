import { ghost } from "../../src/identity/system-users.ts";
import { mayWrite } from "../../src/issues/rights.ts";
import { commentParts, linesSpokenOf } from "../../src/pulls/review/suggestions.ts";
import type { CodeComment } from "../../src/pulls/review/types.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import type { WebServices } from "../area.ts";
import type { Person } from "../components/avatar.tsx";
import type { Instant } from "../components/time.tsx";
import type { TextBoxProps } from "../conversation/comment-form.tsx";
import { homeOfItem, itemHref } from "../conversation/entries.ts";
import { boxActions } from "../conversation/item-data.ts";
import type { ConversationTexts } from "../conversation/texts.ts";
import type { SafeHtml } from "../jsx/raw.ts";
import { absentPerson, personIn, personOf } from "../people.ts";

/** A part of a comment: text, or a suggestion that replaces lines. */
export type ShownPart =
  | { readonly kind: "text"; readonly html: SafeHtml }
  | {
      readonly kind: "suggestion";
      /** `12.0`: the comment and the index of its suggestion. */
      readonly name: string;
      readonly removed: readonly string[];
      readonly added: readonly string[];
    };

export interface ThreadComment {
  readonly id: number;
  readonly person: Person;
  readonly at: Instant;
  readonly isEdited: boolean;
  readonly isPending: boolean;
  readonly parts: readonly ShownPart[];
  /** URL that edits its text; absent when the viewer may not. */
  readonly edit: string | undefined;
  readonly remove: string | undefined;
}

/** Comments of one review on the same lines. */
export interface ThreadView {
  /** Id of the first comment. */
  readonly id: number;
  readonly path: string;
  readonly line: number;
  readonly startLine: number;
  readonly hunk: string;
  readonly isOutdated: boolean;
  readonly isPending: boolean;
  readonly isResolved: boolean;
  readonly resolver: string;
  readonly comments: readonly ThreadComment[];
  /** URL of the pull request, the base of its forms. */
  readonly href: string;
  /** Base URL of the forms of all items. */
  readonly items: string;
  /** URLs for the text box of a reply. */
  readonly box: Pick<TextBoxProps, "previewAction" | "suggestAction" | "uploadAction">;
  readonly may: { readonly reply: boolean; readonly resolve: boolean; readonly apply: boolean };
}

/** The threads of line comments, in the order of their first comments; all texts are rendered together. */
export async function threadsOf(
  services: WebServices,
  texts: ConversationTexts,
  item: SeenPull,
  comments: readonly CodeComment[],
): Promise<ThreadView[]> {
  if (comments.length === 0) return [];
  const { codeComments, identity, suggestions } = services;
  const { issue, seen } = item;
  const { user } = seen.principal;
  const people = identity.byIds([
    ...new Set(comments.flatMap((each) => [each.userId ?? [], each.resolverId ?? []].flat())),
  ]);
  const person = (comment: CodeComment) => personIn(people, comment.userId) ?? absentPerson(comment);
  const pendingId = services.reviews.pendingOf(item)?.id;
  const pieces = comments.flatMap((comment) => commentParts(comment.body).map((part) => ({ comment, part })));
  const written = pieces.flatMap(({ comment, part }, at) =>
    part.kind === "text" ? [{ at, text: part.text, suffix: `${comment.id}-${at}` }] : [],
  );
  const rendered = await texts.show(seen, written);
  const html = new Map(written.map(({ at }, place) => [at, rendered[place]]));
  const partsOf = (comment: CodeComment): ShownPart[] => {
    let index = 0;
    return pieces.flatMap((piece, at): ShownPart[] => {
      if (piece.comment !== comment) return [];
      if (piece.part.kind === "text") {
        const text = html.get(at);
        return text === undefined ? [] : [{ kind: "text", html: text }];
      }
      const count = comment.startLine === 0 ? 1 : comment.line - comment.startLine + 1;
      const removed = linesSpokenOf(comment.hunk, count);
      return [{ kind: "suggestion", name: `${comment.id}.${index++}`, removed, added: piece.part.lines }];
    });
  };
  const isOpen = !seen.repo.isArchived && user !== undefined;
  const may = {
    reply: isOpen && (!issue.isLocked || mayWrite(item)),
    resolve: isOpen && codeComments.mayResolve(item),
    apply: isOpen && suggestions.mayApply(item),
  };
  const box = boxActions(services, item);
  const found = new Map<string, CodeComment[]>();
  for (const comment of comments.toSorted((a, b) => a.id - b.id)) {
    const key = `${comment.reviewId} ${comment.line} ${comment.path}`;
    found.set(key, [...(found.get(key) ?? []), comment]);
  }
  return [...found.values()].flatMap((all): ThreadView[] => {
    const [first] = all;
    if (!first) return [];
    const { hunk, id, isOutdated, isResolved, line, path, resolverId, reviewId, startLine } = first;
    const isPending = reviewId === pendingId;
    const ofAll = all.map((comment): ThreadComment => {
      const mayChange = isOpen && (comment.userId === user.id || mayWrite(item));
      const own = homeOfItem(item, `comments/${comment.id}`);
      return {
        id: comment.id,
        person: person(comment),
        at: comment.createdAt,
        isEdited: comment.updatedAt > comment.createdAt,
        isPending,
        parts: partsOf(comment),
        edit: mayChange ? `${own}/edit` : undefined,
        remove: mayChange ? `${own}/delete` : undefined,
      };
    });
    return [
      {
        ...{ id, path, line, startLine, hunk, isOutdated, isPending, isResolved },
        resolver: isResolved ? (personIn(people, resolverId) ?? personOf(ghost)).name : "",
        comments: ofAll,
        href: itemHref(item),
        items: homeOfItem(item, "issues"),
        box,
        may: {
          reply: may.reply && !isPending,
          resolve: may.resolve && !isPending,
          apply: may.apply && !isPending && !isOutdated && !isResolved && line > 0,
        },
      },
    ];
  });
}
