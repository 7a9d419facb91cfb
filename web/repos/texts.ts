import type { Principal } from "../../src/access/principal.ts";
import { type SafeHtml, trustHtml } from "../../src/markup/safe-html.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";

/** A user-written Markdown description, rendered for the principal. @param seen the base of its relative links */
export async function renderedText(
  { markup, references }: Pick<WebServices, "markup" | "references">,
  principal: Principal,
  seen: SeenRepo | undefined,
  text: string,
): Promise<SafeHtml> {
  if (text.trim() === "") return trustHtml("");
  const repo = seen && { owner: seen.owner.login, name: seen.repo.name };
  const marked = await markup.markdown(text, {
    links: repo ? { kind: "repo", repo } : { kind: "none" },
    hardBreaks: true,
  });
  return references.resolve({ principal, repo: seen }, marked)[0] ?? trustHtml("");
}
