import { raw, type SafeHtml } from "../jsx/raw.ts";

/**
 * User-written text, rendered and sanitised by src/markup. htmx ignores everything inside (`hx-ignore`), so that even
 * an attribute that slipped past the sanitiser makes no request (security rule G14).
 */
export function Prose({ html }: { html: SafeHtml }) {
  return (
    <div class="prose" hx-ignore="">
      {raw(html)}
    </div>
  );
}

/** Plain text with its line breaks. */
export function PlainText({ text }: { text: string }) {
  return <pre class="plain-text">{text}</pre>;
}
