import type { Database } from "../db/database.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Attachments } from "./attachments/service.ts";
import type { Comments, SeenComment } from "./comments/service.ts";
import type { Labelling } from "./labelling.ts";
import { requireEdit, requireWrite } from "./rights.ts";
import type { IssueService, NewIssue } from "./service.ts";
import type { ItemStates } from "./state.ts";
import type { SeenIssue } from "./types.ts";

export interface FormNeeds {
  readonly db: Database;
  readonly attachments: Attachments;
  readonly comments: Comments;
  readonly issues: IssueService;
  readonly itemStates: ItemStates;
  readonly labelling: Labelling;
}

/** What the form under a conversation says. */
export interface Said {
  readonly text: string;
  /** Addresses of files that were kept for it. */
  readonly files: readonly string[];
  /** What it does to the item besides; undefined: nothing. */
  readonly isClosed: boolean | undefined;
}

/** What one form of a page does in one go: all of it is true, or nothing. */
export class ItemForms {
  constructor(private readonly needs: FormNeeds) {}

  /** An issue with its files. @throws as `IssueService.create`; BadRequest a file that cannot be used */
  create(seen: SeenRepo, given: NewIssue, files: readonly string[]): SeenIssue {
    const { attachments, db, issues } = this.needs;
    return db.transaction(() => {
      const item = issues.create(seen, given);
      attachments.use({ item, entry: undefined }, files);
      return item;
    });
  }

  /**
   * A comment, a change of state, or both; an empty text with a change of state is no comment.
   * @throws as `Comments.create` and `ItemStates.set`; Forbidden who may not close it
   */
  say(item: SeenIssue, { files, isClosed, text }: Said): SeenComment | undefined {
    const { comments, db, issues, itemStates } = this.needs;
    const changesState = isClosed !== undefined && isClosed !== item.issue.isClosed;
    const isSilent = text.trim() === "" && files.length === 0;
    return db.transaction(() => {
      const made = isSilent && changesState ? undefined : comments.create(item, text, files);
      if (changesState) {
        requireEdit(item);
        itemStates.set(issues.again(item), isClosed);
      }
      return made;
    });
  }

  /** Another text of an item, based on a version of it. @throws as `IssueService.edit`; BadRequest */
  rewrite(item: SeenIssue, text: string, contentVersion: number, files: readonly string[]): void {
    const { attachments, db, issues } = this.needs;
    db.transaction(() => {
      issues.edit(item, { body: text, contentVersion });
      attachments.use({ item, entry: undefined }, files);
    });
  }

  /** The labels that are ticked, and no others. @throws Forbidden */
  chooseLabels(item: SeenIssue, ids: readonly number[]): void {
    const { db, labelling } = this.needs;
    requireWrite(item);
    db.transaction(() => labelling.choose(item, labelling.usable(item, ids)));
  }
}
