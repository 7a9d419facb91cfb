import { Elysia } from "elysia";
import { clientNetwork } from "../kernel/client-network.ts";
import { randomHex } from "../kernel/ids.ts";
import type { LiveRequests } from "../kernel/live-requests.ts";
import type { Log } from "../kernel/log.ts";
import type { BodyMemory } from "./body-memory.ts";
import type { ErrorMessages } from "./error-words.ts";
import { type ErrorPage, errorAnswer } from "./errors.ts";
import { TrustedProxies } from "./forwarded.ts";
import type { Guard, Incoming } from "./guard.ts";
import { otherForm } from "./other-forms.ts";
import { routedTarget, targetOf } from "./path.ts";
import { RequestTurns } from "./request-turns.ts";
import { plain } from "./respond.ts";
import type { Route, Surface } from "./route.ts";
import type { RouteTable } from "./route-table.ts";

export interface AppOptions {
  readonly rootUrl: string;
  /** Addresses and ranges whose X-Forwarded-For is trusted, see `TrustedProxies`. */
  readonly trustedProxies: readonly string[];
  readonly messages: ErrorMessages;
  readonly bodies: BodyMemory;
  readonly requests: LiveRequests;
  /** Runs the work of a request on behalf of that client, so that it counts towards its share of the worker threads. */
  asClient<T>(address: string, work: () => T): T;
  /** Runs a read, and repeats it if something must first be read elsewhere and `mayAskAgain` allows another call. */
  reading(work: () => Response | Promise<Response>, mayAskAgain: () => boolean): Promise<Response>;
  /** A counter that differs after any change. */
  changes(): number;
  /** Resolves once committed changes are visible everywhere they must be before they are acknowledged. */
  written(): Promise<void>;
  renderErrorPage(page: ErrorPage): Response | Promise<Response>;
}

/** The part of Bun's server that a request needs. */
interface Connection {
  requestIP(request: Request): { address: string } | null;
  timeout(request: Request, seconds: number): void;
}

const ALL_HEADERS = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "same-origin",
};

/** The only handler registered with Elysia; it looks every request up in the route table. */
const EVERYTHING = { method: "ALL", path: "/*" } as const;

/**
 * Serves the declared routes behind the guard. Elysia only serves; routing, parsing, validation and errors are ours.
 * Elysia's own router would need every handler at startup and take ten milliseconds to build.
 */
export class App {
  readonly elysia: ReturnType<typeof makeElysia>;
  private readonly proxies: TrustedProxies;
  private readonly turns = new RequestTurns();

  constructor(
    private readonly table: RouteTable,
    private readonly guard: Guard,
    private readonly log: Log,
    private readonly options: AppOptions,
  ) {
    this.elysia = makeElysia();
    this.proxies = new TrustedProxies(options.trustedProxies);
    // Must be registered before the handler to apply to it. Errors thrown by routes don't get here, see `serve`.
    this.elysia.onError(({ error, request }) => this.failed(error, request));
    this.elysia.all(
      EVERYTHING.path,
      ({ request, server }: { request: Request; server: unknown }) => this.serve(request, server as Connection | null),
      { parse: "none" },
    );
    this.requireDeclared();
  }

  /**
   * Ensures that every entry point is a declared route, including anything a plugin or a later change might register
   * with Elysia's router directly (security rules, section 0).
   * @throws Error naming the handlers that have no declaration
   */
  requireDeclared(): void {
    const undeclared = this.elysia.routes
      .filter(({ method, path }) => method !== EVERYTHING.method || path !== EVERYTHING.path)
      .map(({ method, path }) => `${method} ${path}`);
    if (undeclared.length > 0) throw new Error(`handlers that no declaration knows: ${undeclared.join(", ")}`);
  }

  /**
   * Starts listening. Elysia's own `listen` composes everything twice, creates Bun's server twice and collects garbage,
   * all for kinds of routes we don't have: five milliseconds of every start.
   */
  listen(address: { readonly hostname: string; readonly port: number }): Bun.Server<undefined> {
    const { fetch } = this.elysia.compile();
    const server = Bun.serve({
      ...address,
      reusePort: false,
      development: false,
      idleTimeout: 60,
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      fetch,
    });
    this.elysia.server = server;
    return server;
  }

  private async serve(request: Request, server: Connection | null): Promise<Response> {
    let incoming = this.incoming(request, server);
    let entry = this.table.find(request.method, incoming.path);
    const other =
      request.method === "GET" || request.method === "HEAD"
        ? otherForm(incoming.target, entry?.path, request.headers)
        : undefined;
    if (other !== undefined) {
      incoming = { ...incoming, ...this.addressed(other) };
      entry = this.table.find(request.method, incoming.path);
    }
    if (!entry) return this.unknown(incoming);
    // Avoids an await for routes that are already loaded.
    const declared = this.table.routeOf(entry);
    const route = declared instanceof Promise ? await declared : declared;
    if (!route) return this.unknown(incoming);
    const answer = await this.answerOf(route, incoming);
    if (request.method !== "HEAD") return answer;
    // Skips producing the body: a stream cancelled before its first pull costs nothing.
    const hasBody = answer.body !== null;
    await answer.body?.cancel().catch(() => {});
    // Without body and length Bun would send a content-length of 0; a stream, which it does not read, has no length.
    const body = hasBody && !answer.headers.has("content-length") ? new ReadableStream({}, { highWaterMark: 0 }) : null;
    return new Response(body, { status: answer.status, headers: answer.headers });
  }

