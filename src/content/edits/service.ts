import { accountOf } from "../../access/principal.ts";
import type { FileDiff } from "../../git/diff/file-diff.ts";
import { type Made, makeCommit } from "../../git/edit/make.ts";
import { checkContent } from "../../git/edit/paths.ts";
import { EditRefused } from "../../git/edit/refused.ts";
import { TreeEdit } from "../../git/edit/tree-edit.ts";
import { parseCommitLinks } from "../../git/objects/commit.ts";
import { formatOf } from "../../git/objects/format.ts";
import { hashObject } from "../../git/objects/hash.ts";
import { isTreeMode, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, type TreeEntry } from "../../git/objects/tree.ts";
import type { GitObject, Oid } from "../../git/objects/types.ts";
import type { ObjectStore } from "../../git/odb/store.ts";
import { BRANCHES } from "../../git/refs/names.ts";
import { type GitIdentity, gitIdentityOf } from "../../identity/git-identity.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Conflict, NotFound, ValidationFailed } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import type { RefService } from "../../repos/refs/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { RepoStorage } from "../../repos/storage.ts";
import type { Repo, SeenRepo } from "../../repos/types.ts";
import type { WorkerPool } from "../../workers/pool.ts";
import type { CommitService } from "../commits/service.ts";
import type { HistoryService } from "../history/service.ts";
import type { RuledRefs } from "../refs/ruled.ts";
import type { CommitSigning } from "../signing/service.ts";
import { checkNewRefName, writePath } from "../values.ts";
import type { ConvertedEdit, EditBase, LargeFileEdits } from "./large-files.ts";
import { defaultMessage, storedMessage } from "./message.ts";
import type { Edited, EditRequest, FileOperation, RequestedSignature, RequestedTime, WholeChange } from "./types.ts";

/** How often an edit is attempted if a push moves the branch meanwhile. */
const MAX_ATTEMPTS = 5;
const MAX_OPERATIONS = 5_000;

/** Where an edit starts and where its commit goes. */
interface Place {
  readonly target: string;
  /** undefined for an empty repository. */
  readonly base: Oid | undefined;
  /** The current tip of the target branch; null if it does not exist. */
  readonly expected: Oid | null;
  /** Whether the target is not the branch where the edit starts. */
  readonly isOther: boolean;
}

/** An edit with its permission check. */
type PermittedEdit = EditRequest & Required<Pick<EditRequest, "permit">>;

interface Plan {
  readonly trees: GitObject[];
  readonly tree: Oid;
  /** The previous tree; undefined in an empty repository. */
  readonly before: Oid | undefined;
  readonly files: { readonly path: string; readonly entry: TreeEntry | undefined }[];
}

export interface EditParts {
  readonly clock: Clock;
  readonly commits: CommitService;
  readonly history: HistoryService;
  readonly largeFiles: LargeFileEdits;
  readonly links: Links;
  readonly pool: WorkerPool;
  readonly refs: RefService;
  readonly repos: RepoService;
  readonly ruled: RuledRefs;
  readonly signing: CommitSigning;
  readonly storage: RepoStorage;
}

/** Edits files on a branch: operations become one commit, applied if the branch still has its expected old value. */
export class EditService {
  private readonly turns = new Map<number, Promise<void>>();

  constructor(private readonly parts: EditParts) {}

  /**
   * @throws Forbidden if the caller may not write to any branch; Locked if archived. Called before the body is read.
   */
  requireEditor(seen: SeenRepo): void {
    this.parts.ruled.requireBranchWriter(seen, undefined);
  }

  /** Whether the caller may edit files on that branch. A rule of the branch may still refuse the change itself. */
  mayEdit(seen: SeenRepo, branch: string): boolean {
    return !seen.repo.isArchived && !seen.repo.isMirror && this.parts.ruled.mayWriteBranch(seen, branch);
  }

