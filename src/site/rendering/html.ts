export interface ApiHtmlOptions {
  /** The site's address, without a slash at the end. */
  readonly root: string;
  readonly headingIds: boolean;
}

/**
 * Rendered text in the form that clients of the API know (contract repositories.md 20.4): absolute addresses, `rel` with
 * one word, paragraphs that find their own direction, no marks beside headings. The input comes from the sanitiser, which
 * escapes every quote and bracket inside text and values, so that tags can be told by pattern.
 */
export function apiHtml(html: string, options: ApiHtmlOptions): string {
  const shaped = html
    .replace(/<a class="anchor" href="#[^"]*"[^>]*><\/a>/g, "")
    .replaceAll(' rel="nofollow ugc noopener noreferrer"', ' rel="nofollow"')
    .replaceAll("<p>", '<p dir="auto">')
    .replace(/ (href|src)="\/(?!\/)/g, (_, name: string) => ` ${name}="${options.root}/`);
  return options.headingIds ? shaped : shaped.replace(/<(h[1-6]) id="user-content-[^"]*"/g, "<$1");
}
