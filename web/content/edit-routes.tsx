import { openEditor } from "../../src/content/access.ts";
import type { FileOperation } from "../../src/content/edits/types.ts";
import type { FileEntry } from "../../src/content/files/entry.ts";
import { isBinary } from "../../src/content/texts.ts";
import { MAX_PATH_CHARACTERS } from "../../src/content/values.ts";
import { trimOf } from "../../src/git/text-ends.ts";
import { flashCookie } from "../../src/http/cookies.ts";
import { decodeSegment } from "../../src/http/path.ts";
import { type Call, type Route, signedIn } from "../../src/http/route.ts";
import { Failure, NotFound, Redirected } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import type { PlainKey } from "../../src/language/catalogue.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { FormErrors } from "../components/form.tsx";
import { type Form, formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { refHref } from "../links.ts";
import { homeOf } from "../repos/frame.ts";
import { isSecure, redirectAfterPost, shellOf, show } from "../visit.ts";
import { siteWords } from "../words/index.ts";
import { commitSummary } from "./commit-items.ts";
import type { EditConflict } from "./edit-conflict.tsx";
import { type CommitForm, DeleteFilePage, type EditField, EditorPage } from "./editor.tsx";
import { pathOf, rawSegments } from "./place.ts";
import { shownDiff } from "./shown-diff.ts";
import type { Sources } from "./sources.ts";
import { contentWords } from "./words/index.ts";

/** Larger files are edited on someone's own machine. */
const LARGEST_EDITED_BYTES = 1024 * 1024;
/** Of the other change; its own page has all of it. */
const MAX_CONFLICT_LINES = 2_000;
/** What services call the fields, and what the form does. */
const FIELDS: Readonly<Record<string, EditField>> = {
  path: "tree_path",
  new_branch: "new_branch_name",
  new_branch_name: "new_branch_name",
  message: "commit_summary",
};

interface EditPlace {
  readonly seen: SeenRepo;
  readonly branch: string;
  readonly path: string;
  /** undefined: the repository is empty. */
  readonly commit: string | undefined;
}

/** Changing files in the browser: one form, one commit. */
export function editPages(sources: Sources): Route[] {
  const page = { surface: "page", access: openEditor } as const;
  const at = (word: string) => `/:owner/:repo/${word}/*`;
  return [
    { ...page, method: "GET", path: at("_new"), handle: (call) => newForm(sources, call) },
    { ...page, method: "POST", path: at("_new"), handle: (call) => save(sources, call, "new") },
    { ...page, method: "GET", path: at("_edit"), handle: (call) => editForm(sources, call) },
    { ...page, method: "POST", path: at("_edit"), handle: (call) => save(sources, call, "edit") },
    { ...page, method: "GET", path: at("_delete"), handle: (call) => deleteForm(sources, call) },
    { ...page, method: "POST", path: at("_delete"), handle: (call) => remove(sources, call) },
  ];
}

/** The `*` as branch and path; of an empty repository the first part is the branch that will be. */
function editPlace({ services }: Sources, call: Call): EditPlace {
  const seen = seenRepo(call);
  const parts = rawSegments(call).map(decodeSegment);
  if (seen.repo.isEmpty) {
    const [branch = seen.repo.defaultBranch, ...rest] = parts;
    return { seen, branch: branch || seen.repo.defaultBranch, path: pathOf(rest), commit: undefined };
  }
  const found = services.revisions.leading(seen, "branch", parts);
  if (!found) throw new NotFound();
  const { name, commit } = found.value;
  return { seen, branch: name, path: pathOf(parts.slice(found.count)), commit };
}

const blank: CommitForm = { summary: "", message: "", choice: "direct", newBranch: "", signoff: false };

export function typedCommit(form: Form): CommitForm {
  return {
    summary: form.text("commit_summary").slice(0, 1000),
    message: form.text("commit_message").slice(0, 64_000),
    choice: form.text("commit_choice") === "commit-to-new-branch" ? "commit-to-new-branch" : "direct",
    newBranch: form.text("new_branch_name").slice(0, 255),
    signoff: form.checked("signoff"),
  };
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
  },
): Promise<Response> {
  const view = (
    <EditorPage
      shell={shellOf(sources.services, call)}
      repo={await sources.frame(place.seen)}
      branch={place.branch}
      action={actionOf(place, what.isNew ? "_new" : "_edit")}
      back={backOf(place)}
      {...what}
      commit={suggested(sources, call, place, what.commit)}
      isClosed={isClosed(sources, place)}
    />
  );
  return show(call, view, { status: what.errors || what.conflict ? 422 : 200 });
}

