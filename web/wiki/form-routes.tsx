import { decodeText, isBinary } from "../../src/content/texts.ts";
import { isOid } from "../../src/git/objects/types.ts";
import { type Call, param } from "../../src/http/route.ts";
import { Failure, NotFound } from "../../src/kernel/errors.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import { HOME } from "../../src/wiki/names.ts";
import type { WikiEntry, WrittenWiki } from "../../src/wiki/types.ts";
import type { FormErrors } from "../components/form.tsx";
import { Prose } from "../components/prose.tsx";
import { personOfSignature } from "../content/commit-items.ts";
import { type Form, formErrors, readForm, refusalOf } from "../form-data.ts";
import { wordsFor } from "../language.ts";
import { redirectAfterPost, show, showPart } from "../visit.ts";
import { wikiCommitHref, wikiHref } from "./addresses.ts";
import { pageLink, type WikiPages } from "./common.ts";
import { type OtherChange, type WikiField, WikiFormPage } from "./form.tsx";
import { versionOf } from "./page-routes.tsx";
import { wikiWords } from "./words/index.ts";

/** Form field names by the service's field names. */
const FIELDS: Readonly<Record<string, WikiField>> = { title: "title" };
/** Larger pages have to be edited with git: a browser's text field cannot handle them. */
const MAX_EDITED_BYTES = 2 ** 20;
export const MAX_FORM_BYTES = 8 * 2 ** 20;
const MAX_TITLE = 1000;

interface Filled {
  readonly values: Partial<Record<WikiField, string>>;
  readonly expected?: string | undefined;
  readonly errors?: FormErrors<WikiField> | undefined;
  readonly other?: OtherChange | undefined;
}

async function form(
  pages: WikiPages,
  call: Call,
  seen: SeenRepo,
  entry: WikiEntry | undefined,
  { errors, expected = "", other, values }: Filled,
): Promise<Response> {
  const frame = await pages.frame(call, seen, pages.services.wikis.written(seen));
  const view = (
    <WikiFormPage
      {...frame}
      page={entry && pageLink(entry)}
      expected={expected}
      form={{ values, ...(errors ? { errors } : {}) }}
      other={other}
    />
  );
  return show(call, view, { status: errors || other ? 422 : 200 });
}

export function newForm(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.writable(call);
  const title = (call.query.get("title") ?? "").slice(0, MAX_TITLE);
  const isFirst = pages.services.wikis.written(seen) === undefined;
  return form(pages, call, seen, undefined, { values: { title: title || (isFirst ? HOME : "") } });
}

/** With `version`, starts with the text of an earlier revision. @throws NotFound */
export async function editForm(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.writable(call);
  const { wikis } = pages.services;
  const wiki = wikis.requireWritten(seen);
  const address = param(call, "raw*");
  const entry = await wikis.get(wiki, address);
  const version = versionOf(pages, call, wiki);
  const before = version === undefined ? wiki : { ...wiki, commit: version };
  const { oid } = version === undefined ? entry : await wikis.get(before, address);
  const bytes = wikis.bytes(wiki, oid, MAX_EDITED_BYTES);
  if (!bytes || isBinary(bytes)) {
    const text = wordsFor(call, wikiWords)(bytes ? "noText" : "tooLargeToEdit");
    const repo = { owner: seen.owner.login, name: seen.repo.name };
    return redirectAfterPost(pages.services, call, wikiHref(repo, entry.address), { kind: "error", text });
  }
  const values = { title: entry.title.toWellFormed(), content: decodeText(bytes) };
  return form(pages, call, seen, entry, { values, expected: entry.oid });
}

/** @param address of the page being edited; undefined: a new one */
export async function save(pages: WikiPages, call: Call, address: string | undefined): Promise<Response> {
  const seen = pages.writable(call);
  const { services } = pages;
  const sent = await readForm(call, MAX_FORM_BYTES);
  const values = {
    title: sent.text("title").slice(0, MAX_TITLE),
    content: sent.exact("content").replaceAll("\r\n", "\n"),
    message: sent.text("message").slice(0, MAX_TITLE),
  };
  const expected = expectedIn(sent);
  const given = { ...values, content: new TextEncoder().encode(values.content.toWellFormed()) };
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  try {
    const entry =
      address === undefined
        ? await services.wikiEdits.create(seen, given)
        : await services.wikiEdits.edit(seen, address, { ...given, expected });
    return redirectAfterPost(services, call, wikiHref(repo, entry.address));
  } catch (error) {
    const refused = () => formErrors<WikiField>(call, error, FIELDS);
    if (address === undefined) return form(pages, call, seen, undefined, { values, errors: refused() });
    // The text was typed by hand: show it again, whatever happened in the meantime.
    const wiki = services.wikis.written(seen);
    const present = wiki && (await services.wikis.find(wiki, address));
    if (!wiki || !present) {
      if (!(error instanceof NotFound)) throw error;
      const errors = { form: wordsFor(call, wikiWords)("goneMeanwhile") };
      return form(pages, call, seen, undefined, { values, errors });
    }
    if (!(error instanceof Failure) || error.code !== "wiki.changed-meanwhile")
      return form(pages, call, seen, present, { values, expected, errors: refused() });
    const other = await otherChange(pages, wiki, present);
    return form(pages, call, seen, present, { values, expected: present.oid, other });
  }
}

/** The last change of a page, and who made it. */
async function otherChange({ services }: WikiPages, wiki: WrittenWiki, entry: WikiEntry): Promise<OtherChange> {
  const { commits, wikis } = services;
  const { owner, principal, repo } = wiki.seen;
  const last = await wikis.lastCommit(wiki, entry);
  const read = last === undefined ? undefined : commits.read(wiki.content, last);
  if (!read) throw new NotFound();
  const { name } = personOfSignature(read.commit.author, commits.peopleOf(principal, [read]));
  return { name, href: wikiCommitHref({ owner: owner.login, name: repo.name }, read.oid) };
}

/** The page's previous content, according to the form. */
function expectedIn(form: Form): string | undefined {
  const given = form.text("expected").toLowerCase();
  return isOid(given) ? given : undefined;
}

export async function remove(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.writable(call);
  const { services } = pages;
  const wiki = services.wikis.requireWritten(seen);
  const { address, title } = pageLink(await services.wikis.get(wiki, param(call, "raw*")));
  const repo = { owner: seen.owner.login, name: seen.repo.name };
  const expected = expectedIn(await readForm(call));
  try {
    await services.wikiEdits.delete(seen, address, { expected });
  } catch (error) {
    const text = refusalOf(call, error);
    return redirectAfterPost(services, call, wikiHref(repo, address), { kind: "error", text });
  }
  const text = wordsFor(call, wikiWords)("deleted", { title });
  return redirectAfterPost(services, call, `${wikiHref(repo)}/`, { kind: "success", text });
}

/** A preview of a text. */
export async function preview(pages: WikiPages, call: Call): Promise<Response> {
  const seen = pages.writable(call);
  const sent = await readForm(call, MAX_FORM_BYTES);
  return showPart(call, <Prose html={await pages.rendered.typed(seen, sent.exact("content"))} />);
}
