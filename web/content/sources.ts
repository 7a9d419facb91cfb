import type { Principal } from "../../src/access/principal.ts";
import type { ReadCommit } from "../../src/content/commits/service.ts";
import type { FileEntry } from "../../src/content/files/entry.ts";
import type { NamedCommit } from "../../src/content/revisions/service.ts";
import { cookieOf } from "../../src/http/cookies.ts";
import type { Call } from "../../src/http/route.ts";
import { type Cache, textBytes } from "../../src/kernel/cache.ts";
import type { MarkedHtml } from "../../src/markup/safe-html.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import { repoFrame } from "../repos/frame.ts";
import type { RefFacts } from "../repos/ref-facts.ts";
import { within } from "../within.ts";
import { commitSummary } from "./commit-items.ts";
import type { CommitSummary } from "./commit-line.tsx";
import { Listings } from "./listings.ts";
import type { Place } from "./place.ts";
import type { ReadmeContent } from "./readme.tsx";
import { Rendered } from "./rendered.ts";
import { type SideTree, TREE_COOKIE } from "./side-tree.tsx";
import { MAX_NODES, TreeLevels } from "./tree-levels.ts";

/** How long a page waits for content that can also load later or be left out. */
const WAIT_MS = 40;

const COMMIT_BYTES = 600;
const ENTRY_BYTES = 200;

function weightOf({ readme }: { readonly readme: ReadmeContent<MarkedHtml> | undefined }): number {
  if (readme === undefined || "tooLarge" in readme) return 500;
  return 500 + ("html" in readme ? readme.html.length : readme.text.length) * 2;
}

/** The dependencies of pages about repository content: services and caches. */
export class Sources {
  readonly listings: Listings;
  readonly rendered: Rendered;
  readonly levels: TreeLevels;
  /** READMEs of directories, by commit, path and the viewer's language. */
  readonly readmes: Cache<string, { readonly readme: ReadmeContent<MarkedHtml> | undefined }>;

  /**
   * Commits shown above files, and root directories: small, read by every page, and loose objects after a small push.
   */
  private readonly commits: Cache<string, ReadCommit>;
  private readonly roots: Cache<string, FileEntry>;

  constructor(readonly services: WebServices) {
    const { caches } = services;
    this.readmes = caches.cache(weightOf);
    this.commits = caches.cache(
      ({ commit, signed }) => COMMIT_BYTES + textBytes(commit.message) + (signed?.length ?? 0),
    );
    this.roots = caches.cache(() => ENTRY_BYTES);
    this.listings = new Listings(services);
    this.rendered = new Rendered(services);
    this.levels = new TreeLevels(services);
  }

  get facts(): RefFacts {
    return this.services.refFacts;
  }

  /** The frame of a page. */
  frame(seen: SeenRepo): Promise<RepoFrameProps> {
    return repoFrame(this.services, seen);
  }

  /** The newest commit that changed the path; undefined when the search takes longer than a page waits. */
  async latest(seen: SeenRepo, at: NamedCommit, path: string): Promise<CommitSummary | undefined> {
    const { history } = this.services;
    const search = history.lastCommit(seen, at.commit, path);
    // A failure after the page was sent has no handler.
    search.catch(() => {});
    const oid = await within(search, WAIT_MS);
    const read = oid === undefined ? undefined : this.commit(seen, oid);
    if (!read) return undefined;
    const checks = this.services.statuses.summaries(seen, [read.oid]).get(read.oid);
    return { ...this.summary(seen.principal, read), ...(checks ? { checks } : {}) };
  }

  /** The root directory of a commit. @throws NotFound */
  root(seen: SeenRepo, commit: string): FileEntry {
    const key = `${seen.repo.id} ${commit}`;
    const cached = this.roots.get(key);
    if (cached) return cached;
    const root = this.services.files.entry(seen, commit, "");
    this.roots.set(key, root);
    return root;
  }

  /** The file tree around a path, for the left of its page. */
  async tree(call: Call, { seen, at, ref, path }: Place): Promise<SideTree> {
    const repo = { owner: seen.owner.login, name: seen.repo.name };
    const level = await this.levels.of(seen, this.root(seen, at.commit), path, MAX_NODES);
    return { repo, at: ref, path, level, isHidden: cookieOf(call.request, TREE_COOKIE) === "hidden" };
  }

  private commit(seen: SeenRepo, oid: string): ReadCommit | undefined {
    const key = `${seen.repo.id} ${oid}`;
    const cached = this.commits.get(key);
    if (cached) return cached;
    const read = this.services.commits.read(seen, oid);
    if (read) this.commits.set(key, read);
    return read;
  }

  summary(principal: Principal, read: ReadCommit): CommitSummary {
    return commitSummary(read, this.services.commits.peopleOf(principal, [read]));
  }

  listing(seen: SeenRepo, at: NamedCommit, directory: FileEntry, waitMs = WAIT_MS) {
    return this.listings.of(seen, at, directory, waitMs);
  }
}
