import { asAccount } from "../src/access/principal.ts";
import type { User } from "../src/access/user.ts";
import {
  dropCookie,
  FLASH_COOKIE,
  type Flash,
  flashCookie,
  flashOf,
  languageCookie,
  themeOf,
} from "../src/http/cookies.ts";
import { isPartial, redirect, redirectOfHtmx } from "../src/http/respond.ts";
import type { Access, Call } from "../src/http/route.ts";
import type { Attempt } from "../src/identity/guesses.ts";
import { languageOfCode } from "../src/language/choose.ts";
import { HEARTH_VERSION } from "../src/version.ts";
import type { WebServices } from "./area.ts";
import { fragment, page } from "./jsx/page.ts";
import type { JSX } from "./jsx/types.ts";
import { languageOfCall } from "./language.ts";
import { bannerFor } from "./layout/banner.ts";
import type { Shell, Theme, Viewer } from "./layout/shell.tsx";
import { personOf } from "./people.ts";

/** Shared by page routes: the shell around a view, responses, flash messages and the common kinds of access. */

/** A page open to everyone, unless the site requires signing in. */
export const anyone: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };

export function isSecure(services: Pick<WebServices, "links">): boolean {
  return services.links.rootUrl.startsWith("https:");
}

export function viewerOf(user: User): Viewer {
  return { ...personOf(user), fullName: user.fullName, isSiteAdmin: user.isAdmin };
}

/** The shell for a request without a call: error pages have nothing more. */
export function bareShell(services: WebServices, request: Request, user: User | undefined, path: string): Shell {
  const { config, identity } = services;
  return {
    site: {
      name: config.name,
      rootUrl: services.links.rootUrl.replace(/\/$/, ""),
      version: HEARTH_VERSION,
      registrationOpen: config.registration === "open" || (user === undefined && !identity.hasAnyUser()),
      hasApiDocument: config["api.swagger"],
      banner: bannerFor(request, config.banner),
    },
    viewer: user ? viewerOf(user) : null,
    theme: themeOf(request) ?? accountTheme(user),
    path,
    contributions: services.contributions,
    headerCounts: user ? headerCounts(services, user) : new Map(),
  };
}

function headerCounts(services: WebServices, user: User): Map<string, number> {
  const reader = asAccount(user);
  return new Map(
    services.contributions.header.flatMap(({ id, count }) => (count ? [[id, count(services, reader)] as const] : [])),
  );
}

function accountTheme(user: User | undefined): Theme {
  return user?.theme === "light" || user?.theme === "dark" ? user.theme : "auto";
}

/**
 * The shell of a page. Shows a pending flash message and clears it, except for a part of a page, which would lose the
 * message meant for the next whole page; remembers a language requested in the URL.
 */
export function shellOf(services: WebServices, call: Call): Shell {
  const shell = bareShell(services, call.request, call.principal.user, call.target);
  const asked = call.query.get("lang");
  const language = asked ? languageOfCode(asked) : undefined;
  if (language) call.header("set-cookie", languageCookie(language.code, isSecure(services)));
  const flash = isPartial(call.request) ? undefined : flashOf(call.request);
  if (!flash) return shell;
  call.header("set-cookie", dropCookie(FLASH_COOKIE, { secure: isSecure(services) }));
  return { ...shell, flash };
}

/** Where a password attempt of this request comes from. */
export function attemptOf(call: Call): Attempt {
  return { address: call.address, signal: call.request.signal };
}

export interface ShowOptions {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  /** Another origin that forms of the page may redirect to, as a CSP source. */
  readonly formsTo?: string;
}

/** Responds with a whole page. */
export function show(call: Call, view: JSX.Element, options: ShowOptions = {}): Response {
  const acceptEncoding = call.request.headers.get("accept-encoding");
  return page(view, { ...options, language: languageOfCall(call), acceptEncoding, startedAt: call.startedAt });
}

/** Responds with a part of a page, for htmx. */
export function showPart(call: Call, view: JSX.Element, options: ShowOptions = {}): Response {
  const acceptEncoding = call.request.headers.get("accept-encoding");
  return fragment(view, { ...options, language: languageOfCall(call), acceptEncoding });
}

/**
 * Redirects after a successful form post; htmx gets a header, because it would swap the page of a 303 into a small
 * target.
 */
export function redirectAfterPost(services: WebServices, call: Call, location: string, flash?: Flash): Response {
  if (flash) call.header("set-cookie", flashCookie(flash, { secure: isSecure(services) }));
  if (isPartial(call.request)) return redirectOfHtmx(location);
  return redirect(location);
}
