import { type LicenseId, licenseIds, licenseText } from "../templates/licenses.ts";

/** Min similarity for a text to count as that licence (contract repositories.md 15.1). */
const ENOUGH = 0.85;
/** Number of consecutive words compared together. */
const SHINGLE = 3;
/** The longest known licences have some 35 KiB. */
const MAX_TEXT = 128 * 1024;

type Shingles = ReadonlyMap<string, number>;

/** Identifies the licence of a file by its words. Reading all licences takes several milliseconds: for workers only. */
export class LicenseMatcher {
  private constructor(private readonly known: readonly (readonly [LicenseId, Shingles])[]) {}

  static async load(): Promise<LicenseMatcher> {
    const texts = licenseIds.map(async (id) => [id, shinglesOf(await licenseText(id))] as const);
    return new LicenseMatcher(await Promise.all(texts));
  }

  /**
   * The licence a text resembles most; undefined if it resembles none.
   * @param chosen licences someone selected by name: `GPL-2.0-only` and `-or-later` have the same words
   */
  match(text: string, chosen: readonly string[] = []): LicenseId | undefined {
    if (text.length > MAX_TEXT) return undefined;
    const given = shinglesOf(text);
    let best: LicenseId | undefined;
    let most = ENOUGH;
    for (const [id, shingles] of this.known) {
      const alike = similarity(given, shingles);
      if (alike < most || (alike === most && best !== undefined && !chosen.includes(id))) continue;
      best = id;
      most = alike;
    }
    return best;
  }
}

/** Whether a file in the root directory is examined for a licence. */
export function isLicenseName(name: string): boolean {
  return /^(licen[cs]e|copying)([-.][\w.-]*)?$/i.test(name);
}

function shinglesOf(text: string): Shingles {
  // Year, holder and the words next to them differ from file to file.
  const words = text
    .replace(/copyright (\(c\)|©|\[year\]|\d{4})[^\n]{0,60}/gi, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const counts = new Map<string, number>();
  for (let at = 0; words && at + SHINGLE <= words.length; at++) {
    const shingle = words.slice(at, at + SHINGLE).join(" ");
    counts.set(shingle, (counts.get(shingle) ?? 0) + 1);
  }
  return counts;
}

/** Dice's coefficient: 1 for identical texts, 0 for texts without common words. */
function similarity(a: Shingles, b: Shingles): number {
  let shared = 0;
  let total = 0;
  for (const [shingle, count] of a) {
    total += count;
    shared += Math.min(count, b.get(shingle) ?? 0);
  }
  for (const count of b.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}
