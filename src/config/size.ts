const UNITS: Readonly<Record<string, number>> = { "": 1, b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Parses a size as people write it: `50 MiB`, `1G`, `4096`. @returns bytes; undefined if it is not a size */
export function sizeOf(text: string): number | undefined {
  const match = /^(\d{1,12}(?:\.\d{1,3})?)\s*([kmgt]?)(?:i?b)?$/i.exec(text.trim());
  const unit = UNITS[match?.[2]?.toLowerCase() ?? ""];
  return match && unit !== undefined ? Math.floor(Number(match[1]) * unit) : undefined;
}