  /**
   * Makes one commit of all the operations, or none of them (contract git-content.md 4).
   * @throws Forbidden, Locked; NotFound for the branch or a file; ValidationFailed for a path, content that is not the
   *   expected one (`file.changed`: path, expected blob, and who changed it in which commit), a branch that exists,
   *   `edit.no-changes`; Conflict if the branch moved during the edit
   */
  async commit(seen: SeenRepo, asked: EditRequest): Promise<Edited> {
    const { repo } = seen;
    const target = asked.newBranch || asked.branch || repo.defaultBranch;
    const { permit = (now: SeenRepo) => this.parts.ruled.requireBranchWriter(now, target) } = asked;
    permit(seen);
    const request = { ...asked, permit };
    if (request.operations.length === 0 && !request.change)
      throw new ValidationFailed("value.required", { field: "files", params: { name: "Files" } });
    if (request.operations.length > MAX_OPERATIONS)
      throw new ValidationFailed("value.too-long", { field: "files", params: { name: "Files" } });
    const { format } = this.objects(repo);
    const base = await this.parts.storage.reading(async () => this.baseOf(repo, request));
    using edit = await this.parts.largeFiles.converted(seen, base, request.operations);
    const { operations } = edit;
    const contents = new Map<FileOperation, Oid>();
    for (const operation of operations)
      if (operation.content) contents.set(operation, hashObject(format, "blob", operation.content));
    return await this.inTurn(repo.id, async () => {
      const written = this.parts.storage.writing(repo.id);
      try {
        return await this.make(seen, { ...request, operations }, contents, edit);
      } catch (error) {
        throw await this.withOtherChange(seen, request, error);
      } finally {
        written();
      }
    });
  }

  /**
   * The diff between a text and a file in a commit, or that of a new file.
   * @param at undefined: the repository is empty
   * @throws Forbidden, Locked
   */
  preview(
    seen: SeenRepo,
    { at, branch, path, content }: { at: Oid | undefined; branch: string; path: string; content: Uint8Array },
  ): Promise<FileDiff> {
    this.parts.ruled.requireBranchWriter(seen, branch);
    const input = { repoDir: this.parts.storage.dirOf(seen.repo.id), commit: at, path, content };
    return this.parts.pool.run("content.preview", input, { lane: "interactive" });
  }

  /** Merges a text with someone else's changes to it; undefined if both changed the same lines. */
  async mergedText(base: string, ours: string, theirs: string): Promise<string | undefined> {
    const [from, mine, other] = [base, ours, theirs].map((text) => new TextEncoder().encode(text));
    if (!from || !mine || !other) return undefined;
    const input = { base: from, ours: mine, theirs: other };
    const merged = await this.parts.pool.run("content.mergeTexts", input, { lane: "interactive" });
    return merged && new TextDecoder().decode(merged);
  }

  /** Adds who changed the file meanwhile, and in which commit: pages show it. */
  private async withOtherChange(seen: SeenRepo, { branch }: EditRequest, error: unknown): Promise<unknown> {
    if (!(error instanceof ValidationFailed) || error.code !== "file.changed") return error;
    const { params } = error;
    const head = this.parts.refs.find(seen.repo.id, BRANCHES + (branch || seen.repo.defaultBranch))?.oid;
    const commit = head && (await this.parts.history.lastCommit(seen, head, String(params["path"])));
    const author = commit && this.parts.commits.read(seen, commit)?.commit.author.name;
    if (!author) return error;
    return new ValidationFailed(error.code, { field: error.field, params: { ...params, head, commit, author } });
  }

  /** The base of the edit, as far as it is known before its turn. */
  private baseOf(repo: Repo, { branch, operations }: EditRequest): EditBase | undefined {
    const commit = this.parts.refs.find(repo.id, BRANCHES + (branch || repo.defaultBranch))?.oid;
    if (commit === undefined || operations.length === 0) return undefined;
    const objects = this.objects(repo);
    return { commit, tree: treeOf(objects, commit), objects };
  }

  private async make(
    seen: SeenRepo,
    request: PermittedEdit,
    contents: ReadonlyMap<FileOperation, Oid>,
    edit: ConvertedEdit,
  ): Promise<Edited> {
    for (let attempt = 1; ; attempt++) {
      const now = this.stillWritable(seen, request);
      const { repo } = now;
      const place = this.place(repo, request);
      const plan = request.change
        ? await this.planChange(repo, place, request.change)
        : await this.parts.storage.reading(() => this.plan(repo, place, request.operations, contents));
      if (plan.tree === plan.before) throw new ValidationFailed("edit.no-changes");
      const commit = await this.commitOf(seen, request, plan.tree, place.base);
      const blobs = [...contents].flatMap(([{ content }, oid]) => (content ? [{ oid, data: content }] : []));
      if (await this.publish(now, place, commit, blobs, plan.trees, request.permit, edit))
        return { branch: place.target, commit: commit.oid, files: plan.files };
      if (attempt === MAX_ATTEMPTS)
        throw new Conflict("branch.changed-meanwhile", { params: { branch: place.target } });
    }
  }

  /** One edit per repository at a time: parallel ones would only wait for each other's branch. */
  private async inTurn<T>(repoId: number, work: () => Promise<T>): Promise<T> {
    const before = this.turns.get(repoId) ?? Promise.resolve();
    const mine = before.then(work);
    const settled = mine.then(
      () => {},
      () => {},
    );
    this.turns.set(repoId, settled);
    try {
      return await mine;
    } finally {
      if (this.turns.get(repoId) === settled) this.turns.delete(repoId);
    }
  }

