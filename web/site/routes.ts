import { anonymous } from "../../src/access/principal.ts";
import { uploadedAvatar } from "../../src/avatars/api.ts";
import { languageCookie, themeCookie } from "../../src/http/cookies.ts";
import { json, plain, redirect } from "../../src/http/respond.ts";
import { type Call, param, type Route } from "../../src/http/route.ts";
import { beforeSigningIn, ownAccount } from "../../src/identity/access.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import { sha256Hex } from "../../src/kernel/ids.ts";
import { segment } from "../../src/kernel/url-path.ts";
import { languageOfCode } from "../../src/language/choose.ts";
import type { WebServices } from "../area.ts";
import { type Asset, assetNamed, assetPath, assetResponse } from "../assets/index.ts";
import { readForm } from "../form-data.ts";
import { dismissedCookie } from "../layout/banner.ts";
import { avatarHref, withQuery } from "../links.ts";
import { localPath } from "../redirect-target.ts";
import { isSecure, redirectAfterPost } from "../visit.ts";
import { goGetPages } from "./go-get.ts";
import { identiconPng } from "./identicon-png.ts";
import { markupPages } from "./markup-routes.ts";
import { sitemapPages } from "./sitemap.ts";

/** What browsers, crawlers and password managers request from the site itself. */

const ROBOTS = `User-agent: *
Disallow: /*/*/archive/
Disallow: /*/*/raw/
Disallow: /*/*/media/
Disallow: /*/*/blame/
Disallow: /*/*/compare/
Disallow: /*/*/commits/
Disallow: /*/*/commit/
Disallow: /*/*/src/commit/
Disallow: /*/*/graph
Disallow: /user/
Disallow: /*?*
`;

/** For files whose URL has no hash: cached for a while, then revalidated. */
const NAMED_CACHE = "public, max-age=21600";
const NO_STORE_AVATAR = { "cache-control": "private, max-age=300" };
const APPEARANCE = "/user/settings/appearance";
const themes = ["auto", "light", "dark"] as const;

export function sitePages(services: WebServices): Route[] {
  const open = { method: "GET", surface: "open", access: beforeSigningIn } as const;
  // Authenticated, for pictures that are not public.
  const shown = { method: "GET", surface: "bytes", access: beforeSigningIn } as const;
  const security = `${services.links.rootUrl}user/settings/security`;
  return [
    ...goGetPages(services),
    ...markupPages(services),
    ...sitemapPages(services),
    { ...open, path: "/robots.txt", handle: () => plain(ROBOTS, 200, { "cache-control": NAMED_CACHE }) },
    { ...open, path: "/favicon.ico", handle: (call) => named(call, "icon.svg") },
    { ...open, path: "/apple-touch-icon.png", handle: () => redirect(assetPath("icon-512.png"), 301) },
    { ...open, path: "/apple-touch-icon-precomposed.png", handle: () => redirect(assetPath("icon-512.png"), 301) },
    { ...open, path: "/assets/site-manifest.json", handle: (call) => named(call, "site-manifest.json") },
    { ...open, path: "/assets/img/logo.svg", handle: (call) => named(call, "icon.svg") },
    { ...open, path: "/assets/img/avatar_default.png", handle: (call) => identicon(call, "") },
    { ...open, path: "/assets/*", handle: hashedAsset },
    { ...shown, path: "/avatars/:name", handle: (call) => picture(services, call, "user") },
    { ...shown, path: "/repo-avatars/:name", handle: (call) => picture(services, call, "repo") },
    {
      ...open,
      path: "/avatar/:hash",
      handle: (call) => avatarAt(`/avatars/${encodeURIComponent(param(call, "hash").toLowerCase())}`),
    },
    { ...open, path: "/user/avatar/:name/:size", handle: (call) => accountAvatar(services, call) },
    // Tells git clients that pushes can create pull requests.
    { ...open, path: "/ssh_info", handle: () => json({ type: "agit", version: 1 }) },
    { ...open, path: "/.well-known/change-password", handle: () => redirect("/user/settings/account") },
    {
      ...open,
      path: "/.well-known/passkey-endpoints",
      handle: () => json({ enroll: security, manage: security }),
    },
    { ...open, path: "/-/web-theme/list", handle: () => json({ themes }) },
    {
      method: "POST",
      path: "/-/web-theme/apply",
      surface: "page",
      access: beforeSigningIn,
      handle: (call) => applyTheme(services, call, cameFrom(services, call)),
    },
    {
      method: "POST",
      path: "/-/web-banner/dismiss",
      surface: "page",
      access: beforeSigningIn,
      handle: (call) => {
        call.header("set-cookie", dismissedCookie(services.config.banner, isSecure(services)));
        return redirectAfterPost(services, call, cameFrom(services, call));
      },
    },
    {
      method: "POST",
      path: "/-/web-language/apply",
      surface: "page",
      access: beforeSigningIn,
      handle: (call) => applyLanguage(services, call, cameFrom(services, call)),
    },
    {
      method: "POST",
      path: "/-/fetch-redirect",
      surface: "page",
      access: { who: "anyone", scopes: [], publicOnly: "filtered" },
      handle: (call) => onward(services, call),
    },
    {
      method: "POST",
      path: `${APPEARANCE}/theme`,
      surface: "page",
      access: ownAccount,
      handle: (call) => applyTheme(services, call, APPEARANCE),
    },
    {
      method: "POST",
      path: `${APPEARANCE}/language`,
      surface: "page",
      access: ownAccount,
      handle: (call) => applyLanguage(services, call, APPEARANCE),
    },
  ];
}

