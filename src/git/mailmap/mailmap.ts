/** A person's name and address. */
export interface NamedSignature {
  readonly name: string;
  readonly email: string;
}

/** The replacement for a person's name or address; undefined keeps the original. */
interface Replacement {
  name?: string;
  email?: string;
}

/** The entries for one address. */
interface Entry {
  /** Applies to any name. */
  readonly any: Replacement;
  /** By name, in lower case. */
  readonly byName: Map<string, Replacement>;
}

/** Any further lines are ignored: no history has that many people, and the table is held in memory. */
const MAX_LINES = 200_000;

/**
 * Maps names and addresses in commits to those that people want to be known by (gitmailmap(5)):
 *
 *     Proper Name <commit@address>
 *     <proper@address> <commit@address>
 *     Proper Name <proper@address> <commit@address>
 *     Proper Name <proper@address> Commit Name <commit@address>
 *
 * Addresses and names are matched without regard to the case of ASCII letters. If several lines match the same person,
 * the last one wins, separately for name and address.
 */
export class Mailmap {
  private readonly entries = new Map<string, Entry>();

  /** @param text the file, decoded by `decodeName` */
  constructor(text: string) {
    let lines = 0;
    for (let at = 0; at < text.length && lines++ < MAX_LINES; ) {
      const lf = text.indexOf("\n", at);
      const end = lf < 0 ? text.length : lf;
      // As in git, a NUL ends the line.
      this.addLine(text.slice(at, end).split("\0", 1)[0]!);
      at = end + 1;
    }
  }

  get isEmpty(): boolean {
    return this.entries.size === 0;
  }

  /** The person's preferred name and address; the same values if the file has no entry. */
  map(name: string, email: string): NamedSignature {
    const entry = this.entries.get(lowerCase(email));
    if (!entry) return { name, email };
    const found = entry.byName.get(lowerCase(name)) ?? entry.any;
    return { name: found.name ?? name, email: found.email ?? email };
  }

  private addLine(line: string): void {
    if (line.startsWith("#")) return;
    const first = readSignature(line, 0, false);
    if (!first) return;
    const second = readSignature(line, first.end, true);
    // If there is only one address, it is the one to match.
    const sought = second ?? { name: undefined, email: first.email };
    this.add(sought, { name: first.name, email: second ? first.email : undefined });
  }

  private add(
    sought: { readonly name: string | undefined; readonly email: string },
    to: { readonly name: string | undefined; readonly email: string | undefined },
  ): void {
    const key = lowerCase(sought.email);
    let entry = this.entries.get(key);
    if (!entry) {
      entry = { any: {}, byName: new Map() };
      this.entries.set(key, entry);
    }
    if (sought.name !== undefined) {
      entry.byName.set(lowerCase(sought.name), onlyGiven(to));
      return;
    }
    Object.assign(entry.any, onlyGiven(to));
  }
}

function onlyGiven(to: { readonly name: string | undefined; readonly email: string | undefined }): Replacement {
  return {
    ...(to.name === undefined ? {} : { name: to.name }),
    ...(to.email === undefined ? {} : { email: to.email }),
  };
}

/**
 * Parses `Name <address>` from an offset; the name is undefined if empty, an empty address is allowed only with
 * `mayBeEmpty`.
 */
function readSignature(line: string, from: number, mayBeEmpty: boolean) {
  const open = line.indexOf("<", from);
  const close = open < 0 ? -1 : line.indexOf(">", open + 1);
  if (close < 0) return undefined;
  const email = line.slice(open + 1, close);
  if (email === "" && !mayBeEmpty) return undefined;
  const name = trim(line.slice(from, open));
  return { name: name === "" ? undefined : name, email, end: close + 1 };
}

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  const isSpace = (at: number) => " \t\r\n".includes(text[at]!);
  while (start < end && isSpace(start)) start++;
  while (end > start && isSpace(end - 1)) end--;
  return text.slice(start, end);
}

function lowerCase(text: string): string {
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : text;
}
