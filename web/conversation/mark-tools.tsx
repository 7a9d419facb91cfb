import type { IconName } from "../assets/icons.ts";
import { useWords } from "../language.ts";
import { conversationWords } from "./words/index.ts";

/** The toolbar buttons: what each inserts (`client/marks.ts`), its label, its icon, and its key with Ctrl. */
const TOOLS = [
  ["heading", "heading", "heading"],
  ["bold", "bold", "bold", "B"],
  ["italic", "italic", "italic", "I"],
  ["quote", "quotation", "quote"],
  ["code", "code", "code", "E"],
  ["link", "link", "link", "K"],
  ["list", "list", "list-unordered"],
  ["numbers", "numberedList", "list-ordered"],
  ["tasks", "taskList", "tasklist"],
] as const satisfies readonly (readonly [mark: string, word: string, icon: IconName, key?: string])[];

/** The toolbar for Markdown formatting of the selection; the arrow keys move through it. */
export function MarkTools() {
  const t = useWords(conversationWords);
  return (
    <div class="mark-tools" role="toolbar" aria-label={t("formatting")}>
      {TOOLS.map(([mark, word, icon, key], place) => (
        <button
          type="button"
          class={`btn btn-icon btn-quiet btn-small i-${icon}`}
          data-mark={mark}
          tabindex={place === 0 ? undefined : -1}
          aria-label={t(word)}
          aria-keyshortcuts={key && `Control+${key}`}
          title={key ? t("withKey", { action: t(word), key }) : t(word)}
        />
      ))}
    </div>
  );
}
