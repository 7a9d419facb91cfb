import { type MailContent, type MailParts, textPart } from "../../src/mail/content.ts";
import { HtmlPart } from "./html-part.tsx";

/** Renders both parts of an email from the same content. */
export function renderMail(content: MailContent, site: { name: string; rootUrl: string }): MailParts {
  return {
    subject: content.subject,
    text: textPart(content, `${site.name}\n${site.rootUrl}`),
    html: `<!doctype html>${String(<HtmlPart content={content} site={site.name} siteUrl={site.rootUrl} />)}`,
  };
}
