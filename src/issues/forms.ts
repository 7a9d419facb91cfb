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

/** A submitted form below a conversation. */
export interface Said {
  readonly text: string;
  /** Addresses of files uploaded for it. */
  readonly files: readonly string[];
  /** The requested state of the item; undefined: unchanged. */
  readonly isClosed: boolean | undefined;
}

/** Operations that one page form performs, all or nothing. */
export class ItemForms {
  constructor(private readonly needs: FormNeeds) {}

  /** Creates an issue with its files. @throws as `IssueService.create`; BadRequest a file that cannot be used */
  create(seen: SeenRepo, given: NewIssue, files: readonly string[]): SeenIssue {
    const { attachments, db, issues } = this.needs;
    return db.transaction(() => {
      const item = issues.create(seen, given);
      attachments.use({ item, entry: undefined }, files);
      return item;
    });
  }

  /**
   * Adds a comment, changes the state, or both; an empty text with a change of state adds no comment.
   * @throws as `Comments.create` and `ItemStates.set`; Forbidden the caller may not close it
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

  /** Replaces an item's text, based on a version of it. @throws as `IssueService.edit`; BadRequest */
  rewrite(item: SeenIssue, text: string, contentVersion: number, files: readonly string[]): void {
    const { attachments, db, issues } = this.needs;
    db.transaction(() => {
      issues.edit(item, { body: text, contentVersion });
      attachments.use({ item, entry: undefined }, files);
    });
  }

  /** Sets exactly the checked labels. @throws Forbidden */
  chooseLabels(item: SeenIssue, ids: readonly number[]): void {
    const { db, labelling } = this.needs;
    requireWrite(item);
    db.transaction(() => labelling.choose(item, labelling.usable(item, ids)));
  }
}
