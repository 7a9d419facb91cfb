import { atLeast } from "../../src/access/levels.ts";
import { ownAddresses, requireOwnAddress } from "../../src/content/edits/own-addresses.ts";
import type { FileEntry } from "../../src/content/files/entry.ts";
import { isBinary } from "../../src/content/texts.ts";
import { decodeSegment } from "../../src/http/path.ts";
import { type Call, signedIn } from "../../src/http/route.ts";
import { NotFound, ValidationFailed } from "../../src/kernel/errors.ts";
import { segments } from "../../src/kernel/url-path.ts";
import type { PlainKey } from "../../src/language/catalogue.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { type Form, requireShort } from "../form-data.ts";
import { refHref } from "../links.ts";
import { homeOf } from "../repos/frame.ts";
import { shellOf } from "../visit.ts";
import { type CommitForm, type CommitTarget, type EditField, MAX_SHORT } from "./editor.tsx";
import { pathOf, rawSegments } from "./place.ts";
import type { Sources } from "./sources.ts";
import type { contentWords } from "./words/index.ts";

/** Larger files have to be edited locally. */
const MAX_EDITED_BYTES = 1024 * 1024;

/** Form field names by the service's field names. */
export const EDIT_FIELDS: Readonly<Record<string, EditField>> = {
  path: "tree_path",
  new_branch: "new_branch_name",
  new_branch_name: "new_branch_name",
  message: "commit_summary",
  commit_email: "commit_email",
  content: "content",
};

/** The place that the URL of an edit form names. */
export interface EditPlace {
  readonly seen: SeenRepo;
  readonly branch: string;
  readonly path: string;
  /** undefined: the repository is empty. */
  readonly commit: string | undefined;
}

