import type { TObject } from "@sinclair/typebox";
import { trimOf } from "../../git/text-ends.ts";
import { type BodySource, checked, readBody, readFields } from "../../http/body.ts";
import { plain } from "../../http/respond.ts";
import type { Access, Call, Route } from "../../http/route.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import type { LinkBase, RepoAddress } from "../../markup/links.ts";
import type { Services } from "../../services.ts";
import { apiHtml } from "./html.ts";
import { MarkdownBody, MarkupBody, RenderedHtml } from "./resource.ts";

/** The largest text that is rendered, in bytes. */
const TEXT_LIMIT = 4 << 20;
/** Longer than any address of a file. */
const MAX_CONTEXT = 8192;
const MARKDOWN = /\.(?:md|markdown|mdown|mkdn?|mdwn|livemd)$/i;
const TABLE = /\.(?:csv|tsv)$/i;

interface Wanted {
  readonly text: string;
  readonly mode: string;
  readonly context: string;
  readonly filePath: string;
}

const signedIn: Access = { who: "user", scopes: [], publicOnly: "filtered" };
const onRepo: Access = {
  who: "user",
  subject: { kind: "repository", level: "read" },
  scopes: ["repository"],
  publicOnly: "filtered",
};

/** Longer texts are given their form in a worker, as they are rendered. */
const INLINE_CHARACTERS = 64 * 1024;

/** `/markdown` and `/markup`: text to HTML, as the site itself would show it. */
export function renderingRoutes({ links, markup, pool, references, storage }: Services): Route[] {
  const root = links.rootUrl.replace(/\/$/, "");

  const render = async (call: Call, wanted: Wanted): Promise<Response> => {
    const seen = call.found.repository;
    const repo = seen && { owner: seen.owner.login, name: seen.repo.name };
    const found = renderingOf(wanted, repo);
    // Clients know these two refusals as plain text.
    if (typeof found === "string") return plain(found, 422);
    const { base, as } = found;
    if (as === "table") {
      const { csvTable } = await import("../../markup/csv.ts");
      const table = csvTable(wanted.text, wanted.filePath);
      return html(table ?? `<pre>${Bun.escapeHTML(wanted.text)}</pre>`);
    }
    const hardBreaks = wanted.mode === "comment";
    const marked = await markup.markdown(wanted.text, { links: base, hardBreaks });
    // Rows that others change meanwhile are no reason not to look again.
    const [rendered = ""] = await storage.reading(() =>
      references.resolve({ principal: call.principal, repo: seen }, marked),
    );
    const options = { root, headingIds: base.kind !== "none" };
    if (rendered.length <= INLINE_CHARACTERS) return html(apiHtml(rendered, options));
    return html(await pool.run("site.apiHtml", { html: rendered, options }));
  };

  const route = (path: string, id: string, summary: string, access: Access, body: TObject | undefined): Route => ({
    method: "POST",
    path,
    surface: "api",
    access,
    doc: {
      id,
      tag: access.subject ? "repository" : "miscellaneous",
      summary,
      ...(body ? { body } : { textBody: "The text, in Markdown." }),
      answers: {
        200: { description: "The rendered text.", schema: RenderedHtml, mediaType: "text/html" },
        422: { description: "A mode that does not exist, or a kind of file that is not rendered." },
      },
    },
    handle: async (call) => render(call, body ? await wantedOf(call, body) : await rawText(call)),
  });

  const repo = "/api/v1/repos/:owner/:repo";
  return [
    route("/api/v1/markdown", "renderMarkdown", "Render Markdown", signedIn, MarkdownBody),
    route("/api/v1/markdown/raw", "renderMarkdownRaw", "Render a body of Markdown", signedIn, undefined),
    route("/api/v1/markup", "renderMarkup", "Render a text by its kind", signedIn, MarkupBody),
    route(`${repo}/markdown`, "repoRenderMarkdown", "Render Markdown of a repository", onRepo, MarkdownBody),
    route(`${repo}/markdown/raw`, "repoRenderMarkdownRaw", "Render a body of Markdown", onRepo, undefined),
    route(`${repo}/markup`, "repoRenderMarkup", "Render a text of a repository by its kind", onRepo, MarkupBody),
  ];
}

