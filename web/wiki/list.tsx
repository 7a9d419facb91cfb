import { type Person, PersonName } from "../components/avatar.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { RefSearch } from "../content/branches.tsx";
import { useWords } from "../language.ts";
import { wikiHref } from "./addresses.ts";
import { type PageLink, WikiFrame, type WikiPageProps } from "./frame.tsx";
import { wikiWords } from "./words/index.ts";

export interface ListedPageItem extends PageLink {
  /** Who last changed it. */
  readonly by?: Person | undefined;
  readonly at?: Instant | undefined;
  /** Lines that match the search. */
  readonly lines?: readonly string[];
}

/** `GET {W}/wiki/?action=_pages`, and search results. */
export function WikiListPage(
  props: WikiPageProps & { pages: readonly ListedPageItem[]; query?: string; of: PageOf | undefined },
) {
  const t = useWords(wikiWords);
  const { of, pages, query, repo } = props;
  return (
    <WikiFrame of={{ ...props, choices: [] }} title={t("pages")} heading={t("pages")} noIndex>
      <RefSearch action={wikiHref(repo, "search")} query={query ?? ""} label={t("search")} />
      {query === undefined ? null : <p class="muted">{t("results", { count: pages.length })}</p>}
      {pages.length === 0 ? (
        <Card>
          <EmptyState icon="bookmark" title={query === undefined ? t("noPages") : t("noMatch")}>
            {query === undefined ? undefined : t("noMatchHint")}
          </EmptyState>
        </Card>
      ) : (
        <div class="card">
          <ul class="list">
            {pages.map((page) => (
              <li class="row">
                <div class="grow clip">
                  <a href={wikiHref(repo, page.address)}>{page.title}</a>
                  {page.lines?.map((line) => (
                    <p class="muted clip">{line}</p>
                  ))}
                </div>
                {page.by && page.at !== undefined ? (
                  <span class="muted">
                    <PersonName person={page.by} /> <Time at={page.at} />
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        </div>
      )}
      {of ? <Pagination of={of} /> : null}
    </WikiFrame>
  );
}
