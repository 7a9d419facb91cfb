import type { Children } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { pageHref } from "../links.ts";
import { siteWords } from "../words/index.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface Tab {
  readonly label: string;
  readonly href: string;
  readonly icon?: IconName;
  readonly count?: number | undefined;
  readonly current?: boolean;
  readonly hotkey?: string | undefined;
  /** Also reachable another way: hidden where the row is narrow, unless it is the current one. */
  readonly isSpare?: boolean | undefined;
}

/** A row of links to sibling pages. */
export function Tabs({ tabs, label }: { tabs: readonly Tab[]; label: string }) {
  return (
    <nav class="tabs" aria-label={label}>
      <ul>
        {tabs.map((tab) => (
          <li class={tab.isSpare ? "spare" : undefined}>
            <a href={tab.href} aria-current={tab.current ? "page" : undefined} data-hotkey={tab.hotkey}>
              {tab.icon ? <Icon name={tab.icon} /> : null}
              {tab.label}
              {tab.count ? <Count value={tab.count} /> : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A small number beside a word; shows the exact value on hover when shortened. */
export function Count({ value }: { value: number }) {
  const language = useLanguage();
  return (
    <span class="count" title={value >= 1000 ? language.number(value) : undefined}>
      {language.shortNumber(value)}
    </span>
  );
}

export interface Crumb {
  readonly label: string;
  readonly href?: string;
}

/** Where this page is: each part links to its parent page; the last one is the page itself. */
export function Breadcrumb({ crumbs, label }: { crumbs: readonly Crumb[]; label?: string }) {
  const t = useWords(siteWords);
  return (
    <nav class="crumbs" aria-label={label ?? t("path")}>
      <ol>
        {crumbs.map((crumb, at) => (
          <li>
            {crumb.href && at < crumbs.length - 1 ? (
              <a href={crumb.href}>{crumb.label}</a>
            ) : (
              <span aria-current={at === crumbs.length - 1 ? "page" : undefined}>{crumb.label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

export interface PageOf {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
  /** The list's URL with its filters; `page` is set on it. */
  readonly href: string;
}

/** Links through a counted list; nothing when everything fits on one page. */
export function Pagination({ of }: { of: PageOf }) {
  const t = useWords(siteWords);
  const pages = Math.max(1, Math.ceil(of.total / of.perPage));
  if (pages === 1) return null;
  const from = Math.max(1, Math.min(of.page - 2, pages - 4));
  const near = Array.from({ length: Math.min(5, pages) }, (_, at) => from + at);
  const first = (of.page - 1) * of.perPage + 1;
  return (
    <nav class="pagination" aria-label={t("pages")}>
      <PageLink href={of.page > 1 ? pageHref(of.href, of.page - 1) : undefined} rel="prev">
        <Icon name="chevron-left" /> {t("previous")}
      </PageLink>
      {(near[0] ?? 1) > 1 ? <PageNumber of={of} page={1} /> : null}
      {(near[0] ?? 1) > 2 ? <span class="gap">…</span> : null}
      {near.map((page) => (
        <PageNumber of={of} page={page} />
      ))}
      {(near.at(-1) ?? pages) < pages - 1 ? <span class="gap">…</span> : null}
      {(near.at(-1) ?? pages) < pages ? <PageNumber of={of} page={pages} /> : null}
      <PageLink href={of.page < pages ? pageHref(of.href, of.page + 1) : undefined} rel="next">
        {t("next")} <Icon name="chevron-right" />
      </PageLink>
      <span class="position">
        {t("positionOf", { from: first, to: Math.min(of.total, first + of.perPage - 1), total: of.total })}
      </span>
    </nav>
  );
}

/** Links through an uncounted list: older and newer only. */
export function Pager(props: { newer?: string | undefined; older?: string | undefined; label?: string }) {
  const { newer, older } = props;
  const t = useWords(siteWords);
  if (!newer && !older) return null;
  return (
    <nav class="pagination" aria-label={props.label ?? t("pages")}>
      <PageLink href={newer} rel="prev">
        <Icon name="chevron-left" /> {t("newer")}
      </PageLink>
      <PageLink href={older} rel="next">
        {t("older")} <Icon name="chevron-right" />
      </PageLink>
    </nav>
  );
}

function PageNumber({ of, page }: { of: PageOf; page: number }) {
  const t = useWords(siteWords);
  return (
    <a
      href={pageHref(of.href, page)}
      aria-current={page === of.page ? "page" : undefined}
      aria-label={t("page", { number: page })}
    >
      {page}
    </a>
  );
}

function PageLink({ href, rel, children }: { href: string | undefined; rel: "prev" | "next"; children: Children }) {
  if (!href) return <span class="off">{children}</span>;
  return (
    <a href={href} rel={rel} data-hotkey={rel === "prev" ? "p" : "n"}>
      {children}
    </a>
  );
}
