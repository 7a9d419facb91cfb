/** Unsaved texts of the editor, stored by the browser. */

export const DRAFT = "hearth-draft ";

export interface Draft {
  readonly content: string;
  /** The commit the form was opened at. */
  readonly commit: string;
  /** It was submitted: deleted once a page other than the editor loads. */
  readonly sent?: boolean;
}

export function readDraft(key: string): Draft | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
    const isDraft = typeof found === "object" && found !== null && "content" in found && "commit" in found;
    return isDraft ? (found as Draft) : undefined;
  } catch {
    return undefined;
  }
}

export function keep(key: string, draft: Draft | undefined): void {
  try {
    if (draft) localStorage.setItem(key, JSON.stringify(draft));
    else localStorage.removeItem(key);
  } catch {
    // Storage is full or disabled.
  }
}

/** Deletes submitted drafts once a page other than the editor loads. */
export function forgetSent(): void {
  if (document.querySelector("[data-editor]")) return;
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(DRAFT) && readDraft(key)?.sent) keep(key, undefined);
  } catch {
    // Storage is disabled.
  }
}
