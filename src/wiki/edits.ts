import { atLeast } from "../access/levels.ts";
import { accountOf } from "../access/principal.ts";
import type { BlockService } from "../blocks/service.ts";
import { storedMessage } from "../content/edits/message.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import { make, makeCommit } from "../git/edit/make.ts";
import { EditRefused } from "../git/edit/refused.ts";
import { TreeEdit } from "../git/edit/tree-edit.ts";
import { parseCommitLinks } from "../git/objects/commit.ts";
import { MODE_FILE } from "../git/objects/tree.ts";
import type { GitObject, Oid } from "../git/objects/types.ts";
import { BRANCHES } from "../git/refs/names.ts";
import { gitIdentityOf } from "../identity/git-identity.ts";
import type { Clock } from "../kernel/clock.ts";
import { BadRequest, Conflict, Forbidden, Locked, NotFound, TooLarge } from "../kernel/errors.ts";
import type { Links } from "../kernel/links.ts";
import { Semaphore } from "../kernel/semaphore.ts";
import type { QuotaService } from "../quotas/service.ts";
import type { GitFolders } from "../repos/folders/service.ts";
import { asCode, type GitFolder } from "../repos/folders/types.ts";
import type { RefService } from "../repos/refs/service.ts";
import type { PushRules } from "../repos/rules/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { RepoStorage } from "../repos/storage.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { ServerSigning } from "../signing/service.ts";
import { addressOf, checkTitle, fileOf } from "./names.ts";
import { hasWiki, type WikiService } from "./service.ts";
import type { WikiEdit, WikiEntry, WikiText, WrittenWiki } from "./types.ts";
import "./events.ts";

/** Max size of a page that is shown (contract repositories.md 16). */
export const MAX_PAGE_BYTES = 10 * 2 ** 20;
/** How often a change is retried if a push came in between. */
const MAX_ATTEMPTS = 5;
/** Max callers waiting for one wiki. */
const MAX_WAITING = 50;
const NEVER = new AbortController().signal;

export interface WikiEditNeeds {
  readonly blocks: BlockService;
  readonly clock: Clock;
  readonly db: Database;
  readonly defaultBranch: string;
  readonly folders: GitFolders;
  readonly links: Links;
  readonly outbox: Outbox;
  readonly pushRules: PushRules;
  readonly quotas: QuotaService;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly signing: ServerSigning;
  readonly storage: RepoStorage;
  readonly wikis: WikiService;
}

/** A change to the wiki's tree, with its commit message and event. */
interface Change {
  readonly message: string;
  readonly event: { readonly kind: "wiki.created" | "wiki.edited" | "wiki.deleted"; readonly comment: string };
  /** The page after the change, or before its deletion. */
  readonly entry: WikiEntry;
  readonly objects: readonly GitObject[];
  apply(tree: TreeEdit): void;
}

/** A wiki before a change; undefined if nothing has been written yet. */
type Before = WrittenWiki | undefined;

/** Edits wikis for pages and REST: each change is one commit, and none overwrites someone else's changes. */
export class WikiEdits {
  private readonly turns = new Semaphore(1, MAX_WAITING);

  constructor(private readonly needs: WikiEditNeeds) {}

  /**
   * Creates a page; the first one creates the wiki.
   * @throws BadRequest bad title, or the page exists; Forbidden, Locked, NotFound
   */
  async create(seen: SeenRepo, { content, message, title: given }: WikiText): Promise<WikiEntry> {
    const title = checkTitle(given);
    checkSize(content);
    return this.change(seen, content.length, async (wiki, folder) => {
      const file = fileOf(title);
      if (wiki && (await this.needs.wikis.find(wiki, addressOf(title)))) throw taken(file);
      const text = message?.trim() || `Add "${title}"`;
      const blob = make(folder.objectFormat, "blob", content);
      return {
        message: text,
        event: { kind: "wiki.created", comment: text },
        entry: { file, title, address: addressOf(title), oid: blob.oid },
        objects: [blob],
        apply: (tree) => tree.put(file, MODE_FILE, blob.oid),
      };
    });
  }

