/**
 * Names that a file system takes for `.git`, `.gitmodules` and the like although their bytes differ: HFS+ ignores case
 * and some code points, NTFS ignores case, trailing dots and spaces and anything after a colon, and has short names
 * (`GIT~1`). Checking out a tree with such a name would write to the user's own repository (CVE-2014-9390,
 * CVE-2019-1352, CVE-2019-1354, CVE-2018-11235).
 */

export type SpecialFile = "gitmodules" | "gitattributes" | "gitignore" | "mailmap";

/** NTFS's fallback short names: the first characters of a hash of the long name. */
const FALLBACK_PREFIX: Record<SpecialFile, string> = {
  gitmodules: "gi7eba",
  gitattributes: "gi7d29",
  gitignore: "gi250a",
  mailmap: "maba30",
};

/** Whether some checkout would take the name for `.git`. `name`: one character per byte (latin1). */
export function isDotGit(name: string): boolean {
  return isHfsDot(name, "git") || isNtfsDotGit(name);
}

/**
 * Whether NTFS takes the name for `.git`; also used for parts of a name after a backslash, which is a separator on
 * Windows.
 */
export function isNtfsDotGit(name: string): boolean {
  return /^(?:\.git|git~1)[. ]*(?:$|[\\/:])/i.test(name);
}

/** Whether some checkout would take the name for `.<file>`. */
export function isSpecialFile(name: string, file: SpecialFile): boolean {
  return isHfsDot(name, file) || isNtfsSpecialFile(name, file);
}

export function isNtfsSpecialFile(name: string, file: SpecialFile): boolean {
  const lower = name.toLowerCase();
  if (lower.startsWith(`.${file}`)) return endsOnNtfs(lower, file.length + 1);
  if (lower.startsWith(file.slice(0, 6)) && /^~[1-4]$/.test(lower.slice(6, 8))) return endsOnNtfs(lower, 8);
  const short = lower.slice(0, 8);
  const tilde = short.indexOf("~");
  if (short.length < 8 || tilde < 0 || tilde > 6) return false;
  const digits = /^~[1-9][0-9]*$/.test(short.slice(tilde));
  return digits && FALLBACK_PREFIX[file].startsWith(short.slice(0, tilde)) && endsOnNtfs(lower, 8);
}

function endsOnNtfs(name: string, from: number): boolean {
  return /^[. ]*(?:$|:)/.test(name.slice(from));
}

/**
 * Whether HFS+ takes the name for `.<word>`, ignoring ASCII case and ignorable code points; broken UTF-8 ends the name.
 */
function isHfsDot(name: string, word: string): boolean {
  const wanted = `.${word}`;
  let at = 0;
  for (let i = 0; ; ) {
    const ignored = ignorableLength(name, i);
    if (ignored > 0) {
      i += ignored;
      continue;
    }
    const code = name.charCodeAt(i);
    if (at === wanted.length) return i >= name.length || code === 0x2f || isBrokenUtf8(name, i);
    if (i >= name.length || code >= 0x80) return false;
    if (name[i]!.toLowerCase() !== wanted[at]) return false;
    at++;
    i++;
  }
}

/** The length in bytes of a code point that HFS+ ignores (U+200C-200F, U+202A-202E, U+206A-206F and U+FEFF), or 0. */
function ignorableLength(name: string, at: number): number {
  const first = name.charCodeAt(at);
  const second = name.charCodeAt(at + 1);
  const third = name.charCodeAt(at + 2);
  if (first === 0xef) return second === 0xbb && third === 0xbf ? 3 : 0;
  if (first !== 0xe2) return 0;
  if (second === 0x80) return (third >= 0x8c && third <= 0x8f) || (third >= 0xaa && third <= 0xae) ? 3 : 0;
  return second === 0x81 && third >= 0xaa && third <= 0xaf ? 3 : 0;
}

function isBrokenUtf8(name: string, at: number): boolean {
  const first = name.charCodeAt(at);
  if (first < 0x80) return false;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(name.slice(at, at + length), "latin1"));
    return false;
  } catch {
    return true;
  }
}
