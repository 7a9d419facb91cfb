import { atLeast } from "../access/levels.ts";
import type { FileEntry } from "../content/files/entry.ts";
import type { FileService } from "../content/files/service.ts";
import type { HistoryPage } from "../content/history/page.ts";
import type { HistoryService } from "../content/history/service.ts";
import type { Oid } from "../git/objects/types.ts";
import { BRANCHES } from "../git/refs/names.ts";
import type { Cache, CacheBudget } from "../kernel/cache.ts";
import { NotFound } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import { asCode } from "../repos/folders/types.ts";
import type { RefService } from "../repos/refs/service.ts";
import { keepsWiki } from "../repos/settings/defaults.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { WorkerPool } from "../workers/pool.ts";
import { addressOf, addressOfFile, fileOf, filesOfAddress, titleOfAddress, titleOfFile } from "./names.ts";
import type { Wiki, WikiEntry, WrittenWiki } from "./types.ts";

export interface WikiNeeds {
  readonly caches: CacheBudget;
  readonly files: FileService;
  readonly folders: GitFolders;
  readonly history: HistoryService;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly storage: RepoStorage;
}

/** A page, and the last commit that changed it. */
export interface ListedPage {
  readonly entry: WikiEntry;
  readonly lastCommit: Oid | undefined;
}

/** A page found by a search, with lines that contain one of the words. */
export interface FoundPage {
  readonly entry: WikiEntry;
  readonly lines: readonly string[];
}

const MAX_SEARCHED_WORDS = 10;

/** Max files listed in the root directory. */
const MAX_ENTRIES = 20_000;
const ENTRY_BYTES = 400;

/** Reading wikis (contract repositories.md 16). A wiki's files are in a separate git folder. */
export class WikiService {
  /** Entries of the root directory, by folder and commit. */
  private readonly roots: Cache<string, readonly (WikiEntry | undefined)[]>;

  constructor(private readonly needs: WikiNeeds) {
    this.roots = needs.caches.cache((entries) => entries.length * ENTRY_BYTES);
  }

  /** @throws NotFound there is none, it is external, or the principal may not read it */
  open(seen: SeenRepo): Wiki {
    if (!hasWiki(seen)) throw new NotFound();
    const folder = this.needs.folders.find(seen.repo.id, "wiki");
    return { seen, content: folder && asCode(seen, folder) };
  }

  /** Whether a wiki is stored for the repository, visible or not. */
  isKept({ repo }: SeenRepo): boolean {
    return this.needs.folders.find(repo.id, "wiki") !== undefined;
  }

  /** The same with its tip; undefined if nothing has been written yet. @throws NotFound */
  written(seen: SeenRepo): WrittenWiki | undefined {
    const { content } = this.open(seen);
    const commit = content && this.needs.refs.find(content.repo.id, BRANCHES + content.repo.defaultBranch)?.oid;
    return content && commit !== undefined ? { seen, content, commit } : undefined;
  }

  /** The same. @throws NotFound also if nothing has been written yet */
  requireWritten(seen: SeenRepo): WrittenWiki {
    const wiki = this.written(seen);
    if (!wiki) throw new NotFound();
    return wiki;
  }

  /** The page at an address; undefined if there is none. @param address as in the request, still escaped */
  async find(wiki: WrittenWiki, address: string): Promise<WikiEntry | undefined> {
    const { content, commit } = wiki;
    const fileNamed = (file: string) => {
      const entry = this.needs.files.find(content, commit, file);
      return entry?.kind === "file" ? entry : undefined;
    };
    for (const file of filesOfAddress(address)) {
      const entry = fileNamed(file);
      const page = entry && entryOf(file, entry.oid, (other) => fileNamed(other) !== undefined);
      if (page) return page;
    }
    const title = titleOfAddress(address);
    return (await this.pages(wiki)).find((entry) => entry.title === title);
  }

  /** The same. @throws NotFound */
  async get(wiki: WrittenWiki, address: string): Promise<WikiEntry> {
    const entry = await this.find(wiki, address);
    if (!entry) throw new NotFound();
    return entry;
  }

  /** Any file of the wiki, in any directory. @param path as returned by `readPath` */
  file({ content, commit }: WrittenWiki, path: string): FileEntry | undefined {
    const entry = path === "" ? undefined : this.needs.files.find(content, commit, path);
    return entry?.kind === "file" ? entry : undefined;
  }

