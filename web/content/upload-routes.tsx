import { editFiles } from "../../src/content/access.ts";
import type { FileOperation } from "../../src/content/edits/types.ts";
import { MAX_PATH_CHARACTERS } from "../../src/content/values.ts";
import { trimOf } from "../../src/git/text-ends.ts";
import { heldBodyStream } from "../../src/http/body.ts";
import { type FilePart, readMultipart } from "../../src/http/multipart.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { FormErrors } from "../components/form.tsx";
import { Form, formErrors } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, show } from "../visit.ts";
import { siteWords } from "../words/index.ts";
import {
  blankCommit,
  EDIT_FIELDS,
  type EditPlace,
  editPageProps,
  editPlace,
  requestedCommit,
  typedCommit,
  writtenPlace,
} from "./edit-place.ts";
import { afterEdit } from "./edit-routes.tsx";
import { type CommitForm, type EditField, UploadPage } from "./editor.tsx";
import { editorForm } from "./propose-routes.tsx";
import type { Sources } from "./sources.ts";

/** More files have to be pushed with git. */
const MAX_FILES = 200;
const MAX_FIELD_BYTES = 128 * 1024;

/** Commits uploaded files (contract git-content.md 11.4). */
export function uploadPages(sources: Sources): Route[] {
  const path = "/:owner/:repo/_upload/*";
  return [
    { ...editorForm(sources, "_upload", form), path },
    { surface: "page", method: "POST", access: editFiles, path, handle: (call) => upload(sources, call) },
  ];
}

function form(sources: Sources, call: Call): Promise<Response> {
  const place = editPlace(sources, call);
  const { files } = sources.services;
  const there = place.commit && place.path !== "" ? files.find(place.seen, place.commit, place.path) : undefined;
  if (there && there.kind !== "dir") throw new NotFound();
  return uploadPage(sources, call, place, { path: place.path, commit: blankCommit });
}

async function uploadPage(
  sources: Sources,
  call: Call,
  place: EditPlace,
  what: { readonly path: string; readonly commit: CommitForm; readonly errors?: FormErrors<EditField> },
): Promise<Response> {
  const view = (
    <UploadPage
      {...what}
      {...(await editPageProps(sources, call, place, "_upload", what.commit))}
      lastCommit={place.commit ?? ""}
    />
  );
  return show(call, view, { status: what.errors ? 422 : 200 });
}

async function upload(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const place = writtenPlace(sources, call);
  const limit = services.config["http.max_body_mib"] * 1024 * 1024;
  const limits = { maxFiles: MAX_FILES, maxFileBytes: limit, maxFieldBytes: MAX_FIELD_BYTES };
  const type = call.request.headers.get("content-type") ?? "";
  let typed: { readonly path: string; readonly commit: CommitForm } = { path: place.path, commit: blankCommit };
  try {
    using received = await readMultipart(heldBodyStream(call, limit), type, limits, held);
    const fields = new Form(Object.fromEntries(received.fields));
    const path = trimOf(fields.text("tree_path").slice(0, MAX_PATH_CHARACTERS), "/");
    typed = { path, commit: typedCommit(fields) };
    const operations = received.files.map(
      ({ name, file }): FileOperation => ({
        kind: "upload",
        path: path === "" ? name : `${path}/${name}`,
        content: file.content,
      }),
    );
    if (operations.length === 0) {
      const errors = { files: wordsFor(call, siteWords)("value.required") };
      return uploadPage(sources, call, place, { ...typed, errors });
    }
    const edited = await services.edits.commit(place.seen, {
      operations,
      branch: place.branch,
      ...requestedCommit(sources, call, typed.commit),
    });
    return redirectAfterPost(
      services,
      call,
      afterEdit(place, edited.branch, (branch) => ({ branch, path })),
    );
  } catch (error) {
    return uploadPage(sources, call, place, { ...typed, errors: formErrors<EditField>(call, error, EDIT_FIELDS) });
  }
}

/** Reads a file of the form into memory; the form as a whole is size-limited. */
async function held({ bytes }: FilePart): Promise<{ content: Uint8Array } & Disposable> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return { content: Buffer.concat(chunks), [Symbol.dispose]: () => {} };
}
