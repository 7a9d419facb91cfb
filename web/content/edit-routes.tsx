import { atLeast } from "../../src/access/levels.ts";
import { editFiles } from "../../src/content/access.ts";
import type { FileOperation } from "../../src/content/edits/types.ts";
import type { FileEntry } from "../../src/content/files/entry.ts";
import { MAX_PATH_CHARACTERS } from "../../src/content/values.ts";
import { trimOf } from "../../src/git/text-ends.ts";
import { flashCookie } from "../../src/http/cookies.ts";
import { isPartial } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { Failure, NotFound, Redirected } from "../../src/kernel/errors.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm } from "../form-data.ts";
import type { JSX } from "../jsx/types.ts";
import { wordsFor } from "../language.ts";
import { compareHref, refHref } from "../links.ts";
import { isSecure, redirectAfterPost, show, showPart } from "../visit.ts";
import { siteWords } from "../words/index.ts";
import { commitSummary } from "./commit-items.ts";
import type { EditConflict } from "./edit-conflict.tsx";
import {
  actionOf,
  backOf,
  blankCommit,
  EDIT_FIELDS,
  type EditPlace,
  editableText,
  editPageProps,
  editPlace,
  requestedCommit,
  textAt,
  typedCommit,
  withLineEnds,
  writtenPlace,
} from "./edit-place.ts";
import { type CommitForm, DeletePage, type EditField, EditorPage } from "./editor.tsx";
import { indentOf } from "./indent.ts";
import { MoveDirectoryPage } from "./move-directory.tsx";
import { editPreview, PREVIEWS, type PreviewKind } from "./preview.tsx";
import { editorForm } from "./propose-routes.tsx";
import { shownDiff } from "./shown-diff.ts";
import type { Sources } from "./sources.ts";
import { contentWords } from "./words/index.ts";

/** Lines shown of the other change; its own page has all of it. */
const MAX_CONFLICT_LINES = 2_000;

/** Edits files in the browser: one form, one commit. */
export function editPages(sources: Sources): Route[] {
  const page = { surface: "page", access: editFiles } as const;
  const at = (word: string) => `/:owner/:repo/${word}/*`;
  return [
    { ...editorForm(sources, "_new", newForm), path: at("_new") },
    { ...page, method: "POST", path: at("_new"), handle: (call) => save(sources, call, "new") },
    { ...editorForm(sources, "_edit", editForm), path: at("_edit") },
    { ...page, method: "POST", path: at("_edit"), handle: (call) => save(sources, call, "edit") },
    { ...page, method: "POST", path: at("_preview"), handle: (call) => preview(sources, call) },
    { ...editorForm(sources, "_delete", deleteForm), path: at("_delete") },
    { ...page, method: "POST", path: at("_delete"), handle: (call) => remove(sources, call) },
  ];
}

async function editor(
  sources: Sources,
  call: Call,
  place: EditPlace,
  what: {
    isNew: boolean;
    path: string;
    content: string;
    lastCommit: string;
    commit: CommitForm;
    errors?: FormErrors<EditField>;
    conflict?: EditConflict | undefined;
    /** Both changes are merged in the text. */
    isMerged?: boolean;
    preview?: JSX.Element | undefined;
  },
): Promise<Response> {
  const view = (
    <EditorPage
      {...what}
      {...(await editPageProps(sources, call, place, what.isNew ? "_new" : "_edit", what.commit))}
      previewAction={actionOf(place, "_preview")}
      indent={indentOf(sources, place, what.path)}
    />
  );
  return show(call, view, { status: what.errors || what.conflict ? 422 : 200 });
}

function newForm(sources: Sources, call: Call): Promise<Response> {
  const place = editPlace(sources, call);
  const { files } = sources.services;
  const there = place.commit && place.path !== "" ? files.find(place.seen, place.commit, place.path) : undefined;
  if (there && there.kind !== "dir") throw new NotFound();
  // In a directory, the name is still to be typed.
  const path = there ? `${place.path}/` : place.path;
  return editor(sources, call, place, {
    isNew: true,
    path,
    content: "",
    lastCommit: place.commit ?? "",
    commit: blankCommit,
  });
}