  /** The repository in its current state. @throws NotFound, Forbidden, Locked if access was lost meanwhile */
  private stillWritable(seen: SeenRepo, { permit }: PermittedEdit): SeenRepo {
    const now = this.parts.repos.seeById(seen.principal, seen.repo.id);
    if (!now) throw new NotFound();
    permit(now);
    return now;
  }

  private async store(
    repo: Repo,
    blobs: readonly { oid: Oid; data: Uint8Array }[],
    others: readonly GitObject[],
  ): Promise<void> {
    const objects = this.objects(repo);
    const missing = [
      ...blobs.filter(({ oid }) => !objects.has(oid)).map(({ data }): GitObject => ({ type: "blob", data })),
      ...others.filter(({ type, data }) => !objects.has(hashObject(objects.format, type, data))),
    ];
    await this.parts.storage.write(repo.id, missing);
  }

  private place(repo: Repo, { branch, newBranch, force }: EditRequest): Place {
    const from = branch || repo.defaultBranch;
    const target = newBranch || from;
    const base = this.parts.refs.find(repo.id, BRANCHES + from)?.oid;
    if (base === undefined && !repo.isEmpty)
      throw new NotFound("branch.missing", { params: { repoId: repo.id, name: from } });
    if (target === from && base !== undefined) return { target, base, expected: base, isOther: false };
    checkNewRefName(target, newBranch ? "NewBranchName" : "BranchName");
    const present = this.parts.refs.find(repo.id, BRANCHES + target)?.oid ?? null;
    if (present !== null && !force)
      throw new ValidationFailed("branch.name-taken", { field: "new_branch", params: { name: target } });
    return { target, base, expected: present, isOther: target !== from };
  }

  /** Computes the new tree, without storing anything. */
  private plan(
    repo: Repo,
    place: Place,
    operations: readonly FileOperation[],
    contents: ReadonlyMap<FileOperation, Oid>,
  ): Plan {
    const objects = this.objects(repo);
    const before = place.base === undefined ? undefined : treeOf(objects, place.base);
    const tree = new TreeEdit(objects, before);
    const paths = operations.map((operation) => {
      const path = writePath(operation.path);
      worded(() => {
        if (operation.content) checkContent(path, operation.content, objects.format);
        applyTo(tree, operation, path, contents.get(operation));
      });
      return path;
    });
    const files = paths.map((path) => ({ path, entry: tree.find(path) }));
    const written = tree.write();
    return { trees: written.objects, tree: written.tree, before, files };
  }

  /**
   * Like `plan`, for a change made in a worker.
   * @throws ValidationFailed if it does not apply; NotFound if there is no branch yet
   */
  private async planChange(repo: Repo, place: Place, change: WholeChange): Promise<Plan> {
    if (place.base === undefined) throw new NotFound("repository.empty-git");
    const input = { repoDir: this.parts.storage.dirOf(repo.id), base: place.base, change };
    const made = await this.parts.pool.run("content.change", input, { lane: "interactive" });
    if (made.kind === "refused")
      throw new ValidationFailed("edit.change-refused", { field: "content", params: { reason: made.reason } });
    if (made.kind === "conflict")
      throw new ValidationFailed("edit.change-conflicts", {
        field: "content",
        params: { paths: made.paths.join(", ") },
      });
    return { trees: [...made.objects], tree: made.tree, before: made.before, files: [] };
  }

  /** Signed by the server if the settings require it. */
  private async commitOf(seen: SeenRepo, request: EditRequest, tree: Oid, base: Oid | undefined): Promise<Made> {
    const doer = gitIdentityOf(accountOf(seen.principal), this.parts.links);
    const author = filled(request.author, request.committer, doer);
    const committer = filled(request.committer, request.author, doer);
    const now: RequestedTime = { timestamp: Math.floor(this.parts.clock() / 1000), offsetMinutes: 0 };
    const text = request.message?.trim() || defaultMessage(request.operations, request.change);
    const commit = {
      tree,
      parents: base === undefined ? [] : [base],
      author: { ...author, ...(request.authorTime ?? now) },
      committer: { ...committer, ...(request.committerTime ?? now) },
      message: storedMessage(text, request.signoff ? committer : undefined),
    };
    const key = await this.parts.signing.forEdit(seen, base, committer);
    if (!key) return makeCommit(formatOf(tree), commit);
    const [{ signerOf }, { committedBy }] = await Promise.all([
      import("../../git/signing/signer.ts"),
      import("../../git/replay/commit.ts"),
    ]);
    return makeCommit(formatOf(tree), { ...commit, ...committedBy(key.committer, commit) }, signerOf(key));
  }

