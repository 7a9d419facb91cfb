/** Reads answers of other servers: whatever they send, what comes out has the type that it is asked for. */

export type Members = Readonly<Record<string, unknown>>;

export function membersOf(value: unknown): Members {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Cut at so many characters, without what no text holds. */
export function textOf(value: unknown, maxCharacters: number): string {
  if (typeof value !== "string") return "";
  const text = value.slice(0, maxCharacters).replaceAll("\0", "");
  return text.isWellFormed() ? text : text.toWellFormed();
}

export function wholeOf(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

const LATEST = Date.UTC(2200, 0);

/** Milliseconds since 1970; undefined: it is no moment of our days. */
export function timeOf(value: unknown): number | undefined {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return at > 0 && at < LATEST ? at : undefined;
}