/** Whether the form is for a directory. */
function isDirectory({ services }: Sources, { seen, commit, path }: EditPlace): boolean {
  return commit !== undefined && path !== "" && services.files.find(seen, commit, path)?.kind === "dir";
}

/** The file that a form is for. @throws NotFound */
function fileAt({ services }: Sources, { seen, commit, path }: EditPlace): FileEntry {
  const entry = commit === undefined || path === "" ? undefined : services.files.find(seen, commit, path);
  if (!entry || entry.kind === "dir" || entry.kind === "submodule") throw new NotFound();
  requireUnlocked(services, seen, path);
  return entry;
}

/** @throws NotFound when someone else has locked the file (contract git-content.md 11.4) */
function requireUnlocked({ lfsLocks }: Sources["services"], seen: SeenRepo, path: string): void {
  if (lfsLocks.isLockedForOthers(seen, path)) throw new NotFound();
}

function editForm(sources: Sources, call: Call): Promise<Response> {
  const place = editPlace(sources, call);
  if (isDirectory(sources, place)) return movePage(sources, call, place, { path: place.path, commit: blankCommit });
  const text = editableText(sources, place, fileAt(sources, place));
  if ("refused" in text) {
    const cookie = flashCookie(
      { kind: "error", text: wordsFor(call, contentWords)(text.refused) },
      { secure: isSecure(sources.services) },
    );
    call.header("set-cookie", cookie);
    throw new Redirected(303, backOf(place));
  }
  return editor(sources, call, place, {
    isNew: false,
    path: place.path,
    content: text.text,
    lastCommit: place.commit ?? "",
    commit: blankCommit,
  });
}

/** The values typed into a file's form. */
function typedFile(
  sources: Sources,
  place: EditPlace,
  form: Form,
): { readonly path: string; readonly content: string } {
  return {
    path: trimOf(form.text("tree_path").slice(0, MAX_PATH_CHARACTERS), "/"),
    content: withLineEnds(form.exact("content"), textAt(sources, place)),
  };
}

async function save(sources: Sources, call: Call, what: "new" | "edit"): Promise<Response> {
  const place = writtenPlace(sources, call);
  const form = await readForm(call, sources.services.config["http.max_body_mib"] * 1024 * 1024);
  if (what === "edit" && isDirectory(sources, place)) return move(sources, call, place, form);
  if (what === "edit") requireUnlocked(sources.services, place.seen, place.path);
  const { path, content } = typedFile(sources, place, form);
  const typed = { isNew: what === "new", path, content, commit: typedCommit(form) };
  const refuse = ({ errors, conflict, isGone }: Refusal) =>
    editor(sources, call, place, {
      ...typed,
      isNew: typed.isNew || isGone === true,
      lastCommit: form.text("last_commit"),
      conflict,
      ...(errors ? { errors } : {}),
    });
  const bad = badPath(call, path);
  if (bad !== undefined) return refuse({ errors: { tree_path: bad } });
  if (what === "edit" && form.has("merge")) {
    const merged = await mergedText(sources, place, form, content);
    if (merged !== undefined)
      return editor(sources, call, place, {
        ...typed,
        content: merged,
        lastCommit: place.commit ?? "",
        isMerged: true,
      });
  }
  const bytes = new TextEncoder().encode(content);
  const sha = what === "edit" ? await blobAt(sources, place, form) : undefined;
  const operation: FileOperation =
    what === "new"
      ? { kind: "create", path, content: bytes }
      : path === place.path
        ? { kind: "update", path, content: bytes, sha }
        : { kind: "rename", path, fromPath: place.path, content: bytes, sha };
  return commit(sources, call, place, form, operation, refuse, (branch) => ({ branch, path }), content);
}

/** Why the typed path is invalid. */
function badPath(call: Call, path: string): string | undefined {
  const t = wordsFor(call, siteWords);
  if (path === "") return t("value.required");
  return path.split("/").some((part) => part === "" || part === "." || part === "..") ? t("path.malformed") : undefined;
}

