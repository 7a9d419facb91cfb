import { violatesReference } from "../db/database.ts";
import { diskTrouble, isOutOfFiles, wordsForTrouble } from "../kernel/disk.ts";
import {
  BadRequest,
  Conflict,
  Failure,
  InsufficientStorage,
  Overloaded,
  Redirected,
  TooLarge,
  TooManyRequests,
} from "../kernel/errors.ts";
import type { Log } from "../kernel/log.ts";
import { JobFailed, JobTimedOut } from "../workers/pool.ts";
import type { ErrorMessages } from "./error-words.ts";
import { isPartial, json, plain, redirect, redirectOfHtmx } from "./respond.ts";
import type { Refuse, Surface } from "./route.ts";
import { storageFailure } from "./storage-failure.ts";

const MAX_MESSAGE = 1000;

/** Codes that the contract answers without the URL of the API docs (contract identity.md 1.3). */
const WITHOUT_URL = new Set([
  "access.account-disabled",
  "access.account-not-activated",
  "access.password-change-required",
  "access.sudo-refused",
  "quota.exceeded",
]);

/** What an error page shows. */
export interface ErrorPage {
  readonly status: number;
  /** Selects the page's own wording; undefined if the error was not raised by a service. */
  readonly failure?: Failure;
  readonly message: string;
  readonly requestId: string;
  readonly request: Request;
}

export interface ErrorContext {
  readonly surface: Surface;
  readonly request: Request;
  readonly requestId: string;
  readonly rootUrl: string;
  readonly log: Log;
  readonly messages: ErrorMessages;
  readonly renderPage: (page: ErrorPage) => Response | Promise<Response>;
  /** The route's own refusal, if it has one. */
  readonly refuse?: Refuse | undefined;
}

/** Turns whatever a handler threw into a response in the format of its surface. The only place that does. */
export function errorAnswer(error: unknown, context: ErrorContext): Response | Promise<Response> {
  if (error instanceof Redirected) return redirection(error, context);
  const failure = error instanceof Failure ? error : unexpected(error, context);
  const message = shortened(context.messages.of(failure));
  if (context.refuse) return context.refuse(failure, message, context.request);
  const headers: Record<string, string> =
    failure instanceof TooManyRequests || failure instanceof Overloaded
      ? { "retry-after": String(failure.retryAfterSeconds) }
      : {};
  switch (context.surface) {
    case "api":
      // The contract answers some errors with only a status; their messages are empty.
      if (message === "") return new Response(null, { status: failure.status, headers });
      return json(
        {
          message,
          ...(WITHOUT_URL.has(failure.code) ? {} : { url: `${context.rootUrl}api/swagger` }),
          // Some clients look for this field in a 404 (contract identity.md 1.3).
          ...(failure.status === 404 ? { errors: [] } : {}),
          ...failure.details,
        },
        failure.status,
        headers,
      );
    case "git":
      if (failure.status === 401)
        return plain(`${gitRefusal(failure, message)}\n`, 401, { "www-authenticate": 'Basic realm="Hearth"' });
      return plain(`${message}\n`, failure.status, headers);
    case "page":
      return pageOf(failure, message, headers, context);
    default:
      if (failure.status === 401) headers["www-authenticate"] = 'Basic realm="Hearth"';
      return plain(failure.status === 404 ? "Not found.\n" : `${message}\n`, failure.status, headers);
  }
}

/** Callers who need other credentials are told why; all others get the bare challenge. */
const gitRefusal = ({ code }: Failure, message: string) =>
  code === "two-factor.no-password-for-git" ? message : "Unauthorized";

async function pageOf(
  failure: Failure,
  message: string,
  headers: Readonly<Record<string, string>>,
  { requestId, request, renderPage }: ErrorContext,
): Promise<Response> {
  const page = await renderPage({ status: failure.status, failure, message, requestId, request });
  for (const [name, value] of Object.entries(headers)) page.headers.set(name, value);
  return page;
}

/** Truncates a message: it may echo input as long as a whole body. */
function shortened(message: string): string {
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
}

const MOVED = { 301: "Moved Permanently", 303: "See Other", 307: "Temporary Redirect" };

function redirection(moved: Redirected, { request, surface }: ErrorContext): Response {
  if (surface === "page" && isPartial(request)) return redirectOfHtmx(moved.location);
  const answer = redirect(moved.location, moved.status);
  if (surface !== "api" || (request.method !== "GET" && request.method !== "HEAD")) return answer;
  // Clients that don't follow redirects get a short note (RFC 9110 section 15.4).
  const { status, headers } = answer;
  headers.set("content-type", "text/html; charset=utf-8");
  const note = `<a href="${Bun.escapeHTML(moved.location)}">${MOVED[moved.status]}</a>.\n\n`;
  return new Response(note, { status, headers });
}

/** Engine errors meaning that the repository demands more work than we allow. */
const TOO_MUCH = new Set([
  "TreeTooLarge",
  "ObjectTooLarge",
  "CostlyObject",
  "ReadingSpent",
  "BlameTooLarge",
  "PatchTooLarge",
  "PatternsTooCostly",
  "TooManyBases",
]);

/** A job that timed out will do so again, unless the load was to blame. */
const JOB_RETRY_SECONDS = 30;
/** Gives other requests time to close their files. */
const BUSY_RETRY_SECONDS = 2;

function unexpected(error: unknown, { log, requestId, request }: ErrorContext): Failure {
  const name = error instanceof JobFailed ? error.originalName : error instanceof Error ? error.name : "";
  if (error instanceof Error && TOO_MUCH.has(name)) return new TooLarge(error.message);
  if (error instanceof JobTimedOut) return new Overloaded("server.job-timed-out", JOB_RETRY_SECONDS);
  // The client is gone, and nothing is wrong with the server.
  if (request.signal.aborted && error instanceof Error && error.name === "AbortError")
    return new BadRequest("request.client-gone");
  // An account or repository was deleted while files were being written for it; the final transaction finds it gone.
  if (violatesReference(error)) {
    log.warn("what a request was about is not there any more", { requestId, error });
    return new Conflict("request.deleted-meanwhile");
  }
  const trouble = diskTrouble(error);
  if (trouble === "full" || trouble === "readonly") {
    log.warn("the disk refused a write", { requestId, trouble, error });
    return new InsufficientStorage(wordsForTrouble(trouble));
  }
  if (trouble === "failed") {
    log.error("the disk failed", { requestId, error });
    return new Failure(503, wordsForTrouble(trouble));
  }
  if (isOutOfFiles(error)) {
    log.warn("no more files can be opened", { requestId, error });
    return new Overloaded("server.busy", BUSY_RETRY_SECONDS);
  }
  const stored = storageFailure(error);
  if (stored) {
    log.error("something stored is missing or damaged", { requestId, url: request.url, code: stored.code, error });
    return stored;
  }
  log.error("unexpected error", { requestId, method: request.method, url: request.url, error });
  return new Failure(500, `Internal error, id ${requestId}`);
}