  /** All pages, in file order. @throws TooLarge there are too many */
  async pages(wiki: WrittenWiki): Promise<WikiEntry[]> {
    return (await this.root(wiki)).flatMap((entry) => entry ?? []);
  }

  /** A page of the root directory; files that are not wiki pages count, but are left out. @throws TooLarge */
  async list(wiki: WrittenWiki, { limit, offset }: Paging): Promise<Slice<ListedPage>> {
    const root = await this.root(wiki);
    const shown = root.slice(offset, offset + limit).flatMap((entry) => entry ?? []);
    const lasts = shown.length > 0 ? await this.needs.history.lastCommits(wiki.content, wiki.commit, "") : undefined;
    return { items: shown.map((entry) => ({ entry, lastCommit: lasts?.get(entry.file) })), total: root.length };
  }

  /** Some of the pages that contain all words of a text, title matches first. @throws TooLarge */
  async search(wiki: WrittenWiki, text: string): Promise<FoundPage[]> {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MAX_SEARCHED_WORDS);
    const pages = words.length > 0 ? await this.pages(wiki) : [];
    if (pages.length === 0) return [];
    const { pool, storage } = this.needs;
    const input = {
      repoDir: storage.dirOf(wiki.content.repo.id),
      pages: pages.map(({ file, oid }) => ({ file, oid })),
      words,
    };
    const share = `repository:${wiki.seen.repo.id}`;
    const found = await pool.run("wiki.search", input, { lane: "interactive", share });
    const byFile = new Map(pages.map((entry) => [entry.file, entry]));
    return found.flatMap(({ file, lines }) => {
      const entry = byFile.get(file);
      return entry ? [{ entry, lines }] : [];
    });
  }

  /** A page's bytes; undefined if larger than `maxBytes`. */
  bytes({ content }: WrittenWiki, oid: Oid, maxBytes?: number): Uint8Array | undefined {
    return this.needs.files.bytes(content, oid, maxBytes);
  }

  lastCommit({ content, commit }: WrittenWiki, { file }: WikiEntry): Promise<Oid | undefined> {
    return this.needs.history.lastCommit(content, commit, file);
  }

  /** Number of commits that changed the page. */
  countRevisions({ content, commit }: WrittenWiki, { file }: WikiEntry): Promise<number> {
    return this.needs.history.count(content, { tips: [commit], paths: [file] });
  }

  /** The commits that changed the page, newest first, with their total. */
  revisions(
    { content, commit }: WrittenWiki,
    { file }: WikiEntry,
    { limit, offset }: Pick<Paging, "limit" | "offset">,
  ): Promise<HistoryPage> {
    return this.needs.history.page(content, { tips: [commit], paths: [file], skip: offset, limit, count: true });
  }

  private async root(wiki: WrittenWiki): Promise<readonly (WikiEntry | undefined)[]> {
    const { content, commit } = wiki;
    const key = `${content.repo.id} ${commit}`;
    const cached = this.roots.get(key);
    if (cached) return cached;
    const { files } = this.needs;
    const listed = await files.list(content, files.entry(content, commit, ""), { max: MAX_ENTRIES });
    const names = new Set(listed.flatMap(({ kind, name }) => (kind === "file" ? [name] : [])));
    const entries = listed.map(({ name, oid }) =>
      names.has(name) ? entryOf(name, oid, (other) => names.has(other)) : undefined,
    );
    this.roots.set(key, entries);
    return entries;
  }
}

/**
 * The wiki page in a file; undefined if it is none. Its address is derived from its title, unless that is another
 * file's.
 * @param isThere whether a file with that name exists
 */
function entryOf(file: string, oid: Oid, isThere: (file: string) => boolean): WikiEntry | undefined {
  const title = titleOfFile(file);
  if (title === undefined) return undefined;
  const own = fileOf(title);
  const isTaken = own !== file && isThere(own);
  return { file, title, address: isTaken ? addressOfFile(file) : addressOf(title), oid };
}

/** Whether a repository hosts a wiki here that the principal may read. */
export function hasWiki({ repo, access }: SeenRepo): boolean {
  return keepsWiki(repo.settings) && atLeast(access.on("wiki"), "read");
}