/** A free name for the new branch, as the reference suggests it: `ada-patch-1`. */
export function suggested(
  { services }: Sources,
  call: Call,
  { seen }: Pick<EditPlace, "seen">,
  commit: CommitForm,
): CommitForm {
  if (commit.newBranch !== "") return commit;
  const login = signedIn(call).login;
  for (let number = 1; number < 100; number++) {
    const name = `${login}-patch-${number}`;
    if (!services.revisions.branch(seen, name)) return { ...commit, newBranch: name };
  }
  return commit;
}

/** Whether a rule takes no commit from whoever asks; one that leaves some files open is asked when it is made. */
export function isClosed({ services }: Sources, { seen, branch }: Pick<EditPlace, "seen" | "branch">): boolean {
  const [state] = services.branchProtections.statesOf(seen, [branch]);
  return state?.rule !== undefined && !state.mayPush && state.rule.settings.unprotectedFilePatterns === "";
}

function actionOf({ seen, branch, path }: EditPlace, word: string): string {
  return homeOf(seen, [word, segments(branch), ...(path === "" ? [] : [segments(path)])].join("/"));
}

function backOf({ seen, branch, path, commit }: EditPlace): string {
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  return commit === undefined ? homeOf(seen) : refHref(repo, "src", { kind: "branch", name: branch }, path);
}

function newForm(sources: Sources, call: Call): Promise<Response> {
  const place = editPlace(sources, call);
  const { files } = sources.services;
  const there = place.commit && place.path !== "" ? files.find(place.seen, place.commit, place.path) : undefined;
  if (there && there.kind !== "dir") throw new NotFound();
  // In a folder the name is still to be typed.
  const path = there ? `${place.path}/` : place.path;
  return editor(sources, call, place, {
    isNew: true,
    path,
    content: "",
    lastCommit: place.commit ?? "",
    commit: blank,
  });
}

/** The file a form is about. @throws NotFound */
function fileAt({ services }: Sources, { seen, commit, path }: EditPlace): FileEntry {
  const entry = commit === undefined || path === "" ? undefined : services.files.find(seen, commit, path);
  if (!entry || entry.kind === "dir" || entry.kind === "submodule") throw new NotFound();
  return entry;
}

function editForm(sources: Sources, call: Call): Promise<Response> {
  const place = editPlace(sources, call);
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
    commit: blank,
  });
}

/** The text of a file, or why a text field cannot hold it without changing more than was typed. */
function editableText(
  { services }: Sources,
  { seen }: EditPlace,
  file: FileEntry,
): { text: string } | { refused: PlainKey<typeof contentWords.source> } {
  if (file.kind === "symlink") return { refused: "cannotEditSymlink" };
  if (services.files.lfsPointer(seen, file)) return { refused: "cannotEditLfs" };
  const bytes = services.files.bytes(seen, file.oid, LARGEST_EDITED_BYTES);
  if (!bytes) return { refused: "cannotEditLarge" };
  if (isBinary(bytes)) return { refused: "cannotEditBinary" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { refused: "cannotEditEncoding" };
  }
}

async function save(sources: Sources, call: Call, what: "new" | "edit"): Promise<Response> {
  const place = editPlace(sources, call);
  const form = await readForm(call, sources.services.config["http.max_body_mib"] * 1024 * 1024);
  const path = trimOf(form.text("tree_path").slice(0, MAX_PATH_CHARACTERS), "/");
  const content = withLineEnds(form.exact("content"), what === "edit" ? original(sources, place) : "");
  const refuse = ({ errors, conflict, isGone }: Refusal) =>
    editor(sources, call, place, {
      isNew: what === "new" || isGone === true,
      path,
      content,
      lastCommit: form.text("last_commit"),
      commit: typedCommit(form),
      conflict,
      ...(errors ? { errors } : {}),
    });
  if (path === "") return refuse({ errors: { tree_path: wordsFor(call, siteWords)("value.required") } });
  if (path.split("/").some((part) => part === "" || part === "." || part === ".."))
    return refuse({ errors: { tree_path: wordsFor(call, siteWords)("path.malformed") } });
  const bytes = new TextEncoder().encode(content);
  const sha = what === "edit" ? await blobAt(sources, place, form) : undefined;
  const operation: FileOperation =
    what === "new"
      ? { kind: "create", path, content: bytes }
      : path === place.path
        ? { kind: "update", path, content: bytes, sha }
        : { kind: "rename", path, fromPath: place.path, content: bytes, sha };
  return commit(sources, call, place, form, operation, refuse, (branch) => ({ branch, path }));
}

/** Why an edit was not made, as the form shows it. */
interface Refusal {
  readonly errors?: FormErrors<EditField>;
  /** Someone else changed the file meanwhile. */
  readonly conflict?: EditConflict | undefined;
  /** Someone else deleted it: what was written can become a new file. */
  readonly isGone?: boolean;
}

