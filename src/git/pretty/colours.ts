/** Colour values (git-config(1), "color"), for `%C(always,…)`; all other colours are off here. */

const NAMES = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const ATTRIBUTES: Readonly<Record<string, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  ul: [4, 24],
  blink: [5, 25],
  reverse: [7, 27],
  strike: [9, 29],
};

/** The escape sequence for words such as `bold red`; undefined when they are not a colour. */
export function colourSequence(words: string): string | undefined {
  const codes: string[] = [];
  const colours: string[] = [];
  let found = 0;
  for (const word of words.split(/[ \t\r\n]+/).filter(Boolean)) {
    if (word === "reset") {
      codes.unshift("");
      continue;
    }
    const colour = found < 2 ? colourCode(word, found === 0 ? 30 : 40) : undefined;
    if (colour !== undefined) {
      found++;
      if (colour !== "") colours.push(colour);
      continue;
    }
    const attribute = /^(no-?)?(.+)$/.exec(word);
    const codesOf = attribute && Object.hasOwn(ATTRIBUTES, attribute[2]!) ? ATTRIBUTES[attribute[2]!] : undefined;
    if (!codesOf) return undefined;
    codes.push(String(attribute![1] === undefined ? codesOf[0] : codesOf[1]));
  }
  const all = [...codes.sort((a, b) => Number(a) - Number(b)), ...colours];
  return all.length === 0 ? "" : `\x1b[${all.join(";")}m`;
}

/** @param base 30 for the foreground, 40 for the background */
function colourCode(word: string, base: number): string | undefined {
  if (word === "normal" || word === "-1") return "";
  if (word === "default") return String(base + 9);
  const bright = word.startsWith("bright");
  const index = NAMES.indexOf(bright ? word.slice("bright".length) : word);
  if (index >= 0) return String(index + base + (bright ? 60 : 0));
  if (/^#[0-9a-fA-F]{6}$/.test(word)) {
    const parts = [1, 3, 5].map((at) => Number.parseInt(word.slice(at, at + 2), 16));
    return `${base + 8};2;${parts.join(";")}`;
  }
  if (!/^\d{1,3}$/.test(word) || Number(word) > 255) return undefined;
  const number = Number(word);
  if (number < 8) return String(number + base);
  return number < 16 ? String(number - 8 + base + 60) : `${base + 8};5;${number}`;
}
