import { Icon } from "../components/icon.tsx";
import { PlainText, Prose } from "../components/prose.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { useWords } from "../language.ts";
import { contentWords } from "./words/index.ts";

/** A README: rendered markdown, or a text as it is. */
export type ReadmeContent<Html = SafeHtml> = { readonly name: string; readonly href: string } & (
  | { readonly html: Html }
  | { readonly text: string }
  | { readonly tooLarge: true }
);

export function Readme({ readme }: { readme: ReadmeContent }) {
  const t = useWords(contentWords);
  return (
    <section class="card readme" aria-label="README">
      <header class="card-head">
        <Icon name="file" />
        <h2>
          <a href={readme.href}>{readme.name}</a>
        </h2>
      </header>
      <div class="card-body">
        {"html" in readme ? (
          <Prose html={readme.html} />
        ) : "text" in readme ? (
          <PlainText text={readme.text} />
        ) : (
          <p class="muted">{t("readmeTooLarge")}</p>
        )}
      </div>
    </section>
  );
}
