import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { siteWords } from "../words/index.ts";
import { Icon } from "./icon.tsx";

/** Search words and order above a list: a plain GET form, so the URL is the state. */
export function ListSearch(props: {
  action: string;
  query: string;
  sort: string;
  sorts: readonly { readonly value: string; readonly label: string }[];
  label: string;
  /** Other query parameters of the page to keep. */
  keep?: Readonly<Record<string, string>>;
  /** Further fields that narrow the list. */
  children?: Children;
}) {
  const t = useWords(siteWords);
  return (
    <search>
      <form class="search-form" method="get" action={props.action}>
        {Object.entries(props.keep ?? {}).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <input
          type="search"
          name="q"
          value={props.query}
          aria-label={props.label}
          placeholder={props.label}
          data-hotkey="/,s"
        />
        {props.children}
        <select name="sort" aria-label={t("order")} data-submit="">
          {props.sorts.map((sort) => (
            <option value={sort.value} selected={sort.value === props.sort}>
              {sort.label}
            </option>
          ))}
        </select>
        <SearchButton />
      </form>
    </search>
  );
}

/** On a phone only its icon is shown. */
export function SearchButton() {
  const t = useWords(siteWords);
  return (
    <button type="submit" class="btn" title={t("search")}>
      <Icon name="search" /> <span class="wide-only">{t("search")}</span>
    </button>
  );
}