  /** Stores the commit and moves the branch to it. @returns false if the branch is not at its expected value */
  private async publish(
    seen: SeenRepo,
    place: Place,
    commit: Made,
    blobs: readonly { oid: Oid; data: Uint8Array }[],
    trees: readonly GitObject[],
    permit: PermittedEdit["permit"],
    edit: ConvertedEdit,
  ): Promise<boolean> {
    const { repo } = seen;
    const name = BRANCHES + place.target;
    const [result] = await this.parts.ruled.change(seen, {
      // Another branch is subject to the same rules as a push.
      via: place.isOther ? "push" : "edit",
      changes: [{ name, oldOid: place.expected, newOid: commit.oid }],
      objects: [...blobs.map(({ data }): GitObject => ({ type: "blob", data })), ...trees, commit],
      store: () => this.store(repo, blobs, [...trees, commit]),
      alongside: () => edit.link(seen),
      permit,
    });
    if (result?.ok) return true;
    if ((this.parts.refs.find(repo.id, name)?.oid ?? null) === place.expected) throw new Conflict("branch.same-name");
    return false;
  }

  private objects(repo: Repo): ObjectStore {
    return this.parts.storage.objects(repo.id);
  }
}

function treeOf(objects: ObjectStore, commit: Oid): Oid {
  const object = objects.read(commit);
  if (object?.type !== "commit") throw new NotFound("object.missing", { params: { id: commit } });
  return parseCommitLinks(object.data).tree;
}

const editRefusals: Readonly<Record<string, string>> = {
  "not a directory": "file.parent-is-file",
  "is a directory": "file.is-directory",
  "bad path": "path.malformed",
  exists: "file.exists",
};

/** Turns errors of the engine into our own. @throws ValidationFailed */
function worded(work: () => void): void {
  try {
    work();
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    const { problem, path } = error;
    const code = editRefusals[problem] ?? "file.refused";
    throw new ValidationFailed(code, { field: "path", params: { path, reason: error.message } });
  }
}

function applyTo(tree: TreeEdit, operation: FileOperation, path: string, content: Oid | undefined): void {
  const { kind } = operation;
  if ((kind === "rename" || kind === "move-directory") && !operation.fromPath)
    throw new ValidationFailed("value.required", { field: "from_path", params: { name: "FromPath" } });
  const from = operation.fromPath ? writePath(operation.fromPath) : path;
  const present = tree.find(from);
  if (kind === "delete-directory" || kind === "move-directory") {
    if (!present || !isTreeMode(present.mode)) throw new NotFound("path.missing", { params: { path: from } });
    if (kind === "delete-directory") tree.remove(from);
    else if (from !== path) tree.moveDirectory(from, path);
    return;
  }
  if (present && isTreeMode(present.mode))
    throw new ValidationFailed("file.is-directory", { field: "path", params: { path: from } });
  if (operation.sha && present && present.oid !== operation.sha)
    throw new ValidationFailed("file.changed", {
      field: "sha",
      params: { given: operation.sha, expected: present.oid, path: from },
    });
  if (!present && (kind === "update" || kind === "rename" || kind === "delete"))
    throw new NotFound("path.missing", { params: { path: from } });
  if (kind === "delete") {
    tree.remove(from);
    return;
  }
  if (kind === "create" && present) throw new ValidationFailed("file.exists", { field: "path", params: { path } });
  if (from !== path && tree.find(path)) throw new ValidationFailed("file.exists", { field: "path", params: { path } });
  if (present?.mode === MODE_GITLINK)
    throw new ValidationFailed("file.is-directory", { field: "path", params: { path: from } });
  if (present?.mode === MODE_SYMLINK && content !== undefined && present.oid !== content)
    throw new ValidationFailed("file.is-symlink", { field: "path", params: { path: from } });
  const oid = content ?? present?.oid;
  if (oid === undefined)
    throw new ValidationFailed("value.required", { field: "content", params: { name: "ContentBase64" } });
  if (from !== path) tree.remove(from);
  tree.put(path, present?.mode ?? MODE_FILE, oid);
}

/** Fills in missing parts from the other identity, then from the caller (contract git-content.md 4.3). */
function filled(
  requested: RequestedSignature | undefined,
  other: RequestedSignature | undefined,
  doer: GitIdentity,
): GitIdentity {
  const clean = (text: string | undefined) => (text ?? "").replace(/[<>\n\r\0]/g, "").trim();
  return {
    name: clean(requested?.name) || clean(other?.name) || doer.name,
    email: clean(requested?.email) || clean(other?.email) || doer.email,
  };
}
