import type { Principal } from "../../access/principal.ts";
import { asWritten, type SafeHtml } from "../../markup/safe-html.ts";
import type { Markup } from "../../markup/service.ts";
import type { ReferenceService, Target } from "../../references/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Rendering, Wanted } from "./wanted.ts";

/** The caller, and the repository for context; without one, none is read. */
export interface Asker {
  readonly principal: Principal;
  readonly seen: SeenRepo | undefined;
}

/** Renders texts outside of repositories as the site would show them: previews of forms, and for API clients. */
export class TextRendering {
  constructor(
    private readonly markup: Markup,
    private readonly references: ReferenceService,
    private readonly storage: RepoStorage,
  ) {}

  /** @param missing replaces a reference without a target */
  async render(
    { principal, seen }: Asker,
    wanted: Wanted,
    { as, base }: Rendering,
    missing?: (number: number) => Target,
  ): Promise<SafeHtml> {
    if (as === "table") {
      const { csvTable } = await import("../../markup/csv.ts");
      return csvTable(wanted.text, wanted.filePath) ?? asWritten(wanted.text);
    }
    const hardBreaks = wanted.mode === "comment";
    const marked =
      as === "markdown"
        ? await this.markup.markdown(wanted.text, { links: base, hardBreaks })
        : await this.markup.document(as, wanted.text, { links: base });
    // Rerunning is always safe, even if others have changed rows in between.
    const reader = { principal, repo: seen, ...(missing ? { missing } : {}) };
    const [html = asWritten("")] = await this.storage.reading(() => this.references.resolve(reader, marked));
    return html;
  }
}