/** How to render; a text instead says why it cannot be. */
function renderingOf(
  { mode, context, filePath }: Wanted,
  repo: RepoAddress | undefined,
): { as: "markdown" | "table"; base: LinkBase } | string {
  const place = placeOf(context);
  const at = repo ?? place?.repo;
  switch (mode) {
    case "":
    case "markdown":
      return { as: "markdown", base: { kind: "none" } };
    case "gfm":
      return { as: "markdown", base: fileBase(at, place) };
    case "comment":
      return { as: "markdown", base: at ? { kind: "repo", repo: at } : { kind: "none" } };
    case "wiki":
      return { as: "markdown", base: at ? { kind: "repo", repo: at, below: "wiki" } : { kind: "none" } };
    case "file":
      if (MARKDOWN.test(filePath)) return { as: "markdown", base: fileBase(at, place) };
      return TABLE.test(filePath) ? { as: "table", base: { kind: "none" } } : "unable to find a render\n";
    default:
      return `unsupported render mode: ${mode.slice(0, 100)}\n`;
  }
}

function fileBase(repo: RepoAddress | undefined, place: Place | undefined): LinkBase {
  if (!repo) return { kind: "none" };
  return place?.at
    ? { kind: "file", repo, at: place.at, directory: place.directory }
    : { kind: "repo", repo, below: "src" };
}

interface Place {
  readonly repo: RepoAddress;
  readonly at: { readonly kind: "branch" | "tag" | "commit"; readonly name: string } | undefined;
  readonly directory: string;
}

/**
 * `/{owner}/{repo}` or `/{owner}/{repo}/src/{branch|commit|tag}/{ref}/{folder}`. Only the words of the path are used, no
 * repository is read: no one has checked that the caller may see it. A name with slashes is taken for its first part.
 */
function placeOf(context: string): Place | undefined {
  const [owner, name, src, kind, ref, ...folder] = trimOf(context.slice(0, MAX_CONTEXT), "/").split("/");
  if (!owner || !name) return undefined;
  const isKind = kind === "branch" || kind === "tag" || kind === "commit";
  return {
    repo: { owner, name },
    at: src === "src" && isKind && ref ? { kind, name: ref } : undefined,
    directory: folder.join("/"),
  };
}

/** Clients write the names of the fields with and without capitals. */
async function wantedOf(source: BodySource, schema: TObject): Promise<Wanted> {
  const given = await readFields(source, TEXT_LIMIT);
  const byLowerName = new Map(Object.entries(given.fields).map(([name, value]) => [name.toLowerCase(), value]));
  const fields = Object.fromEntries(
    Object.keys(schema.properties).map((name) => [name, byLowerName.get(name.toLowerCase())]),
  );
  const body: Record<string, unknown> = checked(schema, { ...given, fields });
  const text = (name: string) => (typeof body[name] === "string" ? body[name] : "");
  return {
    text: text("Text"),
    mode: body["Wiki"] === true ? "wiki" : text("Mode"),
    context: text("Context"),
    filePath: text("FilePath"),
  };
}

async function rawText(source: BodySource): Promise<Wanted> {
  const bytes = await readBody(source, TEXT_LIMIT);
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes), mode: "", context: "", filePath: "" };
  } catch {
    throw new ValidationFailed("request.text-not-utf8");
  }
}

function html(text: string): Response {
  return new Response(text, {
    headers: {
      "content-type": "text/html; charset=utf-8",
      // Safe as it is; and should a browser ever show it by itself, it is no one's page.
      "content-security-policy": "default-src 'none'; sandbox",
    },
  });
}
