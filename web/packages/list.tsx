import { typeNames } from "../../src/packages/types.ts";
import { type Person, PersonName } from "../components/avatar.tsx";
import { SearchButton } from "../components/list-search.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { useLanguage, useWords } from "../language.ts";
import { packagesWords } from "./words/index.ts";

export interface PackageItem {
  readonly name: string;
  readonly version: string;
  readonly type: keyof typeof typeNames;
  readonly href: string;
  readonly owner: Person;
  readonly creator: Person;
  readonly at: Instant;
  /** The linked repository, if the reader may see it. */
  readonly repo?: { readonly name: string; readonly href: string } | undefined;
  /** Total size of the version's files; absent: not shown. */
  readonly sizeBytes?: number | undefined;
}

export interface PackageListProps {
  /** URL of the form. */
  readonly action: string;
  readonly query: string;
  readonly type: string;
  /** Types that have any packages. */
  readonly types: readonly (keyof typeof typeNames)[];
  readonly items: readonly PackageItem[];
  readonly pages: PageOf;
  /** Names the owner of each. */
  readonly ofEveryone?: boolean;
}

/** Packages, each with its latest version. */
export function PackageList({ action, items, ofEveryone = false, pages, query, type, types }: PackageListProps) {
  const t = useWords(packagesWords);
  const isNarrowed = query !== "" || type !== "";
  return (
    <>
      <search>
        <form class="search-form" method="get" action={action}>
          <input
            type="search"
            name="q"
            value={query}
            aria-label={t("find")}
            placeholder={t("find")}
            data-hotkey="/,s"
          />
          <select name="type" aria-label={t("type")} data-submit="">
            <option value="">{t("anyType")}</option>
            {types.map((each) => (
              <option value={each} selected={each === type}>
                {typeNames[each]}
              </option>
            ))}
          </select>
          <SearchButton />
        </form>
      </search>
      <Card title={t("packages")} flush>
        {items.length === 0 ? (
          <EmptyState icon="package" title={isNarrowed ? t("noMatch") : t("none")}>
            {isNarrowed ? undefined : t("noneHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {items.map((item) => (
              <PackageRow item={item} showsOwner={ofEveryone} />
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
    </>
  );
}

function PackageRow({ item, showsOwner }: { item: PackageItem; showsOwner: boolean }) {
  const t = useWords(packagesWords);
  const language = useLanguage();
  return (
    <li class="list-row">
      <div>
        {showsOwner ? (
          <>
            <PersonName person={item.owner} />
            {" / "}
          </>
        ) : null}
        <a href={item.href}>
          <strong>{item.name}</strong> {item.version}
        </a>{" "}
        <Badge>{typeNames[item.type]}</Badge>
      </div>
      <p class="muted">
        {t.jsx("published", { time: <Time at={item.at} />, person: <PersonName person={item.creator} /> })}
        {item.repo ? (
          <>
            {" · "}
            <a href={item.repo.href}>{item.repo.name}</a>
          </>
        ) : null}
        {item.sizeBytes === undefined ? null : ` · ${language.size(item.sizeBytes)}`}
      </p>
    </li>
  );
}
