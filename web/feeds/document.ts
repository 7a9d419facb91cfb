/** RSS 2.0 and Atom (RFC 4287) as text: one feed in two formats. */

export type FeedForm = "rss" | "atom";

export interface FeedEntry {
  readonly title: string;
  /** The title is HTML; readers that only know RSS treat every title as HTML. */
  readonly hasHtmlTitle?: boolean;
  /** An absolute URL, like all URLs here. */
  readonly link: string;
  /** Unique and permanent; a URL. */
  readonly id: string;
  readonly author: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** HTML. */
  readonly content: string;
}

export interface Feed {
  readonly title: string;
  readonly description: string;
  /** The page that the feed is for. */
  readonly link: string;
  /** The feed's own URL. */
  readonly self: string;
  /** Newest first. */
  readonly entries: readonly FeedEntry[];
}

export function feedType(form: FeedForm): string {
  return `application/${form}+xml;charset=utf-8`;
}

/** The document. An empty feed is dated by its start, so that it does not change. */
export function feedDocument(feed: Feed, form: FeedForm): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${form === "rss" ? rss(feed) : atom(feed)}`;
}

function rss({ title, description, link, self, entries }: Feed): string {
  const items = entries.map(
    (entry) => `<item><title>${escaped(entry.title)}</title><link>${escaped(entry.link)}</link>
<guid isPermaLink="false">${escaped(entry.id)}</guid><pubDate>${new Date(dateOf(entry)).toUTCString()}</pubDate>
<dc:creator>${escaped(entry.author)}</dc:creator><description>${escaped(entry.content)}</description></item>`,
  );
  return `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>${escaped(title)}</title><link>${escaped(link)}</link><description>${escaped(description)}</description>
<atom:link rel="self" type="application/rss+xml" href="${escaped(self)}"/>
${items.join("\n")}
</channel></rss>\n`;
}

function atom({ title, description, link, self, entries }: Feed): string {
  const found = entries.map(
    (
      entry,
    ) => `<entry><title${entry.hasHtmlTitle ? ' type="html"' : ""}>${escaped(entry.title)}</title><link href="${escaped(entry.link)}"/>
<id>${escaped(entry.id)}</id><updated>${new Date(dateOf(entry)).toISOString()}</updated>
<author><name>${escaped(entry.author)}</name></author><content type="html">${escaped(entry.content)}</content></entry>`,
  );
  const first = entries[0];
  return `<feed xmlns="http://www.w3.org/2005/Atom">
<title>${escaped(title)}</title><subtitle>${escaped(description)}</subtitle><link href="${escaped(link)}"/>
<link rel="self" type="application/atom+xml" href="${escaped(self)}"/><id>${escaped(link)}</id>
<updated>${new Date(first ? dateOf(first) : 0).toISOString()}</updated>
${found.join("\n")}
</feed>\n`;
}

/** Git accepts any number; five-digit years are not valid in these formats. */
function dateOf({ at }: FeedEntry): number {
  return at >= 0 && at < Date.UTC(10_000, 0) ? at : 0;
}

/** Escapes text for XML; characters not allowed in XML 1.0 are dropped. */
function escaped(text: string): string {
  return Bun.escapeHTML(
    text.toWellFormed().replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ""),
  );
}
