import { languageNamed } from "./table.ts";

/** A language's share, for a repository's language bar. */
export interface LanguageShare {
  readonly name: string;
  readonly colour: string;
  readonly bytes: number;
  /** 0 to 100, one decimal. */
  readonly percent: number;
}

/** The languages' shares, largest first; the first is the primary language. */
export function languageShares(bytes: Readonly<Record<string, number>>): LanguageShare[] {
  const total = Object.values(bytes).reduce((sum, size) => sum + size, 0);
  return Object.entries(bytes)
    .map(([name, size]) => ({
      name,
      colour: languageNamed(name)?.colour ?? "#cccccc",
      bytes: size,
      percent: Math.round((size * 1000) / total) / 10,
    }))
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
}
