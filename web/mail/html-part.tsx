import type { MailContent } from "../../src/mail/content.ts";
import { raw } from "../jsx/raw.ts";

/**
 * The HTML part: plain elements only, because mail programs drop style sheets and this site's JSX gate rejects inline
 * styles.
 */
export function HtmlPart({ content, site, siteUrl }: { content: MailContent; site: string; siteUrl: string }) {
  return (
    <html lang={content.language ?? "en"}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{content.subject}</title>
      </head>
      <body>
        {content.blocks.map((block) => {
          if (block.kind === "note")
            return (
              <p>
                <small>{block.text}</small>
              </p>
            );
          if (block.kind === "written") return <blockquote>{raw(block.html)}</blockquote>;
          if (block.kind === "paragraph") return <p>{block.text}</p>;
          return (
            <p>
              <a href={block.href}>
                <strong>{block.label}</strong>
              </a>
              <br />
              <small>{block.href}</small>
            </p>
          );
        })}
        <hr />
        <p>
          <small>
            <a href={siteUrl}>{site}</a>
          </small>
        </p>
      </body>
    </html>
  );
}
