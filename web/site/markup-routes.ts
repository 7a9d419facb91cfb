import { plain } from "../../src/http/respond.ts";
import type { Access, Call, Route } from "../../src/http/route.ts";
import { renderingOf } from "../../src/site/rendering/wanted.ts";
import type { WebServices } from "../area.ts";
import { readForm } from "../form-data.ts";
import { raw } from "../jsx/raw.ts";
import { showPart } from "../visit.ts";

const signedIn: Access = { who: "user", scopes: [], publicOnly: "filtered" };
const readers: Access = { ...signedIn, subject: { kind: "repository", level: "read" } };
const MAX_TEXT_BYTES = 4 << 20;

/** Previews of typed text, for forms anywhere on the site (contract web.md 1.2, 1.7). */
export function markupPages(services: WebServices): Route[] {
  const preview = { method: "POST", surface: "page", handle: (call: Call) => markup(services, call) } as const;
  return [
    { ...preview, path: "/-/markup", access: signedIn },
    { ...preview, path: "/:owner/:repo/markup", access: readers },
  ];
}

async function markup({ repos, textRendering }: WebServices, call: Call): Promise<Response> {
  const form = await readForm(call, MAX_TEXT_BYTES);
  const wanted = {
    text: form.exact("text"),
    mode: form.checked("wiki") ? "wiki" : form.text("mode"),
    context: form.text("context"),
    filePath: form.text("file_path"),
  };
  const [owner = "", name = ""] = wanted.context.replace(/^\/+/, "").split("/");
  const named = call.found.repository ? undefined : repos.seeNamed(call.principal, [[owner, name]]);
  const seen = call.found.repository ?? named?.get(`${owner}/${name}`.toLowerCase());
  const found = renderingOf(wanted, seen && { owner: seen.owner.login, name: seen.repo.name });
  if (typeof found === "string") return plain(found, 422);
  const html = await textRendering.render({ principal: call.principal, seen }, wanted, found);
  return showPart(call, raw(html));
}
