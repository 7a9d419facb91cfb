import type { FileEntry } from "../../src/content/files/entry.ts";
import type { NamedCommit } from "../../src/content/revisions/service.ts";
import { type Cache, textBytes } from "../../src/kernel/cache.ts";
import { InFlight } from "../../src/kernel/in-flight.ts";
import { nextTurn } from "../../src/kernel/next-turn.ts";
import type { Language } from "../../src/language/language.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { subjectOf } from "../home/pushed-commits.ts";
import type { SafeHtml } from "../jsx/raw.ts";
import type { RefName } from "../links.ts";
import { within } from "../within.ts";
import { type FileListEntry, fileRows, type LastCommit } from "./file-list.tsx";
import { submoduleHref } from "./submodule-link.ts";

/** Nobody reads more rows, and browsers lay them out slowly; "Go to file" finds the rest. */
const MAX_ROWS = 2000;
/** Chains of single directories are collapsed, and symlinks read, only in directories with at most this many. */
const MAX_LOOKED_INTO = 60;
const ROW_BYTES = 250;
/** Commits read without yielding: a few milliseconds. */
const READ_AT_ONCE = 64;

/** What a directory's page lists. */
export interface Listing {
  readonly entries: readonly FileListEntry[];
  /** The directory's entries; of a large one, those that are listed and those that may be a README or licence. */
  readonly files: readonly FileEntry[];
  /** Number of entries that are not listed. */
  readonly hidden: number;
  /** Whether the last commit of each entry is known. */
  readonly isComplete: boolean;
}

/** Directory listings for pages. They depend only on a commit and a path, so they are cached. */
export class Listings {
  private readonly listings: Cache<string, Listing>;
  private readonly rows: Cache<string, SafeHtml>;
  private readonly reading = new InFlight<string, Listing>();
  /** Searches in progress, so that ten visitors of an uncached directory start only one. */
  private readonly completing = new InFlight<string, Listing>();

  constructor(private readonly services: Pick<WebServices, "files" | "history" | "commits" | "caches">) {
    this.listings = services.caches.cache(({ entries, files }) => (entries.length + files.length) * ROW_BYTES);
    this.rows = services.caches.cache<string, SafeHtml>(textBytes);
  }

  /**
   * The listing; without last commits when they are not found within `waitMs`. The search continues, so that a later
   * call finds them.
   */
  async of(seen: SeenRepo, at: NamedCommit, directory: FileEntry, waitMs: number): Promise<Listing> {
    const plain = await this.plain(seen, at, directory);
    if (plain.isComplete) return plain;
    const key = keyOf(seen, at, directory);
    const search = this.completing.once(key, async () => {
      const listing = await this.completed(seen, at, directory, plain);
      this.listings.set(key, listing);
      return listing;
    });
    // A failure after the page was sent has no handler.
    search.catch(() => {});
    return (await within(search, waitMs)) ?? plain;
  }

  /** The listing as soon as it is read; with last commits only if they are already known. */
  async plain(seen: SeenRepo, at: NamedCommit, directory: FileEntry): Promise<Listing> {
    const key = keyOf(seen, at, directory);
    return (
      this.listings.get(key) ??
      this.reading.once(key, async () => {
        const listing = await this.read(seen, at, directory);
        this.listings.set(key, listing);
        return listing;
      })
    );
  }

  /** The rendered rows of a complete listing; undefined for one that will still change. */
  rowsOf(
    seen: SeenRepo,
    at: NamedCommit,
    ref: RefName,
    path: string,
    listing: Listing,
    language: Language,
  ): SafeHtml | undefined {
    if (!listing.isComplete) return undefined;
    const repo = { owner: seen.owner.login, name: seen.repo.name };
    const key = JSON.stringify([seen.repo.id, repo, at.commit, ref, path, language.name]);
    const cached = this.rows.get(key);
    if (cached !== undefined) return cached;
    const html = fileRows({ repo, at: ref, path, entries: listing.entries }, language);
    this.rows.set(key, html);
    return html;
  }

  private async read(seen: SeenRepo, at: NamedCommit, directory: FileEntry): Promise<Listing> {
    const { repo, owner } = seen;
    const { files: reader } = this.services;
    const { entries: files, count } = await reader.listing(seen, directory, { shown: MAX_ROWS });
    const directories = files.filter((entry) => entry.kind === "dir");
    const sorted = [...directories, ...files.filter((entry) => entry.kind !== "dir")];
    const chains = new Map<string, string>();
    if (directories.length <= MAX_LOOKED_INTO)
      for (const each of directories) chains.set(each.name, this.chain(seen, each));
    const submodules = files.some((entry) => entry.kind === "submodule")
      ? reader.submodules(seen, at.commit)
      : new Map<string, string>();
    let links = 0;
    const entries = sorted.slice(0, MAX_ROWS).map((entry): FileListEntry => {
      if (entry.kind === "dir") return { name: chains.get(entry.name) ?? entry.name, kind: "dir" };
      if (entry.kind === "submodule") {
        const address = submodules.get(entry.path);
        const href = address && submoduleHref(address, { owner: owner.login, name: repo.name }, entry.oid);
        return { name: entry.name, kind: "submodule", target: entry.oid, ...(href ? { targetHref: href } : {}) };
      }
      if (entry.kind === "symlink" && links++ < MAX_LOOKED_INTO)
        return { name: entry.name, kind: "symlink", target: reader.linkTarget(seen, entry) };
      return { name: entry.name, kind: entry.kind };
    });
    return { entries, files, hidden: count - entries.length, isComplete: false };
  }

  /** `src/main/java` for directories that contain only the next one. */
  private chain(seen: SeenRepo, directory: FileEntry): string {
    let name = directory.name;
    let at = directory;
    for (let depth = 0; depth < 10; depth++) {
      const only = this.services.files.onlyDirectory(seen, at);
      if (!only) break;
      name += `/${only.name}`;
      at = only;
    }
    return name;
  }

  private async completed(seen: SeenRepo, at: NamedCommit, directory: FileEntry, plain: Listing): Promise<Listing> {
    const { history } = this.services;
    const names = plain.entries.map(({ name }) => nameInFolder(name));
    const last = await history.lastCommits(seen, at.commit, directory.path, plain.hidden > 0 ? names : undefined);
    const read = await this.shortCommits(seen, [...new Set(last.values())]);
    const entries = plain.entries.map((entry) => {
      const commit = read.get(last.get(nameInFolder(entry.name)) ?? "");
      return commit ? { ...entry, last: commit } : entry;
    });
    return { ...plain, entries, isComplete: true };
  }

  /** What rows show of commits. Yields between batches so that other requests can run. */
  private async shortCommits(seen: SeenRepo, oids: readonly string[]): Promise<Map<string, LastCommit>> {
    const read = new Map<string, LastCommit>();
    for (let at = 0; at < oids.length; at += READ_AT_ONCE) {
      if (at > 0) await nextTurn();
      for (const { oid, commit } of this.services.commits.readAll(seen, oids.slice(at, at + READ_AT_ONCE)))
        read.set(oid, { sha: oid, subject: subjectOf(commit.message), at: commit.committer.timestamp * 1000 });
    }
    return read;
  }
}

function keyOf({ owner, repo }: SeenRepo, { commit }: NamedCommit, { path }: FileEntry): string {
  return `${repo.id} ${owner.login} ${repo.name} ${commit} ${path}`;
}

/** `src` of `src/main/java`. */
function nameInFolder(name: string): string {
  const end = name.indexOf("/");
  return end < 0 ? name : name.slice(0, end);
}
