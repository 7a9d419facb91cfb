import { decodeText, isBinary } from "../../src/content/texts.ts";
import { type Cache, textBytes } from "../../src/kernel/cache.ts";
import { type MarkedHtml, type SafeHtml, trustHtml } from "../../src/markup/safe-html.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WikiEntry, WrittenWiki } from "../../src/wiki/types.ts";
import type { WebServices } from "../area.ts";

/** Longer pages are only available raw. */
const MAX_BYTES = 2 * 2 ** 20;

/** A text as a page shows it. */
export type ShownText = { readonly html: SafeHtml } | { readonly hidden: "tooLarge" | "noText" };

/** Wiki pages rendered to HTML, cached by blob id. */
export class RenderedPages {
  private readonly made: Cache<string, MarkedHtml>;

  constructor(private readonly services: Pick<WebServices, "caches" | "markup" | "references" | "wikis">) {
    this.made = services.caches.cache<string, MarkedHtml>(textBytes);
  }

  /** A page as a reader of the wiki sees it. @param suffix keeps its ids apart from those of other texts */
  async page(wiki: WrittenWiki, { oid }: WikiEntry, suffix = ""): Promise<ShownText> {
    const { owner, repo } = wiki.seen;
    const key = `${oid} ${owner.login}/${repo.name} ${suffix}`;
    const cached = this.made.get(key);
    if (cached !== undefined) return { html: this.forReader(wiki.seen, cached) };
    const bytes = this.services.wikis.bytes(wiki, oid, MAX_BYTES);
    if (!bytes) return { hidden: "tooLarge" };
    if (isBinary(bytes)) return { hidden: "noText" };
    const html = await this.marked(wiki.seen, decodeText(bytes), suffix);
    this.made.set(key, html);
    return { html: this.forReader(wiki.seen, html) };
  }

  /** A preview of a page's text; not cached. */
  async typed(seen: SeenRepo, text: string): Promise<SafeHtml> {
    return this.forReader(seen, await this.marked(seen, text, "preview"));
  }

  private marked({ owner, repo }: SeenRepo, text: string, suffix: string): Promise<MarkedHtml> {
    return this.services.markup.markdown(text, {
      links: { kind: "repo", repo: { owner: owner.login, name: repo.name }, below: "wiki" },
      ...(suffix === "" ? {} : { idSuffix: suffix }),
    });
  }

  private forReader(seen: SeenRepo, html: MarkedHtml): SafeHtml {
    return this.services.references.resolve({ principal: seen.principal, repo: seen }, html)[0] ?? trustHtml("");
  }
}
