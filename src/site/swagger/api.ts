import { JSON_TYPE, redirect } from "../../http/respond.ts";
import { type Access, type Call, param, type Route } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Services } from "../../services.ts";
import type { ApiDocuments } from "./documents.ts";
import { swaggerInit, swaggerPage, swaggerPolicy } from "./page.ts";

const open: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };
/** Long enough to be cached, short enough to follow an upgrade. */
const CACHED = "public, max-age=3600";

/**
 * The API document as Swagger 2.0 and OpenAPI 3.0, and a page that shows it; nothing if `api.swagger` is off.
 * Everything is loaded on first request and cached: none of it costs anything at startup.
 * @param routes all routes of the server, requested when the document is built
 */
export function swaggerRoutes({ config, links }: Services, routes: () => Promise<readonly Route[]>): Route[] {
  if (!config["api.swagger"]) return [];
  let documents: Promise<ApiDocuments> | undefined;
  const assets = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const made = () => {
    documents ??= import("./documents.ts").then(({ documentsFor }) => documentsFor(links.rootUrl, routes));
    return documents;
  };
  const asset = async (name: "ui.js" | "ui.css"): Promise<Uint8Array<ArrayBuffer>> => {
    const { compressedAsset } = await import("./assets.ts");
    const known = assets.get(name) ?? compressedAsset(name);
    assets.set(name, known);
    return known;
  };
  return [
    page("/swagger.v1.json", async () => answer((await made()).swagger2, "application/json")),
    page("/openapi3.v1.json", async () => answer((await made()).openapi3, JSON_TYPE)),
    page("/api/swagger", () =>
      answer(swaggerPage, "text/html; charset=utf-8", { "content-security-policy": swaggerPolicy }),
    ),
    page("/api/v1/swagger", () => redirect("/api/swagger")),
    {
      method: "GET",
      path: "/api/swagger/:file",
      surface: "open",
      access: { ...open, beforeSignIn: true },
      handle: async (call) => {
        const file = param(call, "file");
        if (file === "init.js")
          return answer(swaggerInit, "text/javascript; charset=utf-8", { "cache-control": CACHED });
        if (file === "ui.js") return gzipped(call, await asset(file), "text/javascript; charset=utf-8");
        if (file === "ui.css") return gzipped(call, await asset(file), "text/css; charset=utf-8");
        throw new NotFound();
      },
    },
  ];
}

function page(path: string, handle: () => Response | Promise<Response>): Route {
  return { method: "GET", path, surface: "bytes", access: open, handle };
}

function answer(text: string, type: string, headers: Record<string, string> = {}): Response {
  return new Response(text, {
    headers: { "cache-control": "max-age=0, private, must-revalidate", "content-type": type, ...headers },
  });
}

function gzipped(call: Call, bytes: Uint8Array<ArrayBuffer>, type: string): Response {
  const headers = { "content-type": type, "cache-control": CACHED, vary: "accept-encoding" };
  const takesGzip = /\bgzip\b/.test(call.request.headers.get("accept-encoding") ?? "");
  if (takesGzip) return new Response(bytes, { headers: { ...headers, "content-encoding": "gzip" } });
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip")), { headers });
}
