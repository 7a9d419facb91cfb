import { randomBytes } from "../kernel/ids.ts";

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** 256 random bits as 52 characters of base32 (RFC 4648, lower case) after a prefix naming the kind. */
export function randomCode(prefix: "gta_" | "gto_" | "gtd_"): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of randomBytes(32)) {
    held = (held << 8) | byte;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(held >> (bits - 5)) & 31];
    held &= 31;
  }
  return prefix + text + BASE32[(held << (5 - bits)) & 31];
}

/** Without vowels and easily confused letters (RFC 8628 section 6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** A code that people copy from one screen to another: `WDJB-MJHT`. */
export function randomUserCode(): string {
  let text = "";
  while (text.length < 8) {
    const [byte = 255] = randomBytes(1);
    // The last 16 of 256 would bias some letters.
    if (byte < 240) text += LETTERS[byte % LETTERS.length];
  }
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}

/** A typed code as it is stored: upper-case letters only. */
export function normalUserCode(typed: string): string {
  const letters = typed
    .slice(0, 100)
    .toUpperCase()
    .replace(/[^A-Z]/g, "");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
