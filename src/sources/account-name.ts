/** The longest name an account may have. */
const MAX_LENGTH = 40;

/** Letters that do not decompose, and their usual transliteration. */
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
 * Derives an account name from a source's name for someone: diacritics are removed, only the part of an address
 * before the `@` is used, and forbidden characters become dashes (contract identity.md 7). May be empty; may be
 * taken.
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