  /**
   * Edits a page, and optionally its title.
   * @param address as in the request, still escaped
   * @param edit empty `title` or undefined `content`: unchanged; `expected`: the content the edit is based on
   * @throws NotFound no such page; Conflict `wiki.changed-meanwhile`; BadRequest bad title; Forbidden, Locked
   */
  async edit(
    seen: SeenRepo,
    address: string,
    { content, expected, message, title: given }: WikiEdit,
  ): Promise<WikiEntry> {
    if (content) checkSize(content);
    return this.change(seen, content?.length ?? 0, async (wiki, folder) => {
      const before = await this.present(wiki, address, expected);
      const title = given.trim() === "" || given.trim() === before.title ? before.title : checkTitle(given);
      const file = title === before.title ? before.file : fileOf(title);
      const other = wiki && title !== before.title ? await this.needs.wikis.find(wiki, addressOf(title)) : undefined;
      if (other) throw taken(file);
      const text = message?.trim() || `Update "${title}"`;
      const blob = content && make(folder.objectFormat, "blob", content);
      const oid = blob?.oid ?? before.oid;
      return {
        message: text,
        event: { kind: "wiki.edited", comment: text },
        entry: { file, title, address: title === before.title ? before.address : addressOf(title), oid },
        objects: blob ? [blob] : [],
        apply: (tree) => {
          if (file !== before.file) tree.remove(before.file);
          tree.put(file, MODE_FILE, oid);
        },
      };
    });
  }

  /** @throws NotFound no such page; Conflict it is no longer the expected content; Forbidden, Locked */
  async delete(seen: SeenRepo, address: string, { expected }: { readonly expected?: Oid | undefined } = {}) {
    return this.change(seen, undefined, async (wiki) => {
      const entry = await this.present(wiki, address, expected);
      return {
        message: `Delete page "${entry.title}"`,
        event: { kind: "wiki.deleted", comment: "" },
        entry,
        objects: [],
        apply: (tree) => tree.remove(entry.file),
      };
    });
  }

  /**
   * Deletes a whole wiki with its history; the next page starts a new one.
   * @throws NotFound there is none; Forbidden, Locked
   */
  remove({ principal, repo, access }: SeenRepo): void {
    if (!atLeast(access.level, "owner")) throw new Forbidden("repository.needs-owner");
    if (repo.isArchived) throw new Locked("repository.archived");
    const { db, folders, outbox } = this.needs;
    const folder = folders.find(repo.id, "wiki");
    if (!folder) throw new NotFound();
    db.transaction(() => {
      folders.discard(folder.id);
      outbox.append("wiki.removed", contextOf({ principal, repo }), {});
    });
  }

  /** @throws NotFound, Conflict */
  private async present(wiki: Before, address: string, expected: Oid | undefined): Promise<WikiEntry> {
    if (!wiki) throw new NotFound();
    const entry = await this.needs.wikis.get(wiki, address);
    if (expected !== undefined && expected !== entry.oid)
      throw new Conflict("wiki.changed-meanwhile", { params: { title: entry.title, present: entry.oid } });
    return entry;
  }

