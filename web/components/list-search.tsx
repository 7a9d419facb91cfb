import { Icon } from "./icon.tsx";

/** Search words and order above a list: a plain GET form, so the address is the state. */
export function ListSearch(props: {
  action: string;
  query: string;
  sort: string;
  sorts: readonly { readonly value: string; readonly label: string }[];
  label: string;
  /** Other parameters of the page to keep. */
  keep?: Readonly<Record<string, string>>;
}) {
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
          data-hotkey="/,s,Ctrl+K"
        />
        <select name="sort" aria-label="Order" data-submit="">
          {props.sorts.map((sort) => (
            <option value={sort.value} selected={sort.value === props.sort}>
              {sort.label}
            </option>
          ))}
        </select>
        <button type="submit" class="btn" title="Search">
          <Icon name="search" /> <span class="wide-only">Search</span>
        </button>
      </form>
    </search>
  );
}
