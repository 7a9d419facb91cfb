import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TSchema } from "@sinclair/typebox";
import { loadConfig } from "../../src/config/load.ts";
import type { Route } from "../../src/http/route.ts";
import { makeLog } from "../../src/kernel/log.ts";
import { allRoutes } from "../../src/routes.ts";
import { openHouse } from "../../src/services.ts";
import { removeFolder } from "../executable/process.ts";
import type { Attack, AttackRequest, Target } from "./attack.ts";
import { HEAVY, heavyPaths, pushHeavyRepository } from "./heavy-repository.ts";
import { LIMITS, LIMITS_BESIDE_OTHERS } from "./limits.ts";
import { ServingThread } from "./serving-thread.ts";

/**
 * Every route with its largest, deepest, most repeated and slowest input: paths, queries, headers, JSON and forms,
 * made from the declarations, so that what an area adds is swept without a line of its own.
 */

interface Swept {
  readonly what: string;
  readonly path: string;
  readonly request: AttackRequest;
}

const LOOK_MS = 5;
/** From when on another request beside a long one tells how long others wait. */
const BESIDE_AFTER_MS = 50;
/** What a request should stay below. */
const AIM_MS = 20;
const KIB = 1024;
/** One KiB less than the longest head of a request. */
const HEAD_BYTES = 15 * KIB;

async function declaredRoutes(): Promise<Route[]> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-declared-"));
  const { config } = loadConfig({ flags: {}, environment: {}, file: undefined });
  const house = openHouse({ ...config, data: folder }, makeLog({ level: "error", format: "text", write: () => {} }));
  try {
    // Live pages never end.
    return (await allRoutes(house.services)).filter(({ path }) => !path.endsWith("/events"));
  } finally {
    house.close();
    removeFolder(folder);
  }
}

const parametersOf = ({ path }: Route) => [...path.matchAll(/:(\w+)|\*/g)].map(([, name]) => name ?? "*");

function pathWith(route: Route, values: Readonly<Record<string, string>>): string {
  return route.path
    .split("/")
    .map((part) => (part === "*" || part.startsWith(":") ? (values[part === "*" ? "*" : part.slice(1)] ?? "x") : part))
    .join("/");
}

/** Values that some parameter of a route may stand for in the heavy repository. */
function heavyValues(commit: string): string[] {
  const paths = heavyPaths.map((path) => path.replace(/\/$/, ""));
  return [
    commit,
    "main",
    `main...b/1`,
    `${commit}^...${commit}`,
    ...paths,
    ...paths.map((path) => `branch/main/${path}`.replace(/\/$/, "")),
    ...paths.map((path) => `main/${path}`.replace(/\/$/, "")),
  ];
}

const hostileValues = ["a".repeat(3_500), "a%2f".repeat(900), "%F0%9F%94%A5".repeat(290), `main${"~1".repeat(1_000)}`];

function* paths(route: Route, target: Target, commit: string): Generator<{ what: string; path: string }> {
  const names = parametersOf(route);
  const own = { owner: target.stranger.login, repo: HEAVY, username: target.stranger.login };
  const others = names.filter((name) => !(name in own));
  yield { what: "as it is", path: pathWith(route, own) };
  if (route.method !== "GET") return;
  for (const value of others.length > 0 ? heavyValues(commit) : [])
    yield {
      what: value.slice(0, 40),
      path: pathWith(route, { ...Object.fromEntries(others.map((name) => [name, value])), ...own }),
    };
  for (const name of names)
    for (const value of [...hostileValues, ...(name === "*" ? ["a/".repeat(1_900)] : [])])
      yield { what: `:${name} ${value.slice(0, 12)}…`, path: pathWith(route, { ...own, [name]: value }) };
}

function* queries(route: Route): Generator<string> {
  const names = route.query?.map(({ name }) => name) ?? [];
  yield "page=999999999999&limit=999999999999";
  yield "a&".repeat(HEAD_BYTES / 2 - 500);
  for (const text of [
    "a/".repeat(2_000),
    "9".repeat(4_000),
    "%F0%9F%94%A5".repeat(300),
    "* ".repeat(2_000).replaceAll(" ", "%20"),
  ])
    if (names.length > 0)
      yield names
        .map((name) => `${name}=${text.slice(0, Math.floor((HEAD_BYTES - 500) / names.length) - name.length - 2)}`)
        .join("&");
  const searched = [
    "q",
    "query",
    "path",
    "sort",
    "order",
    "since",
    "until",
    "sha",
    "ref",
    "files",
    "lang",
    "redirect_to",
  ];
  yield searched.map((name) => `${name}=${"(a-*".repeat(200)}`).join("&");
}