  private async answerOf(route: Route, incoming: Incoming): Promise<Response> {
    const { requests } = this.options;
    const { address, request, requestId, startedAt } = incoming;
    requests.begin({ id: requestId, method: request.method, path: route.path, address, startedAt });
    let answer: Response;
    try {
      const turn = this.turns.enter(clientNetwork(incoming.address));
      if (turn) await turn;
      incoming.request.signal.throwIfAborted();
      answer = await this.options.asClient(clientNetwork(incoming.address), () => this.answer(route, incoming));
    } catch (error) {
      answer = await this.errorFor(error, route, incoming);
    } finally {
      incoming.bodyShare.close();
      requests.end(requestId);
    }
    this.finish(answer, route.surface, incoming);
    this.record(answer, incoming);
    return answer;
  }

  private async answer(route: Route, incoming: Incoming): Promise<Response> {
    const call = await this.guard.admit(route, incoming);
    // A handler that has changed nothing may be called again; see RepoStorage.reading.
    if (route.method === "GET")
      return this.options.reading(
        () => route.handle(call),
        () => true,
      );
    if (route.surface === "git") return route.handle(call);
    const { request, bodyShare } = incoming;
    const before = this.options.changes();
    const answer = await this.options.reading(
      () => route.handle(call),
      () => (call.effect.isMade || this.options.changes() === before) && (bodyShare.isKnown || !request.bodyUsed),
    );
    await this.options.written();
    return answer;
  }

  private record(answer: Response, { request, requestId, target, startedAt, address }: Incoming): void {
    this.log.info("request", {
      id: requestId,
      method: request.method,
      path: target,
      status: answer.status,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      from: address,
    });
  }

  /** A failure of the server itself: the caller gets only its id, the log the details. */
  private failed(error: unknown, request: Request): Response {
    const requestId = randomHex(6);
    this.log.error("unexpected error", { requestId, method: request.method, url: request.url, error });
    return plain(`Internal error, id ${requestId}\n`, 500, ALL_HEADERS);
  }

  private errorFor(
    error: unknown,
    { refuse, surface }: Route,
    { request, requestId }: Incoming,
  ): Response | Promise<Response> {
    return errorAnswer(error, {
      surface,
      refuse,
      request,
      requestId,
      rootUrl: this.options.rootUrl,
      log: this.log,
      messages: this.options.messages,
      renderPage: (page) => this.options.renderErrorPage(page),
    });
  }

  private incoming(request: Request, server: Connection | null): Incoming {
    const peer = server?.requestIP(request)?.address ?? "";
    const address = this.proxies.clientAddress(peer, request.headers.get("x-forwarded-for"));
    return {
      request,
      ...this.addressed(routedTarget(targetOf(request.url))),
      requestId: randomHex(6),
      address,
      throughProxy: this.proxies.has(peer),
      bodyShare: this.options.bodies.open(clientNetwork(address)),
      startedAt: performance.now(),
      answerHeaders: new Headers(),
      keepOpen: () => server?.timeout(request, 0),
    };
  }

  private addressed(target: string): Pick<Incoming, "target" | "path" | "query"> {
    const mark = target.indexOf("?");
    return {
      target,
      path: mark < 0 ? target : target.slice(0, mark),
      query: new URLSearchParams(mark < 0 ? "" : target.slice(mark)),
    };
  }

  private finish(answer: Response, surface: Surface, incoming: Incoming): void {
    for (const [name, value] of Object.entries(ALL_HEADERS))
      if (!answer.headers.has(name)) answer.headers.set(name, value);
    if (!answer.headers.has("cache-control") && (surface === "api" || surface === "page"))
      answer.headers.set("cache-control", "max-age=0, private, must-revalidate");
    for (const [name, value] of incoming.answerHeaders) answer.headers.append(name, value);
    answer.headers.set("x-request-id", incoming.requestId);
  }

  /** Answers requests that match no route: 405 if only the method is wrong, otherwise 404. */
  private async unknown(incoming: Incoming): Promise<Response> {
    const { request, path, requestId } = incoming;
    await this.turns.enter(clientNetwork(incoming.address));
    const allowed = await this.table.methodsAt(path);
    const underApi = path.startsWith("/api/");
    let answer: Response;
    if (allowed.size > 0)
      answer = new Response(null, { status: 405, headers: { allow: [...allowed].sort().join(", ") } });
    else if (underApi) answer = plain("404 page not found\n", 404);
    else if (/text\/html/.test(request.headers.get("accept") ?? ""))
      answer = await this.options.renderErrorPage({
        status: 404,
        message: "not found",
        requestId,
        request,
      });
    else answer = plain("Not found.\n", 404);
    this.finish(answer, "open", incoming);
    this.record(answer, incoming);
    return answer;
  }
}

function makeElysia() {
  return new Elysia({
    systemRouter: false,
    // Otherwise a single-label host name, common on home servers, never matches a wildcard route.
    handler: { standardHostname: false },
    normalize: false,
    nativeStaticResponse: false,
  });
}
