import type { Links } from "../../kernel/links.ts";
import { type SafeHtml, trustHtml } from "../../markup/safe-html.ts";
import type { Markup } from "../../markup/service.ts";
import type { ReferenceService } from "../../references/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { SeenRepo } from "../../repos/types.ts";

export interface MailTextParts {
  readonly links: Links;
  readonly markup: Markup;
  readonly references: ReferenceService;
  readonly storage: RepoStorage;
}

/** Texts about a repository, for mails. */
export class MailTexts {
  constructor(private readonly parts: MailTextParts) {}

  /** As the receiver would see it, with absolute addresses. @param seen by the receiver */
  async html(seen: SeenRepo, text: string): Promise<SafeHtml> {
    const { links, markup, references, storage } = this.parts;
    const marked = await markup.markdown(text, {
      links: { kind: "repo", repo: { owner: seen.owner.login, name: seen.repo.name } },
      hardBreaks: true,
    });
    const [html = ""] = await storage.reading(() =>
      references.resolve({ principal: seen.principal, repo: seen }, marked),
    );
    const whole = (name: "href" | "src") => (element: HTMLRewriterTypes.Element) => {
      const address = element.getAttribute(name) ?? "";
      if (URL.canParse(address, links.rootUrl)) element.setAttribute(name, new URL(address, links.rootUrl).href);
    };
    const rewriter = new HTMLRewriter().on("[href]", { element: whole("href") }).on("[src]", { element: whole("src") });
    // Already sanitised; only addresses were changed.
    return trustHtml(rewriter.transform(String(html)));
  }
}