async function movePage(
  sources: Sources,
  call: Call,
  place: EditPlace,
  what: { readonly path: string; readonly commit: CommitForm; readonly errors?: FormErrors<EditField> },
): Promise<Response> {
  const view = (
    <MoveDirectoryPage
      {...what}
      {...(await editPageProps(sources, call, place, "_edit", what.commit))}
      from={place.path}
      lastCommit={place.commit ?? ""}
    />
  );
  return show(call, view, { status: what.errors ? 422 : 200 });
}

/** Moves a directory with all its content. */
function move(sources: Sources, call: Call, place: EditPlace, form: Form): Promise<Response> {
  const path = trimOf(form.text("tree_path").slice(0, MAX_PATH_CHARACTERS), "/");
  const refuse = ({ errors }: Refusal) =>
    movePage(sources, call, place, { path, commit: typedCommit(form), ...(errors ? { errors } : {}) });
  const bad = badPath(call, path);
  if (bad !== undefined) return refuse({ errors: { tree_path: bad } });
  const operation: FileOperation = { kind: "move-directory", path, fromPath: place.path };
  return commit(sources, call, place, form, operation, refuse, (branch) => ({ branch, path }));
}

/** What the typed text would change, or how it would be rendered: a fragment for htmx, otherwise the form with it. */
async function preview(sources: Sources, call: Call): Promise<Response> {
  const place = writtenPlace(sources, call);
  const form = await readForm(call, sources.services.config["http.max_body_mib"] * 1024 * 1024);
  const { path, content } = typedFile(sources, place, form);
  const asked = form.text("kind");
  const kind: PreviewKind = PREVIEWS.find((known) => known === asked) ?? "diff";
  const shown = await editPreview(sources, place, { kind, path: path || place.path, content });
  if (isPartial(call.request)) return showPart(call, shown);
  return editor(sources, call, place, {
    isNew: form.checked("is_new"),
    path,
    content,
    lastCommit: form.text("last_commit"),
    commit: typedCommit(form),
    preview: shown,
  });
}

/** The text merged with someone else's change; undefined when both changed the same lines. */
async function mergedText(
  sources: Sources,
  place: EditPlace,
  form: Form,
  content: string,
): Promise<string | undefined> {
  const { services } = sources;
  const opened = await openedCommit(sources, place, form);
  if (opened === undefined) return undefined;
  const base = textAt(sources, { ...place, commit: opened });
  return services.edits.mergedText(base, content, textAt(sources, place));
}

/** Why an edit was refused, as the form shows it. */
interface Refusal {
  readonly errors?: FormErrors<EditField>;
  /** Someone else changed the file in the meantime. */
  readonly conflict?: EditConflict | undefined;
  /** Someone else deleted it: the text can be saved as a new file. */
  readonly isGone?: boolean;
}

/** The other change that caused a refusal; undefined when there is another reason. */
async function conflictOf(
  sources: Sources,
  place: EditPlace,
  form: Form,
  error: unknown,
  content: string | undefined,
): Promise<EditConflict | undefined> {
  const { services } = sources;
  if (!(error instanceof Failure) || error.code !== "file.changed") return undefined;
  const { seen, branch, path } = place;
  const { commit, head } = error.params;
  const read = typeof commit === "string" ? services.commits.read(seen, commit) : undefined;
  if (!read || typeof head !== "string") return undefined;
  const opened = await openedCommit(sources, place, form);
  const diff = opened
    ? await services.history.fileDiffs(seen, {
        from: opened,
        to: head,
        options: { maxFileLines: MAX_CONFLICT_LINES },
        only: [path],
        limit: 1,
      })
    : undefined;
  const [file] = diff?.files ?? [];
  return {
    other: commitSummary(read, services.commits.peopleOf(seen.principal, [read])),
    head,
    opened,
    file: file && shownDiff(file),
    startOverHref: actionOf({ seen, branch, path, commit: head }, "_edit"),
    canMerge: content !== undefined && (await mergedText(sources, place, form, content)) !== undefined,
  };
}

/** The commit at which the visitor saw the file: where the form was opened, or the one to save over. */
const openedAt = (form: Form): string => form.text("over") || form.text("last_commit");

/** That commit; undefined when the form names none. */
function openedCommit({ services }: Sources, { seen }: EditPlace, form: Form): Promise<string | undefined> {
  const { revisions } = services;
  return revisions.settled(() => revisions.byDigits(seen, openedAt(form)));
}

