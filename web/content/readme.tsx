import { Icon } from "../components/icon.tsx";
import { PlainText, Prose } from "../components/prose.tsx";
import { Menu } from "../components/surface.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { useWords } from "../language.ts";
import { type OutlineEntry, outlineOf } from "./outline.ts";
import { contentWords } from "./words/index.ts";

/** A README: rendered Markdown, or plain text. */
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
        {"html" in readme ? <Outline entries={outlineOf(readme.html)} /> : null}
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

/** Fewer headings need no outline. */
const MIN_OUTLINE = 3;

/** The outline of a document behind a button, with links to its headings. */
function Outline({ entries }: { entries: readonly OutlineEntry[] }) {
  const t = useWords(contentWords);
  if (entries.length < MIN_OUTLINE) return null;
  const top = Math.min(...entries.map(({ level }) => level));
  return (
    <Menu
      name={t("outline")}
      class="menu-end outline"
      label={
        <span class="btn btn-icon btn-quiet btn-small">
          <Icon name="three-bars" />
        </span>
      }
    >
      <nav class="menu-list" aria-label={t("outline")}>
        {entries.map(({ level, id, text }) => (
          <a class={`menu-item outline-${Math.min(level - top, 3)}`} href={`#${id}`}>
            <span class="clip">{text}</span>
          </a>
        ))}
      </nav>
    </Menu>
  );
}
