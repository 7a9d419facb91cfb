import { atLeast } from "../../access/levels.ts";
import { accountOf } from "../../access/principal.ts";
import type { EditService } from "../../content/edits/service.ts";
import type { FileOperation } from "../../content/edits/types.ts";
import type { FileService } from "../../content/files/service.ts";
import type { Oid } from "../../git/objects/types.ts";
import { withCoAuthors } from "../../git/replay/commit.ts";
import { gitIdentityOf } from "../../identity/git-identity.ts";
import type { IdentityService } from "../../identity/service.ts";
import { Conflict, Forbidden, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import type { RepoService } from "../../repos/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { headRepoOf } from "../head-repo.ts";
import type { BranchUpdates } from "../merge/update.ts";
import type { PullPushes } from "../pushes.ts";
import type { PullService } from "../service.ts";
import type { SeenPull } from "../types.ts";
import type { CodeComments } from "./comments.ts";
import { MAX_LINE } from "./hunks.ts";
import { linesSpokenOf, suggestionsIn } from "./suggestions.ts";
import type { CodeComment } from "./types.ts";

export interface SuggestionParts {
  readonly codeComments: CodeComments;
  readonly edits: EditService;
  readonly files: FileService;
  readonly identity: IdentityService;
  readonly links: Links;
  readonly pulls: PullService;
  readonly pushes: PullPushes;
  readonly repos: RepoService;
  readonly storage: RepoStorage;
  readonly updates: BranchUpdates;
}

/** One suggestion: a comment may contain several. */
export interface ChosenSuggestion {
  readonly commentId: number;
  /** From 0. */
  readonly index: number;
}

/** New lines that replace others. */
interface Replacement {
  readonly comment: CodeComment;
  readonly first: number;
  readonly last: number;
  readonly lines: readonly string[];
}

/** Maximum per commit. */
const MAX_SUGGESTIONS = 50;
const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Turns reviewers' suggestions into commits. */
export class Suggestions {
  constructor(private readonly parts: SuggestionParts) {}

  /** Whether the caller may add commits to the head. */
  mayApply(item: SeenPull): boolean {
    const head = this.headOf(item);
    return item.seen.principal.user !== undefined && head !== undefined && this.parts.updates.mayCommit(item, head);
  }

  /**
   * Commits all of them to the head branch in one commit, or none. Their conversations are resolved.
   * @param message empty: a default one
   * @throws Forbidden if the caller may not write to the head; NotFound if a comment is on another pull request;
   *   ValidationFailed if a suggestion no longer applies, or two affect the same lines; Conflict if the branch moved; a
   *   rule's refusal
   */
  async apply(item: SeenPull, chosen: readonly ChosenSuggestion[], message: string): Promise<Oid> {
    const { codeComments, edits, pulls, pushes, storage, updates } = this.parts;
    const { pull, seen } = item;
    const head = this.headOf(item);
    if (!head || !updates.mayCommit(item, head)) throw new Forbidden("suggestion.may-not-apply");
    if (chosen.length === 0) throw new ValidationFailed("suggestion.none");
    if (chosen.length > MAX_SUGGESTIONS)
      throw new ValidationFailed("suggestion.too-many", { params: { max: MAX_SUGGESTIONS } });
    if (pulls.headTip(pull) !== pull.headOid) throw new Conflict("branch.changed");
    const replacements = chosen.map((each) => this.replacement(item, each));
    const operations = await storage.reading(() => this.operations(seen, pull.headOid, replacements));
    const { commit } = await edits.commit(head, {
      operations,
      branch: pull.headBranch,
      message: this.messageOf(item, message, replacements),
      permit: (now) => {
        if (!updates.mayCommit(pulls.refreshed(item), now)) throw new Forbidden("suggestion.may-not-apply");
      },
    });
    for (const { comment } of replacements)
      if (codeComments.mayResolve(item)) codeComments.resolve({ item, comment }, true);
    await pushes.announce(item.issue.id, seen.principal);
    return commit;
  }

  private headOf(item: SeenPull): SeenRepo | undefined {
    const head = headRepoOf(this.parts.repos, item);
    return head && atLeast(head.access.on("code"), "read") ? head : undefined;
  }

  private replacement(item: SeenPull, { commentId, index }: ChosenSuggestion): Replacement {
    const { codeComments } = this.parts;
    const found = codeComments.find(item.seen, commentId);
    if (found.item.issue.id !== item.issue.id) throw new NotFound();
    const { comment } = found;
    const lines = suggestionsIn(comment.body)[index];
    if (lines === undefined) throw new NotFound();
    if (comment.isOutdated || comment.line <= 0) throw outdated(comment);
    return { comment, first: comment.startLine || comment.line, last: comment.line, lines };
  }

  private operations(seen: SeenRepo, head: Oid, replacements: readonly Replacement[]): FileOperation[] {
    const { files } = this.parts;
    const paths = [...new Set(replacements.map(({ comment }) => comment.path))];
    return paths.map((path) => {
      const own = replacements.filter(({ comment }) => comment.path === path);
      const file = files.find(seen, head, path);
      const bytes = file?.kind === "file" ? files.bytes(seen, file.oid, MAX_FILE_BYTES) : undefined;
      if (!file || !bytes) throw outdated(own[0]?.comment);
      return { kind: "update", path, sha: file.oid, content: replaced(textOf(path, bytes), own) };
    });
  }

  private messageOf({ seen }: SeenPull, message: string, replacements: readonly Replacement[]): string {
    const { identity, links } = this.parts;
    const doer = accountOf(seen.principal);
    const ids = replacements.flatMap(({ comment }) => comment.userId ?? []).filter((id) => id !== doer.id);
    const authors = [...identity.byIds([...new Set(ids)]).values()].map((user) => gitIdentityOf(user, links));
    const usual =
      replacements.length === 1 ? "Apply suggestion from code review" : "Apply suggestions from code review";
    return withCoAuthors(message.trim() || usual, authors);
  }
}

/** @throws ValidationFailed if it is not text */
function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ValidationFailed("suggestion.no-text", { params: { path } });
  }
}

