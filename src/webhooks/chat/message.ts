/** An event as a chat message, independent of the service. */
export interface ChatMessage {
  /** One line without the actor. */
  readonly line: readonly Span[];
  readonly actor: { readonly name: string; readonly url: string; readonly avatarUrl: string };
  readonly repo: { readonly fullName: string; readonly url: string } | undefined;
  /** The page to link to. */
  readonly url: string;
  /** Text of a comment, or the commits of a push; empty: none. */
  readonly lines: readonly (readonly Span[])[];
  /** Additional facts, for services that show a table. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** Six hexadecimal digits. */
  readonly color: string;
}

/** A piece of text, possibly a link. */
export interface Span {
  readonly text: string;
  readonly url?: string | undefined;
}

/** How a service formats text and links. */
export interface Markup {
  text(text: string): string;
  link(text: string, url: string): string;
}

export const plain: Markup = { text: (text) => text, link: (text) => text };

export const markdown: Markup = {
  text: (text) => text.replace(/[\\`*_[\]<>]/g, "\\$&"),
  link: (text, url) => `[${markdown.text(text)}](${url.replace(/[()\s]/g, encodeURIComponent)})`,
};

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

export const html: Markup = {
  text: (text) => text.replace(/[&<>"]/g, (character) => entities[character] ?? character),
  link: (text, url) => `<a href="${html.text(url)}">${html.text(text)}</a>`,
};

export function written(spans: readonly Span[], markup: Markup): string {
  return spans.map(({ text, url }) => (url ? markup.link(text, url) : markup.text(text))).join("");
}

export function writtenLines({ lines }: ChatMessage, markup: Markup): string {
  return lines.map((line) => written(line, markup)).join("\n");
}

/** The line, and the actor. */
export function withActor({ actor, line }: ChatMessage): Span[] {
  return [...line, { text: " by " }, { text: actor.name, url: actor.url }];
}
