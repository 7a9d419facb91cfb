import type { TObject } from "@sinclair/typebox";
import { type BodySource, readBody, readChecked } from "../../http/body.ts";
import { plain } from "../../http/respond.ts";
import type { Access, Call, Route } from "../../http/route.ts";
import { ValidationFailed } from "../../kernel/errors.ts";
import { segment } from "../../kernel/url-path.ts";
import type { RepoAddress } from "../../markup/links.ts";
import type { Target } from "../../references/service.ts";
import type { Services } from "../../services.ts";
import { apiHtml } from "./html.ts";
import { MarkdownBody, MarkupBody, RenderedHtml } from "./resource.ts";
import { renderingOf, type Wanted } from "./wanted.ts";

/** The largest text that is rendered, in bytes. */
const TEXT_LIMIT = 4 << 20;
const signedIn: Access = { who: "user", scopes: [], publicOnly: "filtered" };
const onRepo: Access = {
  who: "user",
  subject: { kind: "repository", level: "read" },
  scopes: ["repository"],
  publicOnly: "filtered",
};

/** Longer texts are converted in a worker, like their rendering. */
const INLINE_CHARACTERS = 64 * 1024;

/** `/markdown` and `/markup`: text to HTML, as the site itself would show it. */
export function renderingRoutes({ links, pool, textRendering }: Services): Route[] {
  const root = links.rootUrl.replace(/\/$/, "");

  const render = async (call: Call, wanted: Wanted): Promise<Response> => {
    const seen = call.found.repository;
    const repo = seen && { owner: seen.owner.login, name: seen.repo.name };
    const found = renderingOf(wanted, repo);
    // Clients expect these two refusals as plain text.
    if (typeof found === "string") return plain(found, 422);
    const rendered = await textRendering.render(
      { principal: call.principal, seen },
      wanted,
      found,
      repo && linkTo(repo),
    );
    if (found.as === "table") return html(rendered);
    const options = { root, headingIds: found.base.kind !== "none" };
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
        422: { description: "Unknown mode, or a kind of file that cannot be rendered." },
      },
    },
    handle: async (call) => render(call, body ? await wantedOf(call, body) : await rawText(call)),
  });

  const repo = "/api/v1/repos/:owner/:repo";
  return [
    route("/api/v1/markdown", "renderMarkdown", "Render Markdown", signedIn, MarkdownBody),
    route("/api/v1/markdown/raw", "renderMarkdownRaw", "Render a body of Markdown", signedIn, undefined),
    route("/api/v1/markup", "renderMarkup", "Render a text according to its type", signedIn, MarkupBody),
    route(`${repo}/markdown`, "repoRenderMarkdown", "Render Markdown of a repository", onRepo, MarkdownBody),
    route(`${repo}/markdown/raw`, "repoRenderMarkdownRaw", "Render a body of Markdown", onRepo, undefined),
    route(
      `${repo}/markup`,
      "repoRenderMarkup",
      "Render a text of a repository according to its type",
      onRepo,
      MarkupBody,
    ),
  ];
}

/** Clients expect `#12` to be a link whether or not the item exists; on pages it stays text then. */
function linkTo({ owner, name }: RepoAddress): (number: number) => Target {
  const issues = `/${segment(owner)}/${segment(name)}/issues`;
  return (number) => ({ href: `${issues}/${number}`, label: `#${number}`, className: "ref-issue" });
}

async function wantedOf(source: BodySource, schema: TObject): Promise<Wanted> {
  const body: Record<string, unknown> = await readChecked(schema, source, TEXT_LIMIT);
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
      // Safe as it is; and if a browser shows it directly, it has no origin.
      "content-security-policy": "default-src 'none'; sandbox",
    },
  });
}
