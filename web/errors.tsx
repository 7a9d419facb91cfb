import { anonymous, asAccount, type Principal } from "../src/access/principal.ts";
import type { User } from "../src/access/user.ts";
import { sessionSecretOf } from "../src/http/cookies.ts";
import type { ErrorPage as Failed } from "../src/http/errors.ts";
import { targetOf } from "../src/http/path.ts";
import { isPartial, plain } from "../src/http/respond.ts";
import type { Language } from "../src/language/language.ts";
import type { WebServices } from "./area.ts";
import { MissingInRepoPage, missingInRepo } from "./content/missing.tsx";
import { UnreadInRepoPage, unreadInRepo } from "./content/unread.tsx";
import { wordsOfFailure } from "./form-data.ts";
import { fragment, page } from "./jsx/page.ts";
import { languageOf } from "./language.ts";
import { ErrorFragment, ErrorPage, type ErrorStatus } from "./layout/error-page.tsx";
import { bareShell, isSecure } from "./visit.ts";

const STATUSES: readonly ErrorStatus[] = [400, 403, 404, 405, 409, 413, 429, 500, 503];

/** Codes whose message adds nothing to what the error page of that status already says. */
const GENERAL = new Set(["access.sign-in-required", "access.site-admin-required", "account.not-own"]);

/**
 * An error page in the form the caller asked for: a fragment for htmx, a page for browsers, one line for the rest.
 * Missing things and things the visitor may not see give the same page.
 */
export async function errorPage(services: WebServices, failed: Failed): Promise<Response> {
  const { request, requestId } = failed;
  const status = STATUSES.find((known) => known === failed.status) ?? (failed.status >= 500 ? 500 : 400);
  // A page's route may match a path the API does not know; that caller is not a browser.
  if (status === 404 && targetOf(request.url).startsWith("/api/")) return plain("404 page not found\n", 404);
  if (failed.status === 403 && failed.failure?.code === "access.cross-origin") return plain(`${failed.message}\n`, 403);
  const target = targetOf(request.url);
  const { principal, user } = await visitorOf(services, request);
  const language = languageOf(request, new URLSearchParams(target.split("?", 2)[1]), user);
  const detail = detailOf(failed, status, language);
  const about = { status, requestId, ...(detail === undefined ? {} : { detail }) };
  if (isPartial(request))
    return fragment(<ErrorFragment {...about} />, {
      status: failed.status,
      language,
      headers: { "hx-retarget": "#flash", "hx-reswap": "innerHTML" },
    });
  if (!/text\/html/.test(request.headers.get("accept") ?? ""))
    return plain(status === 404 ? "Not found.\n" : `${failed.message}\n`, failed.status);
  const shell = bareShell(services, request, user, target);
  const missing = status === 404 ? await missingInRepo(services, principal, shell.path, language) : undefined;
  const unread =
    status >= 500 && detail !== undefined ? await unreadInRepo(services, principal, shell.path, detail) : undefined;
  const view = missing ? (
    <MissingInRepoPage shell={shell} {...missing} />
  ) : unread ? (
    <UnreadInRepoPage shell={shell} {...unread} {...about} />
  ) : (
    <ErrorPage shell={shell} {...about} />
  );
  return page(view, { status: failed.status, language, acceptEncoding: request.headers.get("accept-encoding") });
}

async function visitorOf(
  services: WebServices,
  request: Request,
): Promise<{ principal: Principal; user: User | undefined }> {
  const nobody = { principal: anonymous, user: undefined };
  const brought = sessionSecretOf(request, isSecure(services));
  if (!brought) return nobody;
  const session = await services.sessions.validate(brought);
  const user = session && services.identity.byId(session.userId);
  if (!user || services.identity.accountProblem(user) !== undefined) return nobody;
  return { principal: asAccount(user), user };
}

/** Why it was refused, in the visitor's language; the API's messages are not meant for people. */
function detailOf({ failure }: Failed, status: number, language: Language): string | undefined {
  if (!failure || status === 404 || GENERAL.has(failure.code)) return undefined;
  return wordsOfFailure(language, failure);
}
