import type { SafeHtml } from "../markup/safe-html.ts";

/**
 * What a mail says, written once: `textPart` and the HTML of web/mail/html-part.tsx are made from the same blocks, so
 * the two parts never say different things.
 */
export type MailBlock =
  | { readonly kind: "paragraph"; readonly text: string }
  /** The one thing to do, as a link. */
  | { readonly kind: "action"; readonly label: string; readonly href: string }
  /** What someone wrote: as they wrote it, and as sanitised HTML. */
  | { readonly kind: "written"; readonly text: string; readonly html: SafeHtml }
  /** Small print below. */
  | { readonly kind: "note"; readonly text: string };

export interface MailContent {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  /** The code of the language it is in; absent: English. */
  readonly language?: string;
}

/** A mail in its two parts, as it goes out. */
export interface MailParts {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const WIDTH = 72;

/** The plain-text part: paragraphs wrapped at 72 columns, a link on a line of its own. */
export function textPart(content: MailContent, signature: string): string {
  const blocks = content.blocks.map((block) => {
    if (block.kind === "action") return `${block.label}:\n${block.href}`;
    return block.kind === "written" ? block.text : wrapped(block.text);
  });
  return `${blocks.join("\n\n")}\n\n-- \n${signature}\n`;
}

function wrapped(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length + 1 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}

/**
 * A name that someone chose, so that no mail program makes a link of it (security rule G15): an invisible space goes
 * into what looks like an address.
 */
export function unlinked(name: string): string {
  return name.replace(/[.:@/](?=[^\s])/g, (sign) => `${sign}\u200b`);
}
