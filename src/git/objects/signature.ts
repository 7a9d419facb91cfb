/** Who and when, as written in commits and tags: `Name <mail@example.org> 1700000000 +0100`. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  /** Minutes east of UTC. */
  readonly offsetMinutes: number;
}

export type SignatureIdentity = Pick<Signature, "name" | "email">;

/** The date pattern is anchored at the end and restarts at each digit: megabytes of digits would take hours. */
const MAX_DATE_CHARACTERS = 64;

/** Reads a signature line without its keyword. Tolerant: missing parts are empty or 0. */
export function parseSignature(line: string): Signature {
  const open = line.indexOf("<");
  const close = open < 0 ? -1 : line.indexOf(">", open);
  const name = (open < 0 ? line : line.slice(0, open)).trim();
  const email = open < 0 ? "" : line.slice(open + 1, close < 0 ? undefined : close).trim();
  // A stray `<` or `>` inside the name or address must not hide the date, which is after the last one.
  const date = /(-?\d+)(?:\s+([+-])(\d+))?\s*$/.exec(line.slice(line.lastIndexOf(">") + 1).slice(-MAX_DATE_CHARACTERS));
  const timestamp = Number(date?.[1] ?? 0);
  const zone = Number(date?.[3] ?? 0);
  const minutes = Math.trunc(zone / 100) * 60 + (zone % 100);
  const sane = Number.isSafeInteger(timestamp) && minutes < 100 * 60;
  return {
    name,
    email,
    timestamp: sane ? timestamp : 0,
    offsetMinutes: sane && minutes !== 0 ? (date?.[2] === "-" ? -minutes : minutes) : 0,
  };
}

/**
 * Formats a signature line without its keyword. Characters that would break the line (`<`, `>`, NUL, line ends) are
 * dropped, and both ends of name and address are trimmed, as git does.
 */
export function formatSignature(signature: Signature): string {
  const clean = (text: string) =>
    text.replace(/[<>\n\r\0]/g, "").replace(/^[\x00-\x20.,:;"\\']+|[\x00-\x20.,:;"\\']+$/g, "");
  const minutes = Math.abs(Math.trunc(signature.offsetMinutes));
  const zone = String(Math.trunc(minutes / 60) * 100 + (minutes % 60)).padStart(4, "0");
  return `${clean(signature.name)} <${clean(signature.email)}> ${Math.trunc(signature.timestamp)} ${signature.offsetMinutes < 0 ? "-" : "+"}${zone}`;
}
