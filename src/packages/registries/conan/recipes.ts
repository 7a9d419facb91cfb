import { compileGlob } from "../../../git/patterns/rule-glob.ts";
import { NotFound } from "../../../kernel/errors.ts";
import type { KeyedFiles, KeyTime } from "../../keyed-files.ts";
import type { PackageService } from "../../service.ts";
import type { PackageFile, PackageVersion, SeenPackages } from "../../types.ts";
import { type ConanReference, keyOf, recipeText } from "./reference.ts";

/** Property holding the parsed `conaninfo.txt`, as JSON. */
export const INFO = "conan.package.info";

const RECIPE = "conanfile.py";
const BINARY_INFO = "conaninfo.txt";
/** No recipe's name is longer. */
const MAX_QUERY = 512;

/** A revision of a recipe or of a binary. */
export interface Revision {
  readonly revision: string;
  readonly at: number;
}

/** A binary of a recipe, with its `conaninfo.txt`. */
export interface DescribedBinary {
  readonly binary: string;
  readonly info: PackageFile;
}

/** Finds recipes and binaries for a principal: one package version contains all its users, channels and revisions. */
export class ConanRecipes {
  constructor(
    private readonly packages: PackageService,
    private readonly keys: KeyedFiles,
  ) {}

  /** @throws NotFound, Unauthorised */
  version(seen: SeenPackages, { name, version }: ConanReference): PackageVersion {
    return this.packages.version(seen, "conan", name, version);
  }

  /**
   * Revisions of a recipe, or of the binary if one is named, the newest first.
   * @throws NotFound if there are none; Unauthorised
   */
  revisions(seen: SeenPackages, reference: ConanReference): Revision[] {
    const key = keyOf(reference);
    const revisions = newestFirst(this.keys.keysBelow(this.version(seen, reference), key), key);
    if (revisions.length === 0) throw new NotFound("packages.missing");
    return revisions;
  }

  /** The newest revision. @throws NotFound, Unauthorised */
  latest(seen: SeenPackages, reference: ConanReference): Revision {
    const [newest] = this.revisions(seen, reference);
    if (!newest) throw new NotFound("packages.missing");
    return newest;
  }

  /** The files of one revision. @throws NotFound, Unauthorised */
  files(seen: SeenPackages, reference: ConanReference): PackageFile[] {
    const found = this.keys.filesWithKey(this.version(seen, reference), keyOf(reference));
    if (found.length === 0) throw new NotFound("packages.missing");
    return found;
  }

  /**
   * Resolves a reference without revisions to the newest one; for a binary, in the newest recipe that has it.
   * @throws NotFound, Unauthorised
   */
  newest(seen: SeenPackages, { binary, ...recipe }: ConanReference): ConanReference {
    if (binary === undefined) return { ...recipe, revision: this.latest(seen, recipe).revision };
    const found = this.newestBinaries(seen, recipe).find((each) => each.binary === binary);
    if (!found) throw new NotFound("packages.missing");
    return found;
  }

  /** Binaries of a recipe revision, or of all; of each, the newest as above. @throws NotFound, Unauthorised */
  binaries(seen: SeenPackages, reference: ConanReference): DescribedBinary[] {
    const newest = new Map(this.newestBinaries(seen, reference).map((each) => [keyOf(each), each]));
    const infos = this.keys.filesWithKeys(this.version(seen, reference), BINARY_INFO, [...newest.keys()]);
    return infos.map((info) => ({ binary: newest.get(info.compositeKey)?.binary ?? "", info }));
  }

  private newestBinaries(seen: SeenPackages, reference: ConanReference): ConanReference[] {
    const version = this.version(seen, reference);
    const revisions = reference.revision === undefined ? this.revisions(seen, reference) : [reference];
    const order = new Map(revisions.map(({ revision }, at) => [revision, at]));
    const all = this.keys.keysBelow(version, keyOf(reference));
    if (all.length === 0) this.files(seen, reference);
    const found = new Map<string, ConanReference>();
    const sorted = all
      .map((each) => ({ ...each, parts: each.key.split("|") }))
      .filter(({ parts }) => parts.length === 5)
      .sort((a, b) => (order.get(a.parts[2]) ?? 0) - (order.get(b.parts[2]) ?? 0) || byTime(a, b));
    for (const { parts } of sorted) {
      const [, , revision, binary = "", binaryRevision] = parts;
      if (!found.has(binary)) found.set(binary, { ...reference, revision, binary, binaryRevision });
    }
    return [...found.values()];
  }

  /** Recipes that match `name/version@user/channel`, where `*` matches any text and missing parts match anything. */
  search(seen: SeenPackages, query: string): string[] {
    const [, name = "", version = "", user = "", channel = ""] =
      /^([^/@]*)(?:\/([^@]*))?(?:@([^/]*)(?:\/(.*))?)?$/s.exec(query.trim()) ?? [];
    if (query.length > MAX_QUERY) return [];
    const isNamed = /^[\w+.-]+$/.test(name);
    const places = this.keys.placesOfFile(seen, "conan", { file: RECIPE, name: isNamed ? name : undefined });
    const [fitsName, fitsVersion] = [fitting(name.toLowerCase()), fitting(version.toLowerCase())];
    const [fitsUser, fitsChannel] = [fitting(user), fitting(channel)];
    const found = new Set<string>();
    for (const place of places) {
      if (!fitsName(place.name.toLowerCase()) || !fitsVersion(place.version.toLowerCase())) continue;
      const [user = "", channel = ""] = place.compositeKey.split("|");
      if (fitsUser(user) && fitsChannel(channel)) found.add(recipeText({ ...place, user, channel }));
    }
    return [...found];
  }
}

/** The newest first. */
const byTime = (a: KeyTime, b: KeyTime) => b.newestAt - a.newestAt || b.newestFileId - a.newestFileId;

/** The next components of keys below the given one, newest first; one with files of its own has their time. */
function newestFirst(keys: readonly KeyTime[], above: string): Revision[] {
  const found = new Map<string, KeyTime>();
  for (const each of keys) {
    const [revision = ""] = each.key.slice(above.length + 1).split("|");
    if (!found.has(revision)) found.set(revision, each);
  }
  return [...found]
    .sort(([, a], [, b]) => byTime(a, b))
    .map(([revision, { newestAt }]) => ({ revision, at: newestAt }));
}

/** Whether a text matches a pattern; an empty one matches all. Results are cached, since texts repeat. */
function fitting(pattern: string): (text: string) => boolean {
  if (pattern === "" || pattern === "*") return () => true;
  const glob = compileGlob(pattern, "");
  const known = new Map<string, boolean>();
  return (text) => {
    const fits = known.get(text) ?? glob.matches(text);
    known.set(text, fits);
    return fits;
  };
}
