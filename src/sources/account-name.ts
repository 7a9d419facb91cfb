/** The longest name an account may have. */
const MAX_LENGTH = 40;

/** Letters that are no letter with a mark, and what people write in their place. */
const WRITTEN: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  þ: "th",
  ı: "i",
};

/**
 * A name for an account out of what a source calls someone: marks are taken off letters, of an address counts what stands
 * before the `@`, and what no name may have becomes a dash (contract identity.md 7). May be empty; may be taken.
 */
export function accountNameFrom(said: string): string {
  const before = said.slice(0, 300).split("@")[0] ?? "";
  const plain = before
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßæœøđðłþı]/giu, (letter) => WRITTEN[letter.toLowerCase()] ?? letter)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/([-._])[-._]+/g, "$1");
  return trimmed(trimmed(plain).slice(0, MAX_LENGTH));
}

function trimmed(name: string): string {
  return name.replace(/^[-._]+/, "").replace(/[-._]$/, "");
}
