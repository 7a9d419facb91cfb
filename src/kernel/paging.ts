/** The requested page of a list: `page` counts from 1, `limit` is the effective page size after clamping. */
export interface Paging {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

/** The allowed numbers of items per page. */
export interface PageSizes {
  readonly standard: number;
  readonly largest: number;
}

/** One page, and the total number of items that the caller can see. */
export interface Slice<T> {
  readonly items: T[];
  readonly total: number;
}

/** As lenient as Gitea: anything that is not a positive number means the default. */
export function paging(page: string | null, limit: string | null, sizes: PageSizes): Paging {
  const size = wholeNumber(limit);
  const effective = size === undefined || size <= 0 ? sizes.standard : Math.min(size, sizes.largest);
  const number = Math.max(1, wholeNumber(page) ?? 1);
  return { page: number, limit: effective, offset: Math.min((number - 1) * effective, Number.MAX_SAFE_INTEGER) };
}

function wholeNumber(text: string | null): number | undefined {
  if (text === null || !/^[+-]?\d{1,100}$/.test(text.trim())) return undefined;
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
