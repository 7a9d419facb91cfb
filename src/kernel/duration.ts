const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: MINUTE_MS,
  h: HOUR_MS,
};
const MAX_CHARACTERS = 100;

/**
 * Parses a duration as API clients write it: `8h`, `1h30m`, `-1.5h`, `0` (contract repositories.md 1.4).
 * @returns milliseconds; undefined if it is not a duration
 */
export function durationOf(text: string): number | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const sign = /^[+-]/.exec(text)?.[0] ?? "";
  const rest = text.slice(sign.length);
  if (rest === "0") return 0;
  let ms = 0;
  let end = 0;
  for (const [part, count, unit = ""] of rest.matchAll(/(\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})(ns|us|µs|ms|s|m|h)/gy)) {
    ms += Number(count) * (UNITS[unit] ?? 0);
    end += part.length;
  }
  if (end === 0 || end < rest.length || !Number.isSafeInteger(Math.round(ms))) return undefined;
  return sign === "-" ? -Math.round(ms) : Math.round(ms);
}

/** Formats a duration as the API does: `8h0m0s`, `10m0s`, `0s`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const parts = [
    ...(hours > 0 ? [`${hours}h`] : []),
    ...(hours > 0 || minutes > 0 ? [`${minutes}m`] : []),
    `${seconds % 60}s`,
  ];
  return parts.join("");
}
