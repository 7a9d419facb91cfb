/** Sizes and counts in words (contract: web.md section 4.15). */

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

/** "1.2 MiB". */
export function sizeText(bytes: number): string {
  let amount = bytes;
  let unit = 0;
  while (amount >= 1024 && unit < UNITS.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[unit]}`;
}

/** "999", "1.2k", "34k", "1.5M"; the exact number belongs into a title. */
export function countText(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${count < 9950 ? (count / 1000).toFixed(1) : Math.round(count / 1000)}k`;
  return `${(count / 1e6).toFixed(1)}M`;
}

/** "12,345". */
export function exactText(count: number): string {
  return count.toLocaleString("en-GB");
}

/** "1 commit", "2 commits". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${exactText(count)} ${count === 1 ? one : many}`;
}
