import { plain } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { param } from "../../src/http/route.ts";
import { segment, segments } from "../../src/kernel/url-path.ts";
import type { WebServices } from "../area.ts";

/**
 * Responds to Go tools, which may request any URL below a repository (contract web.md 3.1); `http/other-forms.ts`
 * dispatches here. The response does not depend on whether the repository exists, except for the default branch, which
 * is shown to those who may read it.
 */
export function goGetPages(services: WebServices): Route[] {
  return [
    {
      method: "GET",
      path: "/-/go-get/*",
      surface: "bytes",
      access: { who: "anyone", scopes: [], publicOnly: "filtered", beforeSignIn: true, sudo: false },
      handle: (call) => goGet(services, call),
    },
  ];
}

function goGet({ config, links, repos }: WebServices, call: Call): Response {
  const [owner = "", given = ""] = param(call, "*").split("/");
  const name = given.replace(/\.git$/i, "");
  if (owner === "" || name === "") return plain("invalid import path", 400);
  const root = new URL(links.rootUrl);
  const place = `${segment(owner)}/${segment(name)}`;
  const importPath = `${root.host}${root.pathname}${place}`;
  const home = `${links.rootUrl}${place}`;
  const seen = repos.seeNamed(call.principal, [[owner, name]]).get(`${owner}/${name}`.toLowerCase());
  const mayRead = seen !== undefined && seen.access.on("code") !== "none";
  const branch = segments(mayRead ? seen.repo.defaultBranch : config["repository.default_branch"]);
  const source = `${home}/src/branch/${branch}{/dir}`;
  const flags = root.protocol === "http:" ? ["--insecure"] : [];
  const command = ["go", "get", ...flags, importPath].join(" ");
  const named = (name: string, content: string) => `<meta name="${name}" content="${Bun.escapeHTML(content)}">`;
  // In the form that Go tools and similar clients look for: void tags unclosed, a content type without charset.
  const html = `<!doctype html>
<html><head>${named("go-import", `${importPath} git ${home}.git`)}${named(
    "go-source",
    `${importPath} _ ${source} ${source}/{file}#L{line}`,
  )}</head><body>${Bun.escapeHTML(command)}</body></html>
`;
  const headers = {
    "content-type": "text/html",
    "content-security-policy": "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  };
  return new Response(html, { headers });
}
