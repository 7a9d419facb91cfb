import { type Cache, textBytes } from "../../src/kernel/cache.ts";
import { sha256Hex } from "../../src/kernel/ids.ts";
import type { MarkedHtml, SafeHtml } from "../../src/markup/safe-html.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";

/** A text on a page, and the suffix that keeps its footnote ids unique. */
export interface Written {
  readonly text: string;
  /** The comment's id; empty: the item's own text. */
  readonly suffix: string;
}

/** Texts under items, rendered once for everyone and resolved for each reader. */
export class ConversationTexts {
  private readonly rendered: Cache<string, MarkedHtml>;

  constructor(private readonly services: Pick<WebServices, "caches" | "markup" | "references" | "storage">) {
    this.rendered = services.caches.cache<string, MarkedHtml>(textBytes);
  }

  /** The texts of a page as the viewer may read them; references are looked up once for all of them. */
  async show(seen: SeenRepo, texts: readonly Written[]): Promise<SafeHtml[]> {
    const marked = await Promise.all(texts.map((text) => this.marked(seen, text)));
    const { references, storage } = this.services;
    return storage.reading(() => references.resolve({ principal: seen.principal, repo: seen }, ...marked));
  }

  private async marked({ owner, repo }: SeenRepo, { suffix, text }: Written): Promise<MarkedHtml> {
    const key = `${owner.login}/${repo.name} ${suffix} ${sha256Hex(text)}`;
    const cached = this.rendered.get(key);
    if (cached !== undefined) return cached;
    const html = await this.services.markup.markdown(text, {
      links: { kind: "repo", repo: { owner: owner.login, name: repo.name } },
      hardBreaks: true,
      ...(suffix === "" ? {} : { idSuffix: suffix }),
    });
    this.rendered.set(key, html);
    return html;
  }
}
