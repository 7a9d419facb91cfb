import type { Call } from "../../src/http/route.ts";
import { useWords } from "../language.ts";
import { adminWords } from "./words/index.ts";

/** How lists of accounts can be ordered, by the names that addresses have for it. */
export const ACCOUNT_ORDERS = {
  alphabetically: { by: "name", descending: false },
  reversealphabetically: { by: "name", descending: true },
  newest: { by: "id", descending: true },
  oldest: { by: "id", descending: false },
} as const;

type AccountSort = keyof typeof ACCOUNT_ORDERS;

const SORTS = ["alphabetically", "reversealphabetically", "newest", "oldest"] as const satisfies readonly AccountSort[];

/** The orders to choose from. Only inside a component. */
export function useAccountSorts() {
  const t = useWords(adminWords);
  return SORTS.map((value) => ({ value, label: t(value) }));
}

/** The order that an address asks for, or else by name. */
export function accountSortOf({ query }: Pick<Call, "query">): AccountSort {
  return SORTS.find((sort) => sort === query.get("sort")) ?? "alphabetically";
}
