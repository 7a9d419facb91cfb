/**
 * Sentences the script says, by the names it asks for; they travel as `data-…` of the live region. `{name}` in one
 * stands for a value.
 */
export const CLIENT_WORDS = {
  copied: "Copied",
  "copy-refused": "The browser refused to copy",
  failed: "The request failed",
  close: "Close",
  shortcuts: "Keyboard shortcuts",
  "next-row": "Next row",
  "previous-row": "Previous row",
  "next-file": "Next file",
  "previous-file": "Previous file",
  "next-change": "Next change",
  "previous-change": "Previous change",
  line: "Line {line}",
  lines: "Lines {from} to {to}",
  files: "Files found: {count}",
  pushing: "A push is in progress. {progress}",
  arrived: "New commits have arrived.",
} as const;

/** The sentences as attributes: `data-copied="Copied"`. */
export function clientWordAttributes(): Record<`data-${string}`, string> {
  return Object.fromEntries(Object.entries(CLIENT_WORDS).map(([name, text]) => [`data-${name}`, text]));
}
