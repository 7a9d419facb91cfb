import { bodyStream } from "../../src/http/body.ts";
import { type FilePart, readMultipart } from "../../src/http/multipart.ts";
import { json } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import type { Upload } from "../../src/issues/attachments/receive.ts";
import { Failure, NotFound, ValidationFailed } from "../../src/kernel/errors.ts";
import { changesReleases } from "../../src/releases/access.ts";
import type { Release } from "../../src/releases/types.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import type { WebServices } from "../area.ts";
import { Form, formErrors, readForm, refusalText } from "../form-data.ts";
import { refHref } from "../links.ts";
import { homeOf, repoFrame } from "../repos/frame.ts";
import { redirectAfterPost, shellOf, show } from "../visit.ts";
import { releaseHref } from "./addresses.ts";
import { type ReleaseField, ReleaseFormPage } from "./form.tsx";
import { generatedNotes } from "./notes.ts";

const MAX_FILES = 20;
const MAX_FIELD_BYTES = 2 << 20;
/** Maximum tags and branches that the form suggests. */
const MAX_CHOICES = 100;

/** Form field names by the service's field names. */
const FIELDS: Readonly<Record<string, ReleaseField>> = {
  tag_name: "tag_name",
  TagName: "tag_name",
  target: "tag_target",
  previous: "previous_tag",
  name: "files",
  attachment: "files",
  body: "content",
};

type Values = Partial<Record<ReleaseField, string>>;

/** The form that creates or edits a release (contract web.md 1.8). */
export function releaseFormPages(services: WebServices): Route[] {
  const page = { surface: "page", access: changesReleases } as const;
  const create = { ...page, path: "/:owner/:repo/releases/new" };
  const edit = { ...page, path: "/:owner/:repo/releases/edit/*" };
  const named = (call: Call) => services.releases.ofTag(seenRepo(call), param(call, "*"));
  return [
    {
      ...create,
      method: "GET",
      handle: (call) => form(services, call, undefined, { tag_name: (call.query.get("tag") ?? "").slice(0, 255) }),
    },
    { ...create, method: "POST", handle: (call) => save(services, call, undefined) },
    { ...edit, method: "GET", handle: (call) => form(services, call, named(call), valuesOf(named(call))) },
    { ...edit, method: "POST", handle: (call) => save(services, call, named(call)) },
    {
      ...page,
      path: "/:owner/:repo/releases/generate-notes",
      method: "POST",
      handle: (call) => generate(services, call),
    },
  ];
}

function valuesOf({ body, isPrerelease, tag, target, title }: Release): Values {
  return { tag_name: tag, tag_target: target, title, content: body, prerelease: isPrerelease ? "on" : "" };
}

async function form(
  services: WebServices,
  call: Call,
  release: Release | undefined,
  values: Values,
  error?: unknown,
): Promise<Response> {
  const seen = seenRepo(call);
  const repo = await repoFrame(services, seen);
  const paging = { page: 1, limit: MAX_CHOICES, offset: 0 };
  const branches = services.refs.page(seen.repo.id, "refs/heads/", "", paging).items;
  const view = (
    <ReleaseFormPage
      shell={shellOf(services, call)}
      repo={repo}
      action={release ? releaseHref(repo, release.tag, "edit") : homeOf(seen, "releases/new")}
      {...(release ? { release: { isDraft: release.isDraft, assets: assetsOf(services, release) } } : {})}
      form={{ values, ...(error === undefined ? {} : { errors: formErrors<ReleaseField>(call, error, FIELDS) }) }}
      isPrerelease={values.prerelease === "on"}
      editing={release?.tag ?? ""}
      tags={await services.tags.newestNames(seen, "", MAX_CHOICES)}
      branches={branches.map(({ name }) => name.slice("refs/heads/".length))}
    />
  );
  return show(call, view, { status: error === undefined ? 200 : 422 });
}

function assetsOf({ releaseAssets }: WebServices, release: Release) {
  return releaseAssets
    .of(release)
    .map(({ downloads, id, name, sizeBytes }) => ({ downloads, id, name, sizeBytes, href: "" }));
}

