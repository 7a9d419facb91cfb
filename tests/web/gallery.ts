/**
 * Shows every view with sample props in a browser:
 *
 *   bun tests/web/gallery.ts [port]
 */
import { assetNamed, assetResponse } from "../../web/assets/index.ts";
import { page } from "../../web/jsx/page.ts";
import { GALLERY } from "./gallery-pages.tsx";

/** Serves the gallery; port 0 takes a free one. */
export function serveGallery(port: number): Bun.Server<undefined> {
  return Bun.serve({
    port,
    hostname: "127.0.0.1",
    fetch(request) {
      const startedAt = performance.now();
      const { pathname } = new URL(request.url);
      const acceptEncoding = request.headers.get("accept-encoding");
      const view = GALLERY[pathname];
      if (view) return page(view(), { acceptEncoding, startedAt });
      if (pathname.startsWith("/assets/")) {
        const manifest = assetNamed(pathname.slice("/assets/".length));
        return (
          assetResponse(manifest?.path ?? pathname, acceptEncoding) ?? new Response("Not found.\n", { status: 404 })
        );
      }
      if (pathname.includes("/tree-list/"))
        return Response.json(["README.md", "src/mill/columns.ts", "src/mill/carry.ts"]);
      if (pathname.includes("/raw/")) return new Response(Bun.file("web/assets/logo.svg"));
      const links = Object.keys(GALLERY).map((path) => `<li><a href="${path}">${path}</a></li>`);
      return new Response(`<!doctype html><title>Gallery</title><ul>${links.join("")}</ul>`, {
        headers: { "Content-Type": "text/html; charset=utf-8" },
      });
    },
  });
}

if (import.meta.main) console.log(`gallery at ${serveGallery(Number(process.argv[2] ?? 4100)).url}`);
