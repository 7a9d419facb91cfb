const UNITS = ["", "K", "M", "G", "T", "P"];

/** The shortest text that `readSize` parses as this many bytes: `10G`; -1 stays -1. */
export function sizeText(bytes: number): string {
  const fits = (at: number) => bytes > 0 && bytes % 1024 ** at === 0;
  const unit = UNITS.findLastIndex((_, at) => fits(at));
  return unit < 1 ? String(bytes) : `${bytes / 1024 ** unit}${UNITS[unit]}`;
}

/**
 * Parses a size from settings or a form: bytes, or a number with a unit (`10G`, `512 MiB`), each unit 1,024 times the
 * previous one; -1: no limit.
 * @returns undefined if it is not a size
 */
export function readSize(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(-1|\d{1,16}(?:\.\d{1,6})?)\s*(?:([KMGTP])i?)?B?$/i.exec(text.trim()) ?? [];
  if (number === "") return undefined;
  if (number === "-1") return unit === "" ? -1 : undefined;
  const bytes = Math.floor(Number(number) * 1024 ** UNITS.indexOf(unit.toUpperCase()));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