async function save(services: WebServices, call: Call, before: Release | undefined): Promise<Response> {
  const { releaseAssets, releases } = services;
  const seen = seenRepo(call);
  let values: Values = before ? valuesOf(before) : {};
  try {
    using received = await readReleaseForm(services, call);
    const { files, sent } = received;
    values = typedIn(sent);
    const given = {
      // The tag of an existing release need not be sent again.
      tag: before && !sent.has("tag_name") ? before.tag : (values.tag_name ?? ""),
      target: values.tag_target || undefined,
      title: values.title ?? "",
      body: values.content ?? "",
      isDraft: sent.checked("draft"),
      isPrerelease: sent.checked("prerelease"),
    };
    const tagMessage = sent.checked("add_tag_msg") ? given.title || given.tag : undefined;
    if (!before && sent.text("tag_only") !== "") {
      const { name } = await services.tags.create(seen, { name: given.tag, target: given.target, message: tagMessage });
      const repo = { owner: seen.owner.login, name: seen.repo.name };
      return redirectAfterPost(services, call, refHref(repo, "src", { kind: "tag", name }));
    }
    const release = before
      ? await releases.edit(seen, before.id, given)
      : await releases.create(seen, { ...given, tagMessage });
    for (const file of files) releaseAssets.add(seen, release, file);
    if (before) changeFiles(services, release, sent);
  } catch (error) {
    return form(services, call, before, values, targetRefusal(error));
  }
  return redirectAfterPost(services, call, homeOf(seen, "releases"));
}

/** The target was typed, so a missing one is an input error and not a 404. */
function targetRefusal(error: unknown): unknown {
  const isTarget = error instanceof NotFound && ["release.target-missing", "tag.target-missing"].includes(error.code);
  return isTarget ? new ValidationFailed("release.target-missing", { field: "target" }) : error;
}

function typedIn(sent: Form): Values {
  return {
    tag_name: sent.text("tag_name").slice(0, 1000),
    tag_target: sent.text("tag_target").slice(0, 1000),
    title: sent.text("title").slice(0, 1000),
    content: sent.exact("content").replaceAll("\r\n", "\n"),
    previous_tag: sent.text("previous_tag").slice(0, 1000),
    prerelease: sent.checked("prerelease") ? "on" : "",
  };
}

/** Generates notes from merged pull requests: scripts get only the notes, a form is shown again with them. */
async function generate(services: WebServices, call: Call): Promise<Response> {
  const seen = seenRepo(call);
  const sent = await readForm(call, MAX_FIELD_BYTES);
  const values = typedIn(sent);
  const { content = "", previous_tag: previous = "", tag_name: tag = "", tag_target: target = "" } = values;
  const wantsPage = call.request.headers.get("accept")?.includes("text/html") === true;
  const before = sent.text("editing") === "" ? undefined : services.releases.ofTag(seen, sent.text("editing"));
  try {
    const notes = await generatedNotes(services, call, { tag, target, previous });
    if (!wantsPage) return json({ content: notes });
    return form(services, call, before, {
      ...values,
      content: content.trim() === "" ? notes : `${content}\n\n${notes}`,
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (!wantsPage) return json({ errorMessage: refusalText(call, error) }, 400);
    return form(services, call, before, values, error);
  }
}

/** Renames and deletes existing files. @throws ValidationFailed */
function changeFiles({ releaseAssets }: WebServices, release: Release, sent: Form): void {
  for (const asset of releaseAssets.of(release))
    if (sent.checked(`attachment-del-${asset.id}`)) releaseAssets.remove(asset);
    else if (sent.has(`attachment-edit-${asset.id}`))
      releaseAssets.rename(asset, sent.text(`attachment-edit-${asset.id}`));
}

/** Reads the form with its files stored, or the plain form that browsers send without files. */
async function readReleaseForm(
  { releaseAssets }: WebServices,
  call: Call,
): Promise<{ readonly sent: Form; readonly files: readonly Upload[] } & Disposable> {
  const limits = { maxFiles: MAX_FILES, maxFileBytes: releaseAssets.maxBytes + 1, maxFieldBytes: MAX_FIELD_BYTES };
  const type = call.request.headers.get("content-type") ?? "";
  if (!/^multipart\/form-data\b/i.test(type))
    return { sent: await readForm(call), files: [], [Symbol.dispose]: () => {} };
  call.keepOpen();
  const receive = (part: FilePart) => releaseAssets.receive(part.bytes, part.name);
  const received = await readMultipart(bodyStream(call, releaseAssets.maxBytes * MAX_FILES), type, limits, receive);
  return {
    sent: new Form(Object.fromEntries(received.fields)),
    files: received.files.map(({ file }) => file),
    [Symbol.dispose]: () => received[Symbol.dispose](),
  };
}
