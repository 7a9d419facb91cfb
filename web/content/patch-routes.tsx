import { editFiles } from "../../src/content/access.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { FormErrors } from "../components/form.tsx";
import { formErrors, readForm } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, show } from "../visit.ts";
import { siteWords } from "../words/index.ts";
import {
  blankCommit,
  EDIT_FIELDS,
  type EditPlace,
  editPageProps,
  requestedCommit,
  typedCommit,
  writtenPlace,
} from "./edit-place.ts";
import { afterEdit } from "./edit-routes.tsx";
import type { CommitForm, EditField } from "./editor.tsx";
import { PatchPage } from "./patch.tsx";
import type { Sources } from "./sources.ts";

/** Commits a pasted patch (contract web.md 1.7). */
export function patchPages(sources: Sources): Route[] {
  const page = { surface: "page", access: editFiles, path: "/:owner/:repo/_diffpatch/*" } as const;
  return [
    {
      ...page,
      method: "GET",
      handle: (call) => patchPage(sources, call, patchPlace(sources, call), { patch: "", commit: blankCommit }),
    },
    { ...page, method: "POST", handle: (call) => apply(sources, call) },
  ];
}

/**
 * @throws NotFound for users who may not write there, and for a repository without commits, which a patch cannot change
 */
function patchPlace(sources: Sources, call: Call): EditPlace {
  const place = writtenPlace(sources, call);
  if (place.commit === undefined) throw new NotFound();
  return place;
}

async function patchPage(
  sources: Sources,
  call: Call,
  place: EditPlace,
  what: { readonly patch: string; readonly commit: CommitForm; readonly errors?: FormErrors<EditField> },
): Promise<Response> {
  const view = (
    <PatchPage
      {...what}
      {...(await editPageProps(sources, call, place, "_diffpatch", what.commit))}
      lastCommit={place.commit ?? ""}
    />
  );
  return show(call, view, { status: what.errors ? 422 : 200 });
}

async function apply(sources: Sources, call: Call): Promise<Response> {
  const { services } = sources;
  const place = patchPlace(sources, call);
  const form = await readForm(call, services.config["http.max_body_mib"] * 1024 * 1024);
  // Browsers send every line break as CRLF; git's patches end their lines in LF and carry a file's own line ends.
  const patch = form.exact("content").replaceAll("\r\n", "\n");
  const typed = { patch, commit: typedCommit(form) };
  if (patch.trim() === "") {
    const errors = { content: wordsFor(call, siteWords)("value.required") };
    return patchPage(sources, call, place, { ...typed, errors });
  }
  try {
    const edited = await services.edits.commit(place.seen, {
      operations: [],
      change: { kind: "patch", patch: new TextEncoder().encode(patch) },
      branch: place.branch,
      ...requestedCommit(sources, call, typed.commit),
    });
    return redirectAfterPost(
      services,
      call,
      afterEdit(place, edited.branch, (branch) => ({ branch, path: place.path })),
    );
  } catch (error) {
    return patchPage(sources, call, place, { ...typed, errors: formErrors<EditField>(call, error, EDIT_FIELDS) });
  }
}