const repeatedHeaders: Readonly<Record<string, string>>[] = [
  { "accept-language": "de-DE;q=0.1,".repeat(1_100) },
  { accept: "text/html;q=0.1,".repeat(900) },
  { range: `bytes=${"0-0,".repeat(3_000)}0-0`, "if-none-match": `"a",`.repeat(500) },
  { cookie: "a=b; hearth_session=x; ".repeat(600) },
  { "x-forwarded-for": "10.0.0.1, ".repeat(1_300) },
  { authorization: `Basic ${"YTph".repeat(3_000)}` },
  { "git-protocol": "version=2:".repeat(1_300), "content-type": `text/html;${" a=b;".repeat(500)}` },
];

/** The largest value of a schema's kind, of about so many bytes. */
function largest(schema: TSchema, bytes: number): unknown {
  if (schema["type"] === "array") {
    const items = (schema["items"] ?? { type: "string" }) as TSchema;
    const one = largest(items, 40);
    return Array.from({ length: Math.max(1, Math.floor(bytes / (JSON.stringify(one).length + 1))) }, () => one);
  }
  if (schema["type"] === "object") {
    const properties = Object.entries((schema["properties"] ?? {}) as Record<string, TSchema>);
    const share = Math.floor(bytes / Math.max(1, properties.length));
    return Object.fromEntries(properties.map(([key, property]) => [key, largest(property, share)]));
  }
  if (schema["type"] === "boolean") return true;
  if (schema["type"] === "integer" || schema["type"] === "number") return Number.MAX_SAFE_INTEGER;
  if (Array.isArray(schema["anyOf"])) return largest(schema["anyOf"][0] as TSchema, bytes);
  return "a/".repeat(Math.ceil(bytes / 2)).slice(0, bytes);
}

