import { Elysia } from "elysia";
import { clientNetwork } from "../kernel/client-network.ts";
import { randomHex } from "../kernel/ids.ts";
import type { Log } from "../kernel/log.ts";
import type { BodyMemory } from "./body-memory.ts";
import type { ErrorMessages } from "./error-words.ts";
import { type ErrorPage, errorAnswer } from "./errors.ts";
import { TrustedProxies } from "./forwarded.ts";
import type { Guard, Incoming } from "./guard.ts";
import { targetOf } from "./path.ts";
import { RequestTurns } from "./request-turns.ts";
import { plain } from "./respond.ts";
import type { Method, Route, Surface } from "./route.ts";

export interface AppOptions {
  readonly rootUrl: string;
  /** Addresses and ranges whose X-Forwarded-For is believed, see `TrustedProxies`. */
  readonly trustedProxies: readonly string[];
  readonly messages: ErrorMessages;
  readonly bodies: BodyMemory;
  /** Does the work of a request as that client, for its share of the worker threads. */
  asClient<T>(address: string, work: () => T): T;
  /** Runs what reads, again where something has to be read elsewhere first and it may be asked again. */
  reading(work: () => Response | Promise<Response>, mayAskAgain: () => boolean): Promise<Response>;
  /** A number that is another one once anything was changed. */
  changes(): number;
  /** Resolves once what was committed shows everywhere it is to show before it is acknowledged. */
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

/** Puts the declared routes behind the guard. Elysia routes; parsing, checking and errors are ours. */
export class App {
  readonly elysia: ReturnType<typeof makeElysia>;
  private readonly methodsByPath = new Map<string, Set<Method>>();
  private readonly proxies: TrustedProxies;
  private readonly turns = new RequestTurns();

  constructor(
    readonly routes: readonly Route[],
    private readonly guard: Guard,
    private readonly log: Log,
    private readonly options: AppOptions,
  ) {
    this.elysia = makeElysia();
    this.proxies = new TrustedProxies(options.trustedProxies);
    // Before the routes, or it would not hold for them. What a handler throws does not come here, see `serve`.
    this.elysia.onError(({ code, error, request, server }) =>
      code === "NOT_FOUND"
        ? this.unknown(this.incoming(request, server as Connection | null))
        : this.failed(error, request),
    );
    for (const route of routes) this.add(route);
    this.elysia.all(
      "/*",
      ({ request, server }: { request: Request; server: unknown }) =>
        this.unknown(this.incoming(request, server as Connection | null)),
      { parse: "none" },
    );
    this.requireDeclared();
  }

  /**
   * Every way in is a declaration, and every declaration a way in: also what a plugin or a later edit puts into the
   * router by itself (security rules, section 0).
   * @throws Error naming the handlers that stand in no declaration
   */
  requireDeclared(): void {
    const declared = new Set<string>(["ALL /*"]);
    for (const [path, methods] of this.methodsByPath)
      for (const method of methods.has("GET") ? [...methods, "HEAD"] : methods) declared.add(`${method} ${path}`);
    const present = new Set(this.elysia.routes.map(({ method, path }) => `${method} ${path}`));
    const undeclared = [...present].filter((route) => !declared.has(route));
    if (undeclared.length > 0) throw new Error(`handlers that no declaration knows: ${undeclared.join(", ")}`);
    const missing = [...declared].filter((route) => !present.has(route));
    if (missing.length > 0) throw new Error(`declarations without a handler: ${missing.join(", ")}`);
  }

