import { type MailContent, type MailParts, textPart } from "../../src/mail/content.ts";
import { HtmlPart } from "./html-part.tsx";

/** Both parts of a mail from its one content. */
export function renderMail(content: MailContent, site: { name: string; rootUrl: string }): MailParts {
  return {
    subject: content.subject,
    text: textPart(content, `${site.name}\n${site.rootUrl}`),
    html: `<!doctype html>${String(<HtmlPart content={content} site={site.name} siteUrl={site.rootUrl} />)}`,
  };
}