/** The blob when the form was opened: a different one now is someone else's change and must not be lost. */
async function blobAt(sources: Sources, place: EditPlace, form: Form): Promise<string | undefined> {
  const opened = await openedCommit(sources, place, form);
  return opened === undefined ? undefined : sources.services.files.find(place.seen, opened, place.path)?.oid;
}

async function commit(
  sources: Sources,
  call: Call,
  place: EditPlace,
  form: Form,
  operation: FileOperation,
  refuse: (refusal: Refusal) => Promise<Response>,
  goTo: (branch: string) => { branch: string; path: string },
  content?: string,
): Promise<Response> {
  const { services } = sources;
  const { seen, branch } = place;
  try {
    const edited = await services.edits.commit(seen, {
      operations: [operation],
      branch,
      ...requestedCommit(sources, call, typedCommit(form)),
    });
    return redirectAfterPost(services, call, afterEdit(place, edited.branch, goTo));
  } catch (error) {
    // The text was typed by hand: show it again, whatever happened in the meantime.
    const isGone = error instanceof NotFound && error.code === "path.missing";
    if (isGone) return refuse({ errors: { form: wordsFor(call, contentWords)("fileDeletedMeanwhile") }, isGone });
    if (error instanceof NotFound) return refuse({ errors: { form: wordsFor(call, contentWords)("fileGone") } });
    const conflict = await conflictOf(sources, place, form, error, content);
    return refuse(conflict ? { conflict } : { errors: formErrors<EditField>(call, error, EDIT_FIELDS) });
  }
}

/** Where to go after an edit: to the result, or, for a new branch, to the comparison that starts a pull request. */
export function afterEdit(
  { seen, branch, commit }: EditPlace,
  made: string,
  goTo: (branch: string) => { branch: string; path: string },
): string {
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  if (made !== branch && commit !== undefined && atLeast(seen.access.on("pulls"), "read"))
    return compareHref(repo, branch, made);
  const target = goTo(made);
  return refHref(repo, "src", { kind: "branch", name: target.branch }, target.path);
}

/** The file or directory to delete. @throws NotFound */
function deletedAt({ services }: Sources, { seen, commit, path }: EditPlace): FileEntry {
  const entry = commit === undefined || path === "" ? undefined : services.files.find(seen, commit, path);
  if (!entry || entry.kind === "submodule") throw new NotFound();
  return entry;
}

async function deleteForm(sources: Sources, call: Call): Promise<Response> {
  const place = editPlace(sources, call);
  deletedAt(sources, place);
  return deletePage(sources, call, place, place.commit ?? "", blankCommit);
}

async function deletePage(
  sources: Sources,
  call: Call,
  place: EditPlace,
  lastCommit: string,
  form: CommitForm,
  { errors, conflict }: Refusal = {},
): Promise<Response> {
  const view = (
    <DeletePage
      {...(await editPageProps(sources, call, place, "_delete", form))}
      path={place.path}
      isDirectory={deletedAt(sources, place).kind === "dir"}
      lastCommit={lastCommit}
      conflict={conflict}
      {...(errors ? { errors } : {})}
    />
  );
  return show(call, view, { status: errors || conflict ? 422 : 200 });
}

async function remove(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const place = writtenPlace(sources, call);
  const form = await readForm(call);
  const isDirectory = deletedAt(sources, place).kind === "dir";
  const sha = isDirectory ? undefined : await blobAt(sources, place, form);
  const refuse = (refusal: Refusal) =>
    deletePage(sources, call, place, form.text("last_commit"), typedCommit(form), refusal);
  const operation: FileOperation = { kind: isDirectory ? "delete-directory" : "delete", path: place.path, sha };
  return commit(sources, call, place, form, operation, refuse, (branch) => {
    // A directory disappears with its last file: go to the nearest one that remains.
    const at = services.revisions.branch(place.seen, branch);
    const parts = place.path.split("/").slice(0, -1);
    while (parts.length > 0 && at && !services.files.find(place.seen, at.commit, parts.join("/"))) parts.pop();
    return { branch, path: parts.join("/") };
  });
}
