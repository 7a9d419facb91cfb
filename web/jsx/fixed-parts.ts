import { useLanguage } from "../language.ts";
import type { Markup } from "./markup.ts";
import { raw, trustHtml } from "./raw.ts";
import type { JSX } from "./types.ts";

/**
 * Parts of pages that follow from the language and a few values alone, and are made once for each: most of a frame is the
 * same on all pages that someone reads.
 */
export class FixedParts {
  private readonly parts = new Map<string, Markup>();

  /** @param most so many are kept, of a few kilobytes each; the one made longest ago goes first */
  constructor(private readonly most = 500) {}

  /**
   * The part of these values in the language of the page. Only inside a component.
   * @param values its name and all it follows from besides the language, as JSON has them
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
