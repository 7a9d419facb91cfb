import type { SafeHtml } from "../markup/safe-html.ts";

/**
 * The content of a mail, written once: `textPart` and the HTML of web/mail/html-part.tsx are rendered from the same
 * blocks, so that the two parts always agree.
 */
export type MailBlock =
  | { readonly kind: "paragraph"; readonly text: string }
  /** The main action, as a link. */
  | { readonly kind: "action"; readonly label: string; readonly href: string }
  /** A user's text: as written, and as sanitised HTML. */
  | { readonly kind: "written"; readonly text: string; readonly html: SafeHtml }
  /** Small print below. */
  | { readonly kind: "note"; readonly text: string };

export interface MailContent {
  readonly subject: string;
  readonly blocks: readonly MailBlock[];
  /** Its language code; absent: English. */
  readonly language?: string;
}

/** A mail in its two parts, as it is sent. */
export interface MailParts {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const WIDTH = 72;

/** The plain-text part: paragraphs wrapped at 72 columns, links on their own lines. */
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
 * Prevents mail programs from turning a user-chosen name into a link (security rule G15): inserts an invisible space
 * into what looks like an address.
 */
export function unlinked(name: string): string {
  return name.replace(/[.:@/](?=[^\s])/g, (sign) => `${sign}\u200b`);
}