function named(call: Call, name: string): Response {
  const asset = assetNamed(name);
  if (!asset) throw new NotFound();
  const etag = etagOf(asset);
  const headers = { "cache-control": NAMED_CACHE, etag, "access-control-allow-origin": "*" };
  if (call.request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(asset.body, { headers: { ...headers, "content-type": asset.type } });
}

/** The hash in the asset's URL. */
function etagOf(asset: Asset): string {
  return `"${asset.path.split("/")[2] ?? ""}"`;
}

function hashedAsset(call: Call): Response {
  const found = assetResponse(call.path, call.request.headers.get("accept-encoding"));
  if (!found) throw new NotFound();
  return found;
}

/** The uploaded picture, or else the identicon of the name, so that nobody learns which accounts exist. */
function picture(services: WebServices, call: Call, of: "user" | "repo"): Response {
  const uploaded = uploadedAvatar(services, call, of);
  if (uploaded) return uploaded;
  const name = param(call, "name");
  // What may be the URL of an upload shows other viewers something else, so it must not be cached.
  return identicon(call, name, /^[0-9a-f]{32}$/.test(name) ? NO_STORE_AVATAR["cache-control"] : NAMED_CACHE);
}

function identicon(call: Call, name: string, cacheControl = NAMED_CACHE): Response {
  const seed = name.toLowerCase().slice(0, 100);
  const etag = `"${sha256Hex(seed).slice(0, 16)}"`;
  const headers = { "cache-control": cacheControl, etag };
  if (call.request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  return new Response(identiconPng(seed), { headers: { ...headers, "content-type": "image/png" } });
}

/** Redirects to a picture for any name, so as not to reveal which accounts exist. */
function accountAvatar({ identity }: WebServices, call: Call): Response {
  const name = param(call, "name").toLowerCase();
  if (name === "ghost" || name === "-1") return avatarAt("/assets/img/avatar_default.png");
  const user = identity.byLogin(name);
  return avatarAt(user && identity.sees(anonymous, user) ? avatarHref(user) : `/avatars/${segment(name)}`);
}

export function avatarAt(location: string): Response {
  return new Response(null, { status: 303, headers: { location, ...NO_STORE_AVATAR } });
}

async function applyTheme(services: WebServices, call: Call, back: string): Promise<Response> {
  const form = await readForm(call);
  const theme = themes.find((known) => known === form.text("theme"));
  if (theme) {
    call.header("set-cookie", themeCookie(theme, isSecure(services)));
    if (call.principal.user) await services.identity.edit(call.principal, call.principal.user, { theme });
  }
  return redirectAfterPost(services, call, back);
}

/** Applies the language chosen in the footer, for this browser and the signed-in account. An unknown one is ignored. */
async function applyLanguage(services: WebServices, call: Call, back: string): Promise<Response> {
  const language = languageOfCode((await readForm(call)).text("language"));
  if (language) {
    call.header("set-cookie", languageCookie(language.code, isSecure(services)));
    if (call.principal.user)
      await services.identity.edit(call.principal, call.principal.user, { language: language.code });
  }
  // A `lang` parameter in the URL would override the new choice.
  return redirectAfterPost(services, call, withQuery(back, { lang: undefined }));
}

/** The page of this site that a form was sent from; the start page when the browser does not tell. */
function cameFrom(services: WebServices, call: Call): string {
  return ownPath(services, call, call.request.headers.get("referer")) ?? "/";
}

/** The path of a URL of this site; undefined for any other URL. */
function ownPath(services: WebServices, call: Call, address: string | null): string | undefined {
  if (!address || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const ours = url.host === call.request.headers.get("host") || url.origin === new URL(services.links.rootUrl).origin;
  return ours ? localPath(url.pathname + url.search) : undefined;
}

/** Redirects to the URL given to a script, if it is on this site. */
function onward(services: WebServices, call: Call): Response {
  const target = call.query.get("redirect");
  const path = localPath(target) ?? ownPath(services, call, target);
  return path === undefined ? plain("Bad Request\n", 400) : redirect(path);
}