  /**
   * Begins to answer. Elysia's own `listen` composes everything twice, makes Bun's server twice and collects garbage,
   * all for routes of other kinds than ours: five milliseconds of every start.
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

  private add(route: Route): void {
    const methods = this.methodsByPath.get(route.path) ?? new Set<Method>();
    if (methods.has(route.method)) throw new Error(`${route.method} ${route.path} is declared twice`);
    methods.add(route.method);
    this.methodsByPath.set(route.path, methods);
    const handler = ({ request, server }: { request: Request; server: unknown }) =>
      this.serve(route, request, server as Connection | null);
    this.elysia.route(route.method, route.path, handler, { config: {}, parse: "none" });
    if (route.method === "GET") {
      const head = ({ request, server }: { request: Request; server: unknown }) =>
        this.head(route, request, server as Connection | null);
      this.elysia.route("HEAD", route.path, head, { config: {}, parse: "none" });
    }
  }

  private async head(route: Route, request: Request, server: Connection | null): Promise<Response> {
    const answer = await this.serve(route, request, server);
    // The body is not made: a stream that is cancelled before it is pulled costs nothing.
    await answer.body?.cancel().catch(() => {});
    return new Response(null, { status: answer.status, headers: answer.headers });
  }

  private async serve(route: Route, request: Request, server: Connection | null): Promise<Response> {
    const incoming = this.incoming(request, server);
    if (isOwnersBelowApi(route.path, incoming.path)) return this.unknown(incoming);
    const turn = this.turns.enter(clientNetwork(incoming.address));
    if (turn) await turn;
    let answer: Response;
    try {
      request.signal.throwIfAborted();
      answer = await this.options.asClient(clientNetwork(incoming.address), () => this.answer(route, incoming));
    } catch (error) {
      answer = await this.errorFor(error, route.surface, request, incoming.requestId);
    } finally {
      incoming.bodyShare.close();
    }
    this.finish(answer, route.surface, incoming);
    this.record(answer, incoming);
    return answer;
  }

  private async answer(route: Route, incoming: Incoming): Promise<Response> {
    const call = await this.guard.admit(route, incoming);
    // A handler that has changed nothing may be asked again; see RepoStorage.reading.
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

  /** A failure of the server's own machinery: the caller learns its id, the log the rest. */
  private failed(error: unknown, request: Request): Response {
    const requestId = randomHex(6);
    this.log.error("unexpected error", { requestId, method: request.method, url: request.url, error });
    return plain(`Internal error, id ${requestId}\n`, 500, ALL_HEADERS);
  }

  private errorFor(
    error: unknown,
    surface: Surface,
    request: Request,
    requestId: string,
  ): Response | Promise<Response> {
    return errorAnswer(error, {
      surface,
      request,
      requestId,
      rootUrl: this.options.rootUrl,
      log: this.log,
      messages: this.options.messages,
      renderPage: (page) => this.options.renderErrorPage(page),
    });
  }

  private incoming(request: Request, server: Connection | null): Incoming {
    const target = targetOf(request.url);
    const mark = target.indexOf("?");
    const address = this.addressOf(request, server);
    return {
      request,
      target,
      path: mark < 0 ? target : target.slice(0, mark),
      query: new URLSearchParams(mark < 0 ? "" : target.slice(mark)),
      requestId: randomHex(6),
      address,
      bodyShare: this.options.bodies.open(clientNetwork(address)),
      startedAt: performance.now(),
      answerHeaders: new Headers(),
      keepOpen: () => server?.timeout(request, 0),
    };
  }

  private addressOf(request: Request, server: Connection | null): string {
    const peer = server?.requestIP(request)?.address ?? "";
    return this.proxies.clientAddress(peer, request.headers.get("x-forwarded-for"));
  }

  private finish(answer: Response, surface: Surface, incoming: Incoming): void {
    for (const [name, value] of Object.entries(ALL_HEADERS))
      if (!answer.headers.has(name)) answer.headers.set(name, value);
    if (!answer.headers.has("cache-control") && (surface === "api" || surface === "page"))
      answer.headers.set("cache-control", "max-age=0, private, must-revalidate");
    for (const [name, value] of incoming.answerHeaders) answer.headers.append(name, value);
    answer.headers.set("x-request-id", incoming.requestId);
  }

  /** What no route knows: 405 when only the method is wrong, 404 otherwise. */
  private async unknown(incoming: Incoming): Promise<Response> {
    const { request, path, requestId } = incoming;
    await this.turns.enter(clientNetwork(incoming.address));
    const allowed = this.methodsFor(path);
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

  private methodsFor(path: string): Set<string> {
    const segments = path.split("/");
    const found = new Set<string>();
    for (const [pattern, methods] of this.methodsByPath) {
      if (isOwnersBelowApi(pattern, path)) continue;
      if (!fits(pattern.split("/"), segments)) continue;
      for (const method of methods) found.add(method);
      if (methods.has("GET")) found.add("HEAD");
    }
    return found;
  }
}

/** No one can be called `api`: an owner's route that fits an address below it was not meant. */
function isOwnersBelowApi(pattern: string, path: string): boolean {
  return path.startsWith("/api/") && /^\/:owner\b/.test(pattern);
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  for (const [at, wanted] of pattern.entries()) {
    if (wanted === "*") return segments.length > at;
    const given = segments[at];
    if (given === undefined || given === "" ? wanted !== given : wanted !== given && !wanted.startsWith(":"))
      return false;
  }
  return pattern.length === segments.length;
}

function makeElysia() {
  return new Elysia({
    systemRouter: false,
    // Otherwise a host of one short word, as home servers have, never matches a wildcard route.
    handler: { standardHostname: false },
    normalize: false,
    nativeStaticResponse: false,
  });
}