/** Splits the `*` into branch and path; in an empty repository the first part is the branch to create. */
export function editPlace({ services }: Sources, call: Call): EditPlace {
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

/**
 * Whether the edit forms open: for users who can write to the code, and for maintainers of the target of a pull request
 * from that branch, if its author allows it and no rule blocks them (contract pulls.md 14).
 */
export function mayEditAt(
  services: Pick<WebServices, "branchProtections" | "edits">,
  { seen, branch }: Pick<EditPlace, "seen" | "branch">,
): boolean {
  if (!services.edits.mayEdit(seen, branch)) return false;
  return writesCode(seen) || !isClosed(services, seen, branch);
}

const writesCode = ({ access }: SeenRepo): boolean => atLeast(access.on("code"), "write");

/** The place that a form was submitted for. @throws NotFound for callers who do not get such a form */
export function writtenPlace(sources: Sources, call: Call): EditPlace {
  const place = editPlace(sources, call);
  if (!mayEditAt(sources.services, place)) throw new NotFound();
  return place;
}

/** The URL of a form for that place. */
export function actionOf({ seen, branch, path }: EditPlace, word: string): string {
  return homeOf(seen, [word, segments(branch), ...(path === "" ? [] : [segments(path)])].join("/"));
}

export function backOf({ seen, branch, path, commit }: EditPlace): string {
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  return commit === undefined ? homeOf(seen) : refHref(repo, "src", { kind: "branch", name: branch }, path);
}

export const blankCommit: CommitForm = {
  summary: "",
  message: "",
  choice: "direct",
  newBranch: "",
  email: "",
  signoff: false,
};

export function typedCommit(form: Form): CommitForm {
  return {
    summary: form.text("commit_summary").slice(0, 1000),
    message: form.text("commit_message").slice(0, 64_000),
    // Commit to the existing branch only if the form says so, or says nothing.
    choice: ["", "direct"].includes(form.text("commit_choice")) ? "direct" : "commit-to-new-branch",
    newBranch: form.text("new_branch_name").slice(0, 255),
    email: form.text("commit_email").slice(0, 254),
    signoff: form.checked("signoff"),
  };
}

/**
 * The service's options for making the commit.
 * @param of a message taken from another commit may have that commit's length
 * @throws ValidationFailed for an email address that is not the visitor's, a new branch without a name, or a value that
 * is too long
 */
export function requestedCommit(
  { services }: Sources,
  call: Call,
  form: CommitForm,
  of: "change" | "other-commit" = "change",
) {
  const { summary, message, choice, newBranch, email, signoff } = form;
  if (of === "change") requireShort("message", summary, MAX_SHORT);
  requireShort("new_branch", newBranch, MAX_SHORT);
  // A request for a new branch must not end up as a commit on the existing one.
  if (choice === "commit-to-new-branch" && newBranch.trim() === "")
    throw new ValidationFailed("value.required", { field: "new_branch", params: { name: "NewBranchName" } });
  if (email !== "") requireOwnAddress(services, signedIn(call), email);
  const person = email === "" ? {} : { author: { email }, committer: { email } };
  return {
    ...person,
    newBranch: choice === "commit-to-new-branch" ? newBranch : undefined,
    message: [summary, message].filter((part) => part !== "").join("\n\n"),
    signoff,
  };
}

/**
 * The form with the email addresses to choose from and an unused branch name, in the reference's format: `ada-patch-1`.
 */
export function suggested(
  sources: Sources,
  call: Call,
  { seen }: Pick<EditPlace, "seen">,
  given: CommitForm,
): CommitForm {
  const { services } = sources;
  const commit = { ...given, emails: ownAddresses(services, signedIn(call)) };
  if (commit.newBranch !== "" || !writesCode(seen)) return commit;
  const login = signedIn(call).login;
  for (let number = 1; number < 100; number++) {
    const name = `${login}-patch-${number}`;
    if (!services.revisions.branch(seen, name)) return { ...commit, newBranch: name };
  }
  return commit;
}

/** Where the commit of an edit may go. */
export function commitTarget(
  { services }: Sources,
  { seen, branch }: Pick<EditPlace, "seen" | "branch">,
): CommitTarget {
  if (!writesCode(seen)) return "branch";
  return isClosed(services, seen, branch) ? "new-branch" : "either";
}

/**
 * Properties of every page that ends in a commit on a branch.
 * @param word of the form's URL, such as `_edit`
 */
export async function editPageProps(sources: Sources, call: Call, place: EditPlace, word: string, commit: CommitForm) {
  return {
    shell: shellOf(sources.services, call),
    repo: await sources.frame(place.seen),
    branch: place.branch,
    action: actionOf(place, word),
    back: backOf(place),
    commit: suggested(sources, call, place, commit),
    target: commitTarget(sources, place),
  };
}

/** Whether a rule keeps the caller from committing; a rule that leaves some files open is checked on commit. */
function isClosed(services: Pick<WebServices, "branchProtections">, seen: SeenRepo, branch: string): boolean {
  const [state] = services.branchProtections.statesOf(seen, [branch]);
  return state?.rule !== undefined && !state.mayPush && state.rule.settings.unprotectedFilePatterns === "";
}

/** The text of a file, or why a text field cannot hold it without changing more than the user typed. */
export function editableText(
  { services }: Sources,
  { seen }: EditPlace,
  file: FileEntry,
): { text: string } | { refused: PlainKey<typeof contentWords.source> } {
  if (file.kind === "symlink") return { refused: "cannotEditSymlink" };
  if (services.files.lfsPointer(seen, file)) return { refused: "cannotEditLfs" };
  const bytes = services.files.bytes(seen, file.oid, MAX_EDITED_BYTES);
  if (!bytes) return { refused: "cannotEditLarge" };
  if (isBinary(bytes)) return { refused: "cannotEditBinary" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { refused: "cannotEditEncoding" };
  }
}

/** The current file at a place; empty when there is none that a text field can hold. */
export function textAt(sources: Sources, place: EditPlace): string {
  if (place.commit === undefined || place.path === "") return "";
  const file = sources.services.files.find(place.seen, place.commit, place.path);
  if (file?.kind !== "file") return "";
  const text = editableText(sources, place, file);
  return "text" in text ? text.text : "";
}

/** Browsers send every line break as CRLF; the file keeps its own kind. */
export function withLineEnds(typed: string, before: string): string {
  const text = typed.replace(/\r\n?/g, "\n");
  return /\r\n/.test(before) && !/[^\r]\n/.test(before) ? text.replaceAll("\n", "\r\n") : text;
}