/** @throws ValidationFailed if the lines differ from those commented on, or two suggestions replace the same ones */
function replaced(text: string, replacements: readonly Replacement[]): Uint8Array {
  const lines = text.split("\n");
  const inOrder = replacements.toSorted((a, b) => a.first - b.first);
  let last = 0;
  for (const { comment, first, last: until } of inOrder) {
    if (first <= last)
      throw new ValidationFailed("suggestion.overlaps", { params: { path: comment.path, line: first } });
    last = until;
  }
  for (const { comment, first, last: until, lines: suggested } of inOrder.toReversed()) {
    const present = lines.slice(first - 1, until);
    const spokenOf = linesSpokenOf(comment.hunk, until - first + 1);
    const fits = present.length === spokenOf.length && present.every((line, at) => isSame(line, spokenOf[at] ?? ""));
    if (!fits) throw outdated(comment);
    const end = present[0]?.endsWith("\r") ? "\r" : "";
    lines.splice(first - 1, until - first + 1, ...suggested.map((line) => line + end));
  }
  return new TextEncoder().encode(lines.join("\n"));
}

/** A hunk keeps only the beginning of a long line, and drops carriage returns that a diff leaves out. */
function isSame(line: string, kept: string): boolean {
  const [plain, other] = [line.replace(/\r$/, ""), kept.replace(/\r$/, "")];
  return plain === other || (other.length >= MAX_LINE && plain.startsWith(other));
}

function outdated(comment: CodeComment | undefined): ValidationFailed {
  const params = { path: comment?.path ?? "", line: Math.abs(comment?.line ?? 0) };
  return new ValidationFailed("suggestion.outdated", { params });
}
