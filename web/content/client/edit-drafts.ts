/** Texts of the editor that were typed and not saved yet, kept by the browser. */

export const DRAFT = "hearth-draft ";

export interface Draft {
  readonly content: string;
  /** What the form was opened at. */
  readonly commit: string;
  /** It was sent: gone once a page comes that is no editor. */
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
    // No room, or the browser keeps nothing.
  }
}

/** What was sent is no draft any more once a page comes that is no editor. */
export function forgetSent(): void {
  if (document.querySelector("[data-editor]")) return;
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith(DRAFT) && readDraft(key)?.sent) keep(key, undefined);
  } catch {
    // The browser keeps nothing.
  }
}
