import type { Call } from "../../src/http/route.ts";
import { useWords } from "../language.ts";
import { adminWords } from "./words/index.ts";

/** Sort orders of account lists, by their names in URLs. */
export const ACCOUNT_ORDERS = {
  alphabetically: { by: "name", descending: false },
  reversealphabetically: { by: "name", descending: true },
  newest: { by: "id", descending: true },
  oldest: { by: "id", descending: false },
} as const;

type AccountSort = keyof typeof ACCOUNT_ORDERS;

const SORTS = ["alphabetically", "reversealphabetically", "newest", "oldest"] as const satisfies readonly AccountSort[];

/** The sort orders to choose from. Only inside a component. */
export function useAccountSorts() {
  const t = useWords(adminWords);
  return SORTS.map((value) => ({ value, label: t(value) }));
}

/** The sort order in the URL; by name if there is none. */
export function accountSortOf({ query }: Pick<Call, "query">): AccountSort {
  return SORTS.find((sort) => sort === query.get("sort")) ?? "alphabetically";
}
