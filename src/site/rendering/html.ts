export interface ApiHtmlOptions {
  /** The site's address, without a trailing slash. */
  readonly root: string;
  readonly headingIds: boolean;
}

/**
 * Converts rendered text to the form that API clients expect (contract repositories.md 20.4): absolute addresses,
 * `rel` with one word, paragraphs with automatic direction, no anchors beside headings. The input comes from the
 * sanitiser, which escapes every quote and bracket inside text and values, so that tags can be matched by pattern.
 */
export function apiHtml(html: string, options: ApiHtmlOptions): string {
  const shaped = html
    .replace(/<a class="anchor" href="#[^"]*"[^>]*><\/a>/g, "")
    .replaceAll(' rel="nofollow ugc noopener noreferrer"', ' rel="nofollow"')
    .replaceAll("<p>", '<p dir="auto">')
    .replace(/ (href|src)="\/(?!\/)/g, (_, name: string) => ` ${name}="${options.root}/`);
  return options.headingIds ? shaped : shaped.replace(/<(h[1-6]) id="user-content-[^"]*"/g, "<$1");
}
