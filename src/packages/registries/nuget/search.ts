import type { PackageService } from "../../service.ts";
import type { Package, PackageVersion, SeenPackages } from "../../types.ts";
import { bySemver, isPrerelease } from "../semver.ts";
import type { AtomVersion } from "./atom.ts";

/** Property of a symbol file that holds the ID of its build. */
export const SYMBOL_ID = "nuget.symbol.id";

const STANDARD_PAGE = 50;
const MAX_PAGE = 100;

/** A page of a feed. */
export interface Found {
  readonly versions: readonly PackageVersion[];
  readonly total: number;
  /** The query of the next page; undefined on the last. */
  readonly next: URLSearchParams | undefined;
}

/** Searches packages for both protocols. */
export class NugetSearch {
  constructor(private readonly packages: PackageService) {}

  /** Packages by a substring of their names, each with its versions in ascending order. */
  find(seen: SeenPackages, query: URLSearchParams): { data: PackageVersion[][]; totalHits: number } {
    const text = (query.get("q") ?? "").trim().toLowerCase();
    const matching = this.packages.ofType(seen, "nuget").filter(({ name }) => name.toLowerCase().includes(text));
    const { limit, offset } = pageOf(query, "skip", "take");
    const isWanted = wantedBy(query);
    if (!isWanted) return { data: this.versionsOf(matching.slice(offset, offset + limit)), totalHits: matching.length };
    // Only the versions tell which packages have a matching one.
    const numbers = this.packages.versionNumbersOfEach(matching);
    const found = matching.filter(({ id }) => numbers.get(id)?.some(isWanted));
    const data = this.versionsOf(found.slice(offset, offset + limit)).map((versions) =>
      versions.filter(({ version }) => isWanted(version)),
    );
    return { data, totalHits: found.length };
  }

  /** The latest version of packages, by name or a substring of it. */
  latest(seen: SeenPackages, query: URLSearchParams): Found {
    const { isExact, text } = termOf(query);
    const { limit, offset } = pageOf(query, "$skip", "$top");
    const exact = isExact ? this.packages.look(seen, "nuget", text) : undefined;
    const matching = isExact
      ? exact
        ? [exact]
        : []
      : this.packages.ofType(seen, "nuget").filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()));
    const page = matching.slice(offset, offset + limit);
    const latest = this.packages.versionsOfEach(page);
    const versions = page.flatMap(({ id }) => latest.get(id)?.toSorted((a, b) => b.id - a.id)[0] ?? []);
    return { versions, total: matching.length, next: following(query, { limit, offset }, page.length) };
  }

  /** All versions of one package; empty if there is no such package. */
  versions(seen: SeenPackages, query: URLSearchParams): Found {
    const id = (query.get("id") ?? "").trim().replace(/^'(.*)'$/s, "$1");
    const found = this.packages.look(seen, "nuget", id);
    const all: PackageVersion[] = found ? bySemver(this.packages.versions(found)) : [];
    const { limit, offset } = pageOf(query, "$skip", "$top");
    const versions = all.slice(offset, offset + limit);
    return { versions, total: all.length, next: following(query, { limit, offset }, versions.length) };
  }

  /** The additional data of version entries. */
  entries(versions: readonly PackageVersion[]): AtomVersion[] {
    const { packages } = this;
    const files = packages.filesOfEach(versions);
    const all = packages.versionsOfEach(versions.map((version) => version.package));
    return versions.map((version) => ({
      version,
      sizeBytes: files.get(version.id)?.find(({ isLead }) => isLead)?.sizeBytes ?? 0,
      downloads: packages.downloads(version),
      allDownloads: (all.get(version.package.id) ?? []).reduce((sum, each) => sum + packages.downloads(each), 0),
    }));
  }

  private versionsOf(found: readonly Package[]): PackageVersion[][] {
    const versions = this.packages.versionsOfEach(found);
    return found.flatMap(({ id }) => {
      const ascending = bySemver(versions.get(id) ?? []);
      return ascending.length > 0 ? [ascending] : [];
    });
  }
}

/** The version filter of the query; undefined: all versions. */
function wantedBy(query: URLSearchParams): ((version: string) => boolean) | undefined {
  const isStableOnly = query.get("prerelease")?.toLowerCase() === "false";
  const isOld = (query.get("semVerLevel") ?? "").startsWith("1.");
  if (!isStableOnly && !isOld) return undefined;
  // Dots in prereleases were introduced by SemVer 2.0.
  return (version) =>
    !(isStableOnly && isPrerelease(version)) &&
    !(
      isOld &&
      version
        .split("-")
        .slice(1)
        .some((part) => part.includes("."))
    );
}

function pageOf(query: URLSearchParams, skip: string, take: string): { limit: number; offset: number } {
  const number = (name: string, standard: number) => {
    const given = query.get(name) ?? "";
    return /^\d{1,9}$/.test(given) ? Number(given) : standard;
  };
  return { limit: Math.min(number(take, STANDARD_PAGE), MAX_PAGE), offset: number(skip, 0) };
}

function following(
  query: URLSearchParams,
  { limit, offset }: { readonly limit: number; readonly offset: number },
  shown: number,
): URLSearchParams | undefined {
  if (shown < limit || limit === 0) return undefined;
  const next = new URLSearchParams(query);
  for (const secret of ["token", "access_token"]) next.delete(secret);
  next.set("$skip", String(offset + limit));
  next.set("$top", String(limit));
  return next;
}

/** The name to search for: `searchTerm`, or else the first string in `$filter`. */
function termOf(query: URLSearchParams): { text: string; isExact: boolean } {
  const term = (query.get("searchTerm") ?? "").trim().replace(/^'(.*)'$/s, "$1");
  if (term !== "") return { text: term, isExact: false };
  const filter = query.get("$filter") ?? "";
  const [, text = ""] = /'([^']*)'/.exec(filter) ?? [];
  return { text, isExact: text !== "" && filter.toLowerCase().includes(" eq '") };
}