function* bodies(route: Route, formFields: readonly string[]): Generator<{ what: string; request: AttackRequest }> {
  const json = { "content-type": "application/json" };
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const limit = 1_000 * KIB;
  if (route.surface === "api") {
    const schema = (route.body ?? { type: "object", properties: {} }) as TSchema;
    const properties = Object.entries((schema["properties"] ?? {}) as Record<string, TSchema>);
    yield { what: "all fields", request: { headers: json, body: JSON.stringify(largest(schema, limit)) } };
    for (const [key, property] of properties)
      yield { what: key, request: { headers: json, body: JSON.stringify({ [key]: largest(property, limit) }) } };
    for (const [key] of properties.slice(0, 1))
      yield {
        what: `${key} nested`,
        request: { headers: json, body: `{"${key}":${"[".repeat(60)}${"]".repeat(60)}}` },
      };
    yield { what: "numbers", request: { headers: json, body: `{"a":[${"1e9,".repeat(90_000)}1]}` } };
    yield {
      what: "plain text",
      request: { headers: { "content-type": "text/plain" }, body: "*a_[`<".repeat(limit / 6) },
    };
  }
  const share = Math.floor(limit / Math.max(1, formFields.length)) - 40;
  const filled = (text: string) =>
    formFields.map((name) => `${name}=${text.repeat(Math.ceil(share / text.length)).slice(0, share)}`).join("&");
  for (const text of ["a/", "\n", "%20", "%F0%9F%94%A5"])
    yield { what: `form of ${text}`, request: { headers: form, body: filled(text) } };
  const boundary = "b".repeat(60);
  const part = (name: string, bytes: number) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${"a".repeat(bytes)}\r\n`;
  yield {
    what: "multipart",
    request: {
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      body: `${Array.from({ length: 900 }, (_, at) => part(`f${at}`, 900)).join("")}--${boundary}--\r\n`,
    },
  };
}

/** Names of the fields that a page's forms have. */
function fieldsOf(html: string): string[] {
  return [...html.matchAll(/<(?:input|textarea|select|button)[^>]{0,300}\bname="([^"]{1,60})"/g)].map(
    ([, name]) => name ?? "",
  );
}

/** Asks something cheap again and again beside a long request: the thread was held no longer than that waited. */
class OthersBeside {
  private longest = Number.POSITIVE_INFINITY;
  private hasEnded = false;
  private readonly began = performance.now();
  private asking: Promise<void> | undefined;
  private readonly timer = setTimeout(() => {
    this.asking = this.ask();
  }, BESIDE_AFTER_MS);

  constructor(private readonly target: Target) {}

  /** Ends it. Infinite when the request was not long. */
  async longestMs(): Promise<number> {
    this.hasEnded = true;
    clearTimeout(this.timer);
    await this.asking;
    return this.longest;
  }

  private async ask(): Promise<void> {
    // What came before the first of them may have been held, too.
    let longest = performance.now() - this.began;
    do {
      const at = performance.now();
      await this.target.ask("/api/healthz").catch(() => undefined);
      longest = Math.max(longest, performance.now() - at);
      await Bun.sleep(LOOK_MS);
    } while (!this.hasEnded);
    this.longest = longest;
  }
}

class Sweep {
  private readonly slow: { what: string; ms: number }[] = [];
  private readonly broken: string[] = [];
  private count = 0;
  private readonly serving: ServingThread;

  constructor(
    private readonly target: Target,
    private readonly cookie: string,
  ) {
    this.serving = new ServingThread(target.pid);
  }

  async send(route: Route, { what, path, request }: Swept): Promise<string> {
    const { ask, stranger } = this.target;
    const who: AttackRequest =
      route.surface === "page"
        ? { headers: { cookie: this.cookie, "sec-fetch-site": "same-origin", accept: "text/html" } }
        : { token: stranger.token };
    this.serving.reset();
    const before = this.serving.ranMs();
    // Each from an address of its own: what one may do in a time is not what is tried here.
    const from = `198.18.${(this.count >> 8) & 255}.${this.count & 255}`;
    this.count++;
    const timer = setInterval(() => this.serving.look(), LOOK_MS);
    const beside = new OthersBeside(this.target);
    const told = `${route.method} ${route.path} ${what}`;
    try {
      const answer = await ask(path, {
        from,
        ...who,
        ...request,
        method: route.method,
        headers: { ...who.headers, ...request.headers },
      });
      // Of a long answer that is sent piece by piece only its longest piece counts.
      const heldMs = Math.max(LOOK_MS, this.serving.longestHeldMs);
      const ms = Math.min(this.serving.ranMs() - before, heldMs, await beside.longestMs());
      if (ms > AIM_MS) this.slow.push({ what: `${told} -> ${answer.status}`, ms });
      if (answer.status === 500) this.broken.push(`${told} -> 500 ${answer.text.slice(0, 120)}`);
      return answer.text;
    } catch (error) {
      this.broken.push(`${told} had no answer: ${error}`);
      await ask("/api/healthz").catch(() => {
        throw new Error(
          `${this.broken.join("\n")}\nThe server is gone. Its last words:\n${this.target.output().slice(-4000)}`,
        );
      });
      return "";
    } finally {
      clearInterval(timer);
      void beside.longestMs();
    }
  }

  /** Prints the slowest. @throws Error when one took too long of the serving thread, or broke */
  conclude(): void {
    this.slow.sort((a, b) => b.ms - a.ms);
    console.log(`${this.count} requests, ${this.slow.length} took more than ${AIM_MS} ms of the serving thread`);
    for (const { what, ms } of this.slow.slice(0, 12 * this.target.scale))
      console.log(`  ${ms.toFixed(0).padStart(5)} ms  ${what}`);
    // What one request may take of the thread that serves everybody: nothing waits longer for it.
    const limits = this.target.scale > 1 ? LIMITS : LIMITS_BESIDE_OTHERS;
    const found = [
      ...this.slow.filter(({ ms }) => ms > limits.stallMs).map(({ what, ms }) => `${what}: ${Math.round(ms)} ms`),
      ...this.broken,
    ];
    if (found.length > 0) throw new Error(found.join("\n"));
  }
}

async function signIn({ ask, stranger }: Target): Promise<string> {
  const answer = await ask("/user/login", {
    body: new URLSearchParams({ user_name: stranger.login, password: stranger.password }).toString(),
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(";")[0];
  if (cookie === undefined) throw new Error(`the stranger could not sign in: ${answer.status}`);
  return cookie;
}

/** What ends a session or a token comes last. */
const ENDS = /\/(?:token|tokens|logout|account|delete|applications|sessions)\b/;
const rank = ({ method, path }: Route) => (ENDS.test(path) ? 2 : 0) + (method === "DELETE" ? 1 : 0);

let heavyCommit = "";

export const sweepAttacks: readonly Attack[] = [
  {
    name: "every route with its largest, deepest and most repeated input",
    isSweep: true,
    prepare: async (target) => {
      heavyCommit = await pushHeavyRepository(target);
    },
    run: async (target) => {
      const routes = await declaredRoutes();
      const sweep = new Sweep(target, await signIn(target));
      const fields = new Map<string, Set<string>>();
      for (const route of routes.filter(({ method }) => method === "GET")) {
        const found = new Set<string>();
        for (const { what, path } of paths(route, target, heavyCommit))
          for (const name of fieldsOf(await sweep.send(route, { what, path, request: {} }))) found.add(name);
        fields.set(route.path, found);
        const [plain] = paths(route, target, heavyCommit);
        if (!plain) continue;
        for (const query of queries(route))
          await sweep.send(route, { what: `?${query.slice(0, 30)}`, path: `${plain.path}?${query}`, request: {} });
        if (target.scale > 1 || rank(route) === 0)
          for (const headers of target.scale > 1 ? repeatedHeaders : repeatedHeaders.slice(0, 2))
            await sweep.send(route, { what: Object.keys(headers).join(" "), path: plain.path, request: { headers } });
      }
      const all = [...new Set([...fields.values()].flatMap((names) => [...names]))].slice(0, 300);
      const unsafe = routes.filter(({ method }) => method !== "GET").sort((a, b) => rank(a) - rank(b));
      for (const route of unsafe)
        for (const { path } of paths(route, target, heavyCommit))
          for (const { what, request } of bodies(route, [...(fields.get(route.path) ?? all)]))
            await sweep.send(route, { what, path: path.replace(`/${HEAVY}`, "/target"), request });
      sweep.conclude();
    },
  },
];