  /** @param bytes the size of what it adds; undefined: a deletion */
  private async change(
    seen: SeenRepo,
    bytes: number | undefined,
    plan: (wiki: Before, folder: GitFolder) => Change | Promise<Change>,
  ): Promise<WikiEntry> {
    requireWriter(seen);
    const { defaultBranch, folders, quotas, storage } = this.needs;
    if (bytes !== undefined) quotas.require(seen.owner, "size:assets:wiki", bytes);
    const leave = await this.turns.enter(seen.repo.id, NEVER);
    try {
      const now = this.stillWritable(seen);
      const folder = await folders.begin(now.repo, "wiki", defaultBranch);
      const written = storage.writing(folder.id);
      try {
        for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
          const done = await this.attempt(seen, folder.id, plan);
          if (done) return done;
        }
      } catch (error) {
        storage.noteFailure(error);
        throw error;
      } finally {
        written();
      }
    } finally {
      leave();
    }
    throw new Conflict("wiki.busy");
  }

  /** Makes the commit and moves the branch to it; returns undefined if something else was pushed meanwhile. */
  private async attempt(
    seen: SeenRepo,
    folderId: number,
    plan: (wiki: Before, folder: GitFolder) => Change | Promise<Change>,
  ): Promise<WikiEntry | undefined> {
    const { folders, outbox, refs, storage } = this.needs;
    const folder = folders.byId(folderId);
    if (!folder) throw new NotFound();
    const branch = BRANCHES + folder.defaultBranch;
    const tip = refs.find(folder.id, branch)?.oid;
    const { change, trees, tree, before } = await storage.reading(() => this.planned(seen, folder, tip, plan));
    // Saving the same text makes no commit.
    if (tree === before) return change.entry;
    const bytes = change.objects.reduce((sum, { data }) => sum + data.length, 0);
    const requireRoom = () => bytes > 0 && this.needs.pushRules.guardFolder(seen, "wiki", bytes);
    requireRoom();
    const commit = await this.commit(seen, folder, change.message, tree, tip);
    await storage.write(folder.id, [...change.objects, ...trees, commit]);
    // Things may have changed during the disk write.
    const now = this.stillWritable(seen);
    if (!folders.byId(folder.id)) throw new NotFound();
    requireRoom();
    const { comment, kind } = change.event;
    const page = change.entry.file.replace(/\.md$/, "").replaceAll(" ", "-").toWellFormed();
    const [result] = refs.change(folder.id, {
      principal: seen.principal,
      changes: [{ name: branch, oldOid: tip ?? null, newOid: commit.oid }],
      atomic: true,
      alongside: () => outbox.append(kind, contextOf(now), { page, comment }),
    });
    return result?.ok ? change.entry : undefined;
  }

  private async planned(
    seen: SeenRepo,
    folder: GitFolder,
    tip: Oid | undefined,
    plan: (wiki: Before, folder: GitFolder) => Change | Promise<Change>,
  ) {
    const { storage } = this.needs;
    const wiki = tip === undefined ? undefined : { seen, content: asCode(seen, folder), commit: tip };
    const change = await plan(wiki, folder);
    const found = tip === undefined ? undefined : storage.objects(folder.id).read(tip);
    const before = found?.type === "commit" ? parseCommitLinks(found.data).tree : undefined;
    const edit = new TreeEdit(storage.objects(folder.id), before);
    try {
      change.apply(edit);
    } catch (error) {
      // A directory has that name.
      throw error instanceof EditRefused ? taken(change.entry.file) : error;
    }
    const { objects: trees, tree } = edit.write();
    return { change, trees, tree, before };
  }

  private async commit(seen: SeenRepo, folder: GitFolder, text: string, tree: Oid, parent: Oid | undefined) {
    const { clock, links, signing } = this.needs;
    const user = accountOf(seen.principal);
    const person = { ...gitIdentityOf(user, links), timestamp: Math.floor(clock() / 1000), offsetMinutes: 0 };
    const parents = parent === undefined ? [] : [parent];
    const message = storedMessage(text, undefined);
    const sign = await signing.signFor("wiki", user.id);
    return makeCommit(folder.objectFormat, { tree, parents, author: person, committer: person, message }, sign);
  }

  /** The repository as it is now. @throws NotFound, Forbidden, Locked access was lost meanwhile */
  private stillWritable(seen: SeenRepo): SeenRepo {
    const now = this.needs.repos.seeById(seen.principal, seen.repo.id);
    if (!now) throw new NotFound();
    requireWriter(now);
    if (now.principal.user) this.needs.blocks.requireUnblocked(now.owner, now.principal.user);
    return now;
  }
}

function requireWriter(seen: SeenRepo): void {
  if (!hasWiki(seen)) throw new NotFound();
  if (seen.repo.isArchived) throw new Locked("repository.archived");
  if (!atLeast(seen.access.on("wiki"), "write")) throw new Forbidden("repository.needs-write");
}

function checkSize(content: Uint8Array): void {
  if (content.length > MAX_PAGE_BYTES)
    throw new TooLarge("wiki.page-too-large", { params: { maxBytes: MAX_PAGE_BYTES } });
}

const taken = (file: string) => new BadRequest("wiki.page-exists", { field: "title", params: { file } });

function contextOf({ principal, repo }: Pick<SeenRepo, "principal" | "repo">) {
  return { repoId: repo.id, ownerId: repo.ownerId, principal: storedPrincipal(principal), unit: "wiki" as const };
}
