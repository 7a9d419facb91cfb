/**
 * The assets a browser loads besides the pages: one style sheet (and one for pages without JavaScript), one script,
 * sheets and modules that particular pages load, the icon and the manifest. They are part of the executable, and their
 * URLs contain a content hash, so that browsers can cache them forever.
 */
import { readFileSync } from "node:fs";
import htmxCsp from "htmx.org/dist/ext/hx-csp.min.js" with { type: "text" };
import htmxPreload from "htmx.org/dist/ext/hx-preload.min.js" with { type: "text" };
import htmxSse from "htmx.org/dist/ext/hx-sse.min.js" with { type: "text" };
import htmx from "htmx.org/dist/htmx.min.js" with { type: "text" };
import { collectModules, collectScripts, collectSheets, collectStyles } from "./collect.macro.ts" with {
  type: "macro",
};
import iconFile from "./icon-512.png" with { type: "file" };
import { iconRules } from "./icon-rules.ts";
import logo from "./logo.svg" with { type: "text" };
import noscript from "./styles/noscript.css" with { type: "text" };

/** Built by the bundler; every page loads both. */
const STYLES = collectStyles();
export const CLIENT_SCRIPT = collectScripts();
export const CLIENT_MODULES = collectModules();
export const PAGE_SHEETS = collectSheets();

export type AssetName =
  | "hearth.css"
  | "noscript.css"
  | "hearth.js"
  | "icon.svg"
  | "icon-512.png"
  | "site-manifest.json";

export interface Asset {
  readonly name: string;
  /** `/assets/<hash>/<name>`. */
  readonly path: string;
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Compressed once, on first use. */
  gzip(): Uint8Array<ArrayBuffer>;
  brotli(): Uint8Array<ArrayBuffer>;
}

/** Cached for a year: the URL changes with the content. */
export const ASSET_CACHE_CONTROL = "public, max-age=31536000, immutable";

/** Built for the first page: assembling and hashing takes two milliseconds, which need not delay a start. */
const assets = once((): Readonly<Record<"byName" | "byPath" | "modules" | "sheets", ReadonlyMap<string, Asset>>> => {
  const icon = asset("icon.svg", "image/svg+xml", logo);
  // Phone home screens do not support SVG.
  const picture = asset("icon-512.png", "image/png", readFileSync(iconFile));
  const table: Record<AssetName, Asset> = {
    "hearth.css": asset("hearth.css", "text/css; charset=utf-8", `${STYLES}\n${iconRules()}`),
    "noscript.css": asset("noscript.css", "text/css; charset=utf-8", noscript),
    // Without the charset, a script is decoded in the encoding of the page that loads it.
    "hearth.js": asset(
      "hearth.js",
      "text/javascript; charset=utf-8",
      [htmx, htmxCsp, htmxPreload, htmxSse, CLIENT_SCRIPT].map((script) => withoutSourceMap(script)).join(";\n"),
    ),
    "icon.svg": icon,
    "icon-512.png": picture,
    "site-manifest.json": asset(
      "site-manifest.json",
      "application/manifest+json",
      JSON.stringify({
        name: "Hearth",
        short_name: "Hearth",
        start_url: "/",
        display: "minimal-ui",
        background_color: "#14171c",
        theme_color: "#14171c",
        icons: [
          { src: picture.path, sizes: "512x512", type: "image/png", purpose: "any maskable" },
          { src: icon.path, sizes: "any", type: "image/svg+xml", purpose: "any" },
        ],
      }),
    ),
  };
  const modules = Object.entries(CLIENT_MODULES).map(([name, script]) =>
    asset(`${name}.js`, "text/javascript; charset=utf-8", script),
  );
  const sheets = Object.entries(PAGE_SHEETS).map(([name, rules]) =>
    asset(`${name}.css`, "text/css; charset=utf-8", rules),
  );
  return {
    byName: new Map(Object.entries(table)),
    byPath: new Map([...Object.values(table), ...modules, ...sheets].map((entry) => [entry.path, entry])),
    sheets: new Map(sheets.map((entry) => [entry.name, entry])),
    modules: new Map(modules.map((entry) => [entry.name, entry])),
  };
});

/** The URL of an embedded file. */
export function assetPath(name: AssetName): string {
  return assets().byName.get(name)!.path;
}

/** The URL of the module `web/<folder>/modules/<name>.ts`. */
export function modulePath(name: string): string {
  const found = assets().modules.get(`${name}.js`);
  if (!found) throw new Error(`there is no module ${name}`);
  return found.path;
}

/** The URL of the sheet `web/<folder>/sheets/<name>.css`. */
export function sheetPath(name: string): string {
  const found = assets().sheets.get(`${name}.css`);
  if (!found) throw new Error(`there is no sheet ${name}`);
  return found.path;
}

/** The site's icon, inlined into the page: saves a request on every first visit. */
export const ICON_ADDRESS = `data:image/svg+xml,${encodeURIComponent(logo.trim())}`;

/** The embedded file with that name, for the few URLs without a hash (`/assets/site-manifest.json`, `/favicon.ico`). */
export function assetNamed(name: string): Asset | undefined {
  return assets().byName.get(name);
}

/**
 * Responds to `/assets/<hash>/<name>` in the best coding the browser accepts; `undefined` when there is no such file
 * (the route then responds with an uncached 404).
 */
export function assetResponse(pathname: string, acceptEncoding: string | null): Response | undefined {
  const found = assets().byPath.get(pathname);
  if (!found) return undefined;
  const headers = new Headers({
    "Content-Type": found.type,
    "Cache-Control": ASSET_CACHE_CONTROL,
    "Access-Control-Allow-Origin": "*",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    Vary: "Accept-Encoding",
  });
  // Images are already compressed.
  const accepts = found.type === "image/png" ? "" : (acceptEncoding ?? "").toLowerCase();
  const coding = /\bbr\b(?!;q=0)/.test(accepts) ? "br" : /\bgzip\b(?!;q=0)/.test(accepts) ? "gzip" : undefined;
  if (coding) headers.set("Content-Encoding", coding);
  const body = coding === "br" ? found.brotli() : coding === "gzip" ? found.gzip() : found.body;
  return new Response(body, { headers });
}

function asset(name: string, type: string, content: string | Uint8Array): Asset {
  const body = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
  const hash = new Bun.CryptoHasher("sha256").update(body).digest("hex").slice(0, 12);
  return {
    name,
    path: `/assets/${hash}/${name}`,
    type,
    body,
    gzip: once(() => new Uint8Array(Bun.gzipSync(body, { level: 9 }))),
    // Level 11 takes 0.2 s, which the first visitor would have to wait for; 9 is 3 % larger.
    brotli: once(() => {
      const { brotliCompressSync, constants } = process.getBuiltinModule("node:zlib");
      return new Uint8Array(brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }));
    }),
  };
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function withoutSourceMap(script: string): string {
  return script.replace(/^\/\/# sourceMappingURL=.*$/m, "");
}
