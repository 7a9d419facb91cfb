import type { CodeQuery, FoundLine } from "../../src/search/types.ts";
import { SEARCH_MODES } from "../../src/search/types.ts";
import { Icon } from "../components/icon.tsx";
import { ALL_EVENTS, LivePart, LiveStream } from "../components/live-part.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, EmptyState, Notice } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoName, repoHref, withQuery } from "../links.ts";
import { searchWords } from "./words/index.ts";

/** A file with matching lines. */
export interface FileHit {
  /** Its repository, in searches across repositories. */
  readonly repo?: RepoName;
  readonly href: string;
  readonly path: string;
  readonly language: string;
  readonly lines: readonly FoundLine[];
  readonly matchCount: number;
}

/** A search and its results. */
export interface SearchView {
  readonly action: string;
  /** URL of the first page of this search. */
  readonly href: string;
  readonly query: CodeQuery;
  /** Why there are no results. */
  readonly refusal?: string;
  readonly hits: readonly FileHit[];
  readonly total: number;
  readonly isPartial: boolean;
  /** The searched repository is not indexed yet. */
  readonly isMissing: boolean;
  readonly languages: readonly string[];
  readonly pages: PageOf;
}

/** The search field and its options. A plain form, so the URL is the state. */
export function SearchForm({ view, label }: { view: SearchView; label: string }) {
  const t = useWords(searchWords);
  const { text, mode, language, path } = view.query;
  return (
    <search>
      <form class="search-form" method="get" action={view.action}>
        <input
          type="search"
          name="q"
          value={text}
          aria-label={label}
          placeholder={label}
          maxlength={500}
          autocomplete="off"
          spellcheck={false}
          autofocus={text === ""}
          data-hotkey="/,s"
        />
        {path === undefined ? null : <input type="hidden" name="path" value={path} />}
        {language === undefined ? null : <input type="hidden" name="l" value={language} />}
        <select name="t" aria-label={t("mode")}>
          {SEARCH_MODES.map((each) => (
            <option value={each} selected={each === mode}>
              {t(`mode-${each}`)}
            </option>
          ))}
        </select>
        <button type="submit" class="btn" title={t("search")}>
          <Icon name="search" /> <span class="wide-only">{t("search")}</span>
        </button>
      </form>
    </search>
  );
}

/** The results; `prompt` is shown before a search, `missing` while the repository is being indexed. */
export function SearchResults({ view, prompt, missing }: { view: SearchView; prompt: Children; missing: string }) {
  const t = useWords(searchWords);
  const { hits, refusal, query, total, isPartial } = view;
  if (query.text.trim() === "")
    return (
      <EmptyState icon="search" title={t("searchCode")}>
        {prompt}
      </EmptyState>
    );
  if (refusal !== undefined)
    return (
      <Notice kind="warning">
        <p>{refusal}</p>
      </Notice>
    );
  if (view.isMissing)
    return (
      <Notice kind="info">
        <p>{missing}</p>
      </Notice>
    );
  return (
    <LiveStream events={ALL_EVENTS}>
      <LivePart id="found" class="stack" on={["code.indexed"]}>
        <div class="row">
          <p class="muted" role="status">
            {isPartial ? t("atLeast", { count: total }) : t("resultCount", { count: total })}
          </p>
          <span class="grow" />
          <Languages view={view} />
        </div>
        {isPartial ? (
          <Notice kind="info">
            <p>{t("partial")}</p>
          </Notice>
        ) : null}
        {hits.length === 0 ? (
          <EmptyState icon="search" title={t("noMatch")}>
            {t("noMatchHint")}
          </EmptyState>
        ) : (
          <ol class="hits">
            {hits.map((hit) => (
              <Hit hit={hit} />
            ))}
          </ol>
        )}
        <Pagination of={view.pages} />
      </LivePart>
    </LiveStream>
  );
}

function Languages({ view }: { view: SearchView }) {
  const t = useWords(searchWords);
  const chosen = view.query.language;
  if (view.languages.length === 0 && chosen === undefined) return null;
  const all = withQuery(view.href, { l: undefined });
  return (
    <nav class="hit-languages" aria-label={t("language")}>
      {chosen === undefined ? null : <a href={all}>{t("allLanguages")}</a>}
      {view.languages.map((language) => (
        <a href={withQuery(view.href, { l: language })} aria-current={language === chosen ? "true" : undefined}>
          {language}
        </a>
      ))}
    </nav>
  );
}

function Hit({ hit }: { hit: FileHit }) {
  const t = useWords(searchWords);
  const { repo, href, path, language, lines, matchCount } = hit;
  const more = matchCount - lines.filter(({ marks }) => marks.length > 0).length;
  return (
    <li class="card">
      <header class="card-head hit-head">
        <h2>
          {repo ? (
            <>
              <a href={repoHref(repo)}>
                {repo.owner}/{repo.name}
              </a>{" "}
              <span class="muted">/</span>{" "}
            </>
          ) : null}
          <a href={href}>{path}</a>
        </h2>
        {language === "" ? null : <Badge>{language}</Badge>}
      </header>
      <div class="code tab-4 hit-lines">
        <pre>
          {lines.map((line, at) => {
            const isApart = at > 0 && line.number !== (lines[at - 1]?.number ?? 0) + 1;
            return (
              <a
                class={isApart ? "l l-apart" : "l"}
                data-n={line.number}
                href={`${href}#L${line.number}`}
                // An empty line is a link, too.
                aria-label={line.text.trim() === "" ? String(line.number) : undefined}
              >
                <Marked line={line} />
                {"\n"}
              </a>
            );
          })}
        </pre>
      </div>
      {more > 0 ? (
        <p class="hit-more">
          <a href={href}>{t("moreLines", { count: more })}</a>
        </p>
      ) : null}
    </li>
  );
}

function Marked({ line: { text, marks } }: { line: FoundLine }) {
  const parts: Children[] = [];
  let from = 0;
  for (const [start, end] of marks) {
    parts.push(text.slice(from, start), <mark>{text.slice(start, end)}</mark>);
    from = end;
  }
  parts.push(text.slice(from));
  return <>{parts}</>;
}
