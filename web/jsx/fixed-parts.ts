import { useLanguage } from "../language.ts";
import type { Markup } from "./markup.ts";
import { raw, trustHtml } from "./raw.ts";
import type { JSX } from "./types.ts";

/**
 * Caches parts of pages that depend only on the language and a few values: most of a page's frame is the same on every
 * page a visitor reads.
 */
export class FixedParts {
  private readonly parts = new Map<string, Markup>();

  /** @param most number of parts to cache, a few kilobytes each; the oldest is evicted first */
  constructor(private readonly most = 500) {}

  /**
   * The part for these values in the language of the page. Only inside a component.
   * @param values its name and everything it depends on besides the language, as JSON values
   */
  of(values: readonly unknown[], make: () => JSX.Element): Markup {
    const key = useLanguage().code + JSON.stringify(values);
    const known = this.parts.get(key);
    if (known) return known;
    const made = raw(trustHtml(make().toString()));
    const [oldest] = this.parts.keys();
    if (this.parts.size >= this.most && oldest !== undefined) this.parts.delete(oldest);
    this.parts.set(key, made);
    return made;
  }
}