/** The other change behind a refusal; undefined when it was refused for something else. */
async function conflictOf(
  { services }: Sources,
  place: EditPlace,
  form: Form,
  error: unknown,
): Promise<EditConflict | undefined> {
  if (!(error instanceof Failure) || error.code !== "file.changed") return undefined;
  const { seen, branch, path } = place;
  const { commit, head } = error.params;
  const read = typeof commit === "string" ? services.commits.read(seen, commit) : undefined;
  if (!read || typeof head !== "string") return undefined;
  const { revisions } = services;
  const opened = await revisions.settled(() => revisions.byDigits(seen, openedAt(form)));
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
    anewHref: actionOf({ seen, branch, path, commit: head }, "_edit"),
  };
}

/** The commit that the visitor has seen the file of: the one the form was opened at, or the one to save over. */
const openedAt = (form: Form): string => form.text("over") || form.text("last_commit");

/** What the file was when the form was opened: another content now is someone else's, and not to be lost. */
async function blobAt({ services }: Sources, { seen, path }: EditPlace, form: Form): Promise<string | undefined> {
  const { revisions } = services;
  const opened = await revisions.settled(() => revisions.byDigits(seen, openedAt(form)));
  return opened === undefined ? undefined : services.files.find(seen, opened, path)?.oid;
}

function original(sources: Sources, place: EditPlace): string {
  if (place.commit === undefined) return "";
  const file = sources.services.files.find(place.seen, place.commit, place.path);
  if (file?.kind !== "file") return "";
  const text = editableText(sources, place, file);
  return "text" in text ? text.text : "";
}

/** Browsers send every line end as CRLF; the file keeps the kind it has. */
function withLineEnds(typed: string, before: string): string {
  const text = typed.replace(/\r\n?/g, "\n");
  return /\r\n/.test(before) && !/[^\r]\n/.test(before) ? text.replaceAll("\n", "\r\n") : text;
}

async function commit(
  sources: Sources,
  call: Call,
  place: EditPlace,
  form: Form,
  operation: FileOperation,
  refuse: (refusal: Refusal) => Promise<Response>,
  goTo: (branch: string) => { branch: string; path: string },
): Promise<Response> {
  const { services } = sources;
  const { seen, branch } = place;
  const requested = typedCommit(form);
  const newBranch = requested.choice === "commit-to-new-branch" ? requested.newBranch : undefined;
  try {
    const edited = await services.edits.commit(seen, {
      operations: [operation],
      branch,
      newBranch,
      message: [requested.summary, requested.message].filter((part) => part !== "").join("\n\n"),
      signoff: requested.signoff,
    });
    const target = goTo(edited.branch);
    const repo = { owner: seen.owner.login, name: seen.repo.name };
    return redirectAfterPost(
      services,
      call,
      refHref(repo, "src", { kind: "branch", name: target.branch }, target.path),
    );
  } catch (error) {
    // The text was typed by hand: whatever happened in the meantime, it is shown again.
    const isGone = error instanceof NotFound && error.code === "path.missing";
    if (isGone) return refuse({ errors: { form: wordsFor(call, contentWords)("fileDeletedMeanwhile") }, isGone });
    if (error instanceof NotFound) return refuse({ errors: { form: wordsFor(call, contentWords)("fileGone") } });
    const conflict = await conflictOf(sources, place, form, error);
    return refuse(conflict ? { conflict } : { errors: formErrors<EditField>(call, error, FIELDS) });
  }
}

async function deleteForm(sources: Sources, call: Call): Promise<Response> {
  const place = editPlace(sources, call);
  fileAt(sources, place);
  return deletePage(sources, call, place, place.commit ?? "", blank);
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
    <DeleteFilePage
      shell={shellOf(sources.services, call)}
      repo={await sources.frame(place.seen)}
      branch={place.branch}
      path={place.path}
      action={actionOf(place, "_delete")}
      back={backOf(place)}
      lastCommit={lastCommit}
      commit={suggested(sources, call, place, form)}
      isClosed={isClosed(sources, place)}
      conflict={conflict}
      {...(errors ? { errors } : {})}
    />
  );
  return show(call, view, { status: errors || conflict ? 422 : 200 });
}

async function remove(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const place = editPlace(sources, call);
  const form = await readForm(call);
  const sha = await blobAt(sources, place, form);
  const refuse = (refusal: Refusal) =>
    deletePage(sources, call, place, form.text("last_commit"), typedCommit(form), refusal);
  const operation: FileOperation = { kind: "delete", path: place.path, sha };
  return commit(sources, call, place, form, operation, refuse, (branch) => {
    // A folder goes with its last file: on to the nearest that is left.
    const at = services.revisions.branch(place.seen, branch);
    const parts = place.path.split("/").slice(0, -1);
    while (parts.length > 0 && at && !services.files.find(place.seen, at.commit, parts.join("/"))) parts.pop();
    return { branch, path: parts.join("/") };
  });
}
