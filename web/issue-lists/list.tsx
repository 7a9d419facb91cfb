import { LinkButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { ListBar, type ListFilter, type ListState } from "../components/list-bar.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState, Menu } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { BulkBar, type BulkChoices } from "./bulk.tsx";
import type { ItemRow } from "./items.ts";
import type { ChosenFilter } from "./menus.ts";
import { ItemRows, ItemStateIcon } from "./rows.tsx";
import { issueListWords } from "./words/index.ts";

/** Query syntax is not translated. */
const EXAMPLE = "is:open label:bug author:me";

/** The search box: a plain GET form, so the URL is the state. */
export interface QueryBoxProps {
  readonly action: string;
  readonly query: string;
  /** Other query parameters of the page to keep. */
  readonly keep: Readonly<Record<string, string>>;
  readonly saved: SavedSearchesProps | undefined;
}

export interface SavedSearchesProps {
  readonly action: string;
  readonly searches: readonly { readonly id: number; readonly name: string; readonly href: string }[];
  readonly query: string;
  readonly here: string;
}

export function QueryBox({ action, keep, query, saved }: QueryBoxProps) {
  const t = useWords(issueListWords);
  return (
    <div class="query-line">
      <search class="grow">
        <form class="search-form" method="get" action={action}>
          {Object.entries(keep).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <input
            type="search"
            name="q"
            value={query}
            aria-label={t("search")}
            placeholder={EXAMPLE}
            maxlength={1000}
            data-hotkey="/,s"
          />
          <button type="submit" class="btn" title={t("search")}>
            <Icon name="search" /> <span class="wide-only">{t("search")}</span>
          </button>
        </form>
      </search>
      {saved ? <SavedMenu saved={saved} /> : null}
    </div>
  );
}

function SavedMenu({ saved }: { saved: SavedSearchesProps }) {
  const t = useWords(issueListWords);
  return (
    <Menu
      name={t("savedSearches")}
      class="menu-end"
      wide
      label={
        <span class="btn">
          <Icon name="bookmark" /> <Icon name="triangle-down" />
        </span>
      }
    >
      {saved.searches.length === 0 ? <p class="menu-note">{t("noSavedSearches")}</p> : null}
      <ul>
        {saved.searches.map((search) => (
          <li class="saved-search">
            <a class="menu-item grow" href={search.href}>
              {search.name}
            </a>
            <form method="post" action={`${saved.action}/delete`}>
              <input type="hidden" name="id" value={search.id} />
              <input type="hidden" name="redirect_to" value={saved.here} />
              <button
                type="submit"
                class="btn btn-icon btn-quiet btn-small"
                aria-label={t("forget", { name: search.name })}
              >
                <Icon name="x" />
              </button>
            </form>
          </li>
        ))}
      </ul>
      {saved.query === "" ? null : (
        <form class="save-search" method="post" action={saved.action}>
          <input type="hidden" name="query" value={saved.query} />
          <input type="hidden" name="redirect_to" value={saved.here} />
          <input
            type="text"
            name="name"
            required
            maxlength={60}
            aria-label={t("searchName")}
            placeholder={t("searchName")}
          />
          <button type="submit" class="btn btn-small">
            {t("saveSearch")}
          </button>
        </form>
      )}
    </Menu>
  );
}

export interface ListBody {
  readonly states: readonly ListState[];
  readonly filters: readonly ListFilter[];
  readonly rows: readonly ItemRow[];
  readonly pages: PageOf;
  readonly here: string;
  /** Values of the query that match nothing. */
  readonly unknown: readonly string[];
  /** Filters set by the menus. */
  readonly chosen: readonly ChosenFilter[];
  /** The list without filters; undefined when none is set. */
  readonly clearHref: string | undefined;
  readonly showsRepo?: boolean;
  /** Actions for several items, or the URL to fetch them from; undefined: none. */
  readonly bulk?: BulkChoices | string | undefined;
}

/** The list with its header: states, menus, rows, pages. */
export function ItemList({ list, empty }: { list: ListBody; empty: Children }) {
  const t = useWords(issueListWords);
  const rows = (
    <ItemRows
      rows={list.rows}
      here={list.here}
      {...(list.bulk ? { selectable: true } : {})}
      {...(list.showsRepo ? { showsRepo: true } : {})}
    />
  );
  return (
    <>
      {list.clearHref ? (
        <p class="clear-filters">
          {list.unknown.length > 0 ? <span>{t("unknownValues", { values: list.unknown.join(", ") })} </span> : null}
          {list.chosen.map(({ href, label }) => (
            <>
              <a class="label-chip" href={href} title={t("removeFilter", { filter: label })}>
                {label} <Icon name="x" />
              </a>{" "}
            </>
          ))}
          <a href={list.clearHref}>
            <Icon name="x" /> {t("clearFilters")}
          </a>
        </p>
      ) : null}
      <Card flush>
        <ListBar label={t("states")} states={list.states} filters={list.filters} />
        {list.rows.length === 0 ? (
          empty
        ) : list.bulk ? (
          <form method="post" class="bulk-form">
            <input type="hidden" name="redirect_to" value={list.here} />
            <BulkBar choices={list.bulk} />
            {rows}
          </form>
        ) : (
          rows
        )}
      </Card>
      <Pagination of={list.pages} />
    </>
  );
}

export interface RepoItemsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly isPull: boolean;
  readonly box: QueryBoxProps;
  readonly list: ListBody;
  readonly pinned: readonly ItemRow[];
  /** URL that reorders pinned items; undefined when the viewer may not. */
  readonly pinsMoveAt: string | undefined;
  /** URL of the form for a new item; undefined when the viewer may not create one. */
  readonly newHref: string | undefined;
}

/** `GET /{owner}/{repo}/issues` and `/pulls`. */
export function RepoItemsPage({ shell, repo, isPull, box, list, newHref, pinned, pinsMoveAt }: RepoItemsProps) {
  const t = useWords(issueListWords);
  const title = t(isPull ? "pulls" : "issues");
  return (
    <RepoPage shell={shell} repo={repo} tab={isPull ? "pulls" : "issues"} title={[title]}>
      <h1 class="hidden-text">{title}</h1>
      <div class="items-top">
        <QueryBox {...box} />
        <div class="items-links">
          <LinkButton href={repoHref(repo, "labels")} icon="tag">
            {" "}
            {t("labels")}
          </LinkButton>
          <LinkButton href={repoHref(repo, "milestones")} icon="milestone">
            {" "}
            {t("milestones")}
          </LinkButton>
          {newHref ? (
            <LinkButton href={newHref} kind="primary" hotkey="c" icon="plus">
              {" "}
              {t(isPull ? "newPull" : "newIssue")}
            </LinkButton>
          ) : null}
        </div>
      </div>
      {pinned.length > 0 ? <Pinned rows={pinned} here={list.here} moveAt={pinsMoveAt} /> : null}
      <ItemList
        list={list}
        empty={<NoItems isPull={isPull} isFiltered={list.clearHref !== undefined} newHref={newHref} />}
      />
    </RepoPage>
  );
}

function Pinned(props: { rows: readonly ItemRow[]; here: string; moveAt: string | undefined }) {
  const { here, moveAt, rows } = props;
  const t = useWords(issueListWords);
  return (
    <section aria-label={t("pinned")}>
      <ul class="pinned-items">
        {rows.map((row, place) => (
          <li>
            <ItemStateIcon isPull={row.isPull} state={row.state} />
            <a href={row.href}>
              <ItemTitle text={row.title} />
            </a>
            <span class="muted">#{row.number}</span>
            {moveAt === undefined || place === 0 ? null : (
              <form class="inline" method="post" action={moveAt}>
                <input type="hidden" name="id" value={row.id} />
                <input type="hidden" name="position" value={place} />
                <input type="hidden" name="redirect_to" value={here} />
                <button
                  type="submit"
                  class="btn btn-icon btn-quiet btn-small"
                  aria-label={t("movePinForward", { number: row.number })}
                >
                  <Icon name="arrow-left" />
                </button>
              </form>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoItems(props: { isPull: boolean; isFiltered: boolean; newHref: string | undefined }) {
  const t = useWords(issueListWords);
  const icon = props.isPull ? "git-pull-request" : "issue-opened";
  if (props.isFiltered)
    return (
      <EmptyState icon="search" title={t("noMatch")}>
        {t("noMatchHint")}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={icon}
      title={t(props.isPull ? "noPulls" : "noIssues")}
      {...(props.newHref
        ? {
            action: <LinkButton href={props.newHref}>{t(props.isPull ? "newPull" : "newIssue")}</LinkButton>,
          }
        : {})}
    >
      {t(props.isPull ? "noPullsHint" : "noIssuesHint")}
    </EmptyState>
  );
}
