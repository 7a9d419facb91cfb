import { afterAll, beforeAll, expect, test } from "bun:test";
import { App } from "../../src/http/app.ts";
import { BodyMemory } from "../../src/http/body-memory.ts";
import { Guard } from "../../src/http/guard.ts";
import { parseJson } from "../../src/http/json.ts";
import { plain } from "../../src/http/respond.ts";
import type { Route } from "../../src/http/route.ts";
import { RouteTable } from "../../src/http/route-table.ts";
import { allRoutes } from "../../src/routes.ts";
import { Pages } from "../../web/pages.ts";
import { aToken } from "../builders.ts";
import { granted, held, type Level, type Row, type Scope, standings, table } from "./route-table.ts";
import {
  type ActorName,
  actorNames,
  aWorld,
  filledIn,
  indexIn,
  type Person,
  type RepoKind,
  repoKinds,
  type World,
} from "./world.ts";

/**
 * Generated test 1 (groups A, B, C): every route × everyone × every kind of repository × every kind of credential,
 * against the table. The guard is the real one; handlers tell that they were reached.
 */

let world: World;
let app: App;
let routes: Route[];

const reached = "x-test-reached";

beforeAll(async () => {
  world = await aWorld();
  const { services } = world.server;
  const { config, links } = services;
  routes = await allRoutes(services);
  const guard = new Guard(services.authenticator, services.identity, world.server.core.subjects, {
    rootUrl: links.rootUrl,
    requireSignin: false,
    confirmAddresses: false,
    proxySignIn: { believed: "off", user: "x-user", email: "x-email", fullName: "x-name" },
    sessionDays: config["session.days"],
    bodyLimitBytes: config["http.max_body_mib"] * 2 ** 20,
    pageSizes: { standard: 30, largest: 50 },
    changes: () => 0,
  });
  const watched = routes.map((route): Route => {
    const isHarmful = rowsOf(route).some((row) => row.harmful);
    return {
      ...route,
      handle: (call) => {
        call.header(reached, "yes");
        return isHarmful ? plain("let in") : route.handle(call);
      },
    };
  });
  app = new App(RouteTable.of(watched), guard, services.log, {
    rootUrl: links.rootUrl,
    trustedProxies: [],
    messages: world.server.core.messages,
    requests: world.server.core.requests,
    asClient: (_, work) => work(),
    bodies: new BodyMemory({ maxBytes: 2 ** 26, seconds: 30, parseLarge: async (text) => parseJson(text) }),
    written: async () => {},
    reading: (work) => services.storage.reading(work),
    changes: () => 0,
    renderErrorPage: (failed) => new Pages(services).error(failed),
  });
});
afterAll(() => world.server.close());

const keyOf = (route: Pick<Route, "method" | "path">) => `${route.method} ${route.path}`;
function rowsOf(route: Pick<Route, "method" | "path">): readonly Row[] {
  const rows = table[keyOf(route)];
  return rows === undefined ? [] : Array.isArray(rows) ? rows : [rows as Row];
}

const scopes = ["activitypub", "admin", "misc", "notification", "organization", "package"]
  .concat(["issue", "repository", "user", "project"])
  .flatMap((category) => [`read:${category}`, `write:${category}`]);

interface Credential {
  readonly kind: "none" | "session" | "token" | "basic";
  readonly scope: string;
  readonly headers: Record<string, string>;
}

/** Everyone brings a token, the same as a Basic password, a public-only one and a session; two bring every scope. */
function credentialsOf(name: ActorName, kind: RepoKind, person: Person | undefined): Credential[] {
  if (!person) return [{ kind: "none", scope: "", headers: {} }];
  const make = (kind: "token" | "basic", scope: string): Credential => {
    const secret = tokenOf(person, scope);
    const basic = Buffer.from(`${person.login}:${secret}`).toString("base64");
    return {
      kind,
      scope,
      headers: { authorization: kind === "token" ? `Bearer ${secret}` : `Basic ${basic}` },
    };
  };
  const few = [
    make("token", "all"),
    make("basic", "all"),
    make("token", "public-only,all"),
    { kind: "session", scope: "", headers: { cookie: person.cookie, "sec-fetch-site": "same-origin" } } as const,
  ];
  // Scopes are no business of the other kinds of repository.
  if ((name !== "owner" && name !== "siteAdmin") || (kind !== "public" && kind !== "private")) return few;
  return [
    ...few,
    ...scopes.map((scope, at) => make(at % 4 === 0 ? "basic" : "token", scope)),
    make("basic", "public-only,write:repository"),
  ];
}

const made = new Map<string, string>();
function tokenOf(person: Person, scope: string): string {
  const key = `${person.login} ${scope}`;
  const before = made.get(key);
  if (before) return before;
  const secret = aToken(world.server, person.user, scope.split(","));
  made.set(key, secret);
  return secret;
}

type Outcome = "in" | "401" | "403" | "404" | "423" | "login" | "change-password";

/** What the table says happens. */
function expected(row: Row, method: string, name: ActorName, kind: RepoKind, credential: Credential): Outcome {
  const takesHeader =
    row.surface === "api" ||
    row.surface === "bytes" ||
    row.surface === "git" ||
    row.surface === "registry" ||
    row.surface === "lfs" ||
    (row.takesBasic && credential.kind === "basic");
  const takesCookie = row.surface === "page" || row.surface === "bytes" || row.surface === "lfs";
  const counts = credential.kind === "session" ? takesCookie : credential.kind !== "none" && takesHeader;
  const principal: ActorName = counts ? name : "anonymous";
  const scope = counts && credential.scope !== "" ? credential.scope.split(",") : undefined;
  const publicOnly = scope?.includes("public-only") ?? false;
  const reading = method === "GET" || method === "HEAD";
  const has = (category: Scope) =>
    !scope ||
    scope.includes("all") ||
    scope.includes(`write:${category}`) ||
    (reading && !row.writeScope && scope.includes(`read:${category}`));
  const openToAll = kind === "public" || kind === "archived";
  const level = held[kind][principal] ?? granted[principal] ?? "none";
  if (row.git) {
    if (principal === "mustChange") return "401";
    if (principal === "deactivated" || principal === "prohibited") return "403";
    if (row.git === "pull" && openToAll) return "in";
    if (principal === "anonymous") return "401";
    // The account itself is hidden: not even a token's scope is examined, as with one that does not exist.
    const isHiddenAccount = kind === "ofLimited" || kind === "ofPrivate";
    if (level === "none" && (row.git === "pull" || isHiddenAccount)) return "404";
    const level2 = row.git === "pull" ? "read" : "write";
    const mayUse =
      !scope || scope.includes("all") || scope.includes("write:repository") || scope.includes(`${level2}:repository`);
    if (!mayUse) return "403";
    if (publicOnly && !openToAll) return "403";
    if (level === "none") return "404";
    return row.git === "push" && kind === "archived" ? "403" : "in";
  }
  if (row.lfs) {
    if (principal === "mustChange") return "401";
    if (principal === "deactivated" || principal === "prohibited") return "403";
    if (level === "none" || (principal === "anonymous" && row.lfs !== "read")) return "401";
    const needed = row.lfs === "write" ? "write" : "read";
    const mayUse =
      !scope || scope.includes("all") || scope.includes("write:repository") || scope.includes(`${needed}:repository`);
    if (!mayUse || (publicOnly && !openToAll)) return "403";
    if (!reaches(level, needed)) return "401";
    return needed === "write" && kind === "archived" ? "403" : "in";
  }
  // No owner is named: the handlers judge by themselves, as tests/api/packages/container.test.ts knows.
  if (row.surface === "registry" && !row.packages) return "in";
  const ownsPackages = principal === "owner" || principal === "siteAdmin";
  if (row.packages && row.surface === "registry") {
    const refused = row.isKnownForbidden && principal !== "anonymous" ? "403" : "401";
    if (principal === "mustChange" || principal === "deactivated" || principal === "prohibited") return refused;
    const mayUse =
      !scope ||
      ["all", "write:package", ...(row.packages === "read" ? ["read:package"] : [])].some((s) => scope.includes(s));
    if (mayUse && (row.packages === "read" || ownsPackages)) return "in";
    if (!mayUse && row.isScopeForbidden) return "403";
    return refused;
  }
  if (principal === "mustChange" && !row.unfinished) return row.surface === "page" ? "change-password" : "403";
  if (principal === "deactivated" || principal === "prohibited") return "403";
  if (row.noPublicOnly && publicOnly) return "403";
  if (!(row.scopes ?? []).every(has)) return "403";
  if (row.signedInFirst && principal === "anonymous") return "401";
  const seen: Level = publicOnly && !openToAll ? "none" : level;
  // Programs that fetch files are told that the token does not do, as by git.
  const isToldWhy = row.surface === "bytes" && publicOnly && level !== "none";
  if (row.level && seen === "none") return isToldWhy ? "403" : "404";
  if (row.who === "own-or-admin" && principal !== "owner" && principal !== "siteAdmin") return "403";
  if ((row.who === "user" || row.who === "admin") && principal === "anonymous")
    return row.surface === "page" ? "login" : "401";
  if (row.who === "admin" && principal !== "siteAdmin") return "403";
  const standing = standings[principal] ?? "none";
  if (row.organization === "owner" && standing !== "owner") return row.surface === "api" ? "403" : "404";
  if (row.organization === "member" && standing === "none") return row.surface === "api" ? "403" : "404";
  if (row.team === "owner" && standing !== "owner") return row.surface === "api" ? "403" : "404";
  // The team is private: the reader is in it, owners see every one.
  if (row.team === "reader" && standing !== "owner" && principal !== "reader")
    return standing === "member" && row.surface === "api" ? "403" : "404";
  if (row.team === "audience" && standing === "none") return "403";
  if (row.level && !reaches(seen, row.level)) return row.surface === "api" ? "403" : "404";
  if (row.notArchived && kind === "archived") return row.surface === "api" ? "423" : "404";
  if (row.packages === "write" && !ownsPackages) return row.surface === "api" ? "403" : "404";
  if (row.basicOnly && credential.kind !== "basic") return "401";
  if (row.laterLevel && !reaches(seen, row.laterLevel)) return "403";
  return "in";
}

const order: readonly Level[] = ["none", "read", "write", "admin", "owner"];
const reaches = (level: Level, needed: Level) => order.indexOf(level) >= order.indexOf(needed);

/** What happened. */
function outcome(row: Row, answer: Response): Outcome | string {
  const { status } = answer;
  const location = answer.headers.get("location") ?? "";
  const wasReached = answer.headers.has(reached);
  if (row.git) return [401, 403, 404].includes(status) ? String(status) : status < 500 ? "in" : `status ${status}`;
  if (row.lfs) return status === 401 || status === 403 ? String(status) : status < 500 ? "in" : `status ${status}`;
  if (wasReached) {
    if (row.laterLevel && status === 403) return "403";
    return status < 500 ? "in" : `status ${status}`;
  }
  if (status === 303 && location.startsWith("/user/login")) return "login";
  if (status === 303 && location === "/user/settings/change_password") return "change-password";
  return String(status);
}

function targetOf(route: Route, row: Row, kind: RepoKind, principal: ActorName): string {
  const sample = world.repos[kind];
  const at = filledIn(row.at ?? "", sample);
  const own =
    principal === "siteAdmin" || principal === "anonymous" ? "olga" : (world.principal(principal)?.login ?? "olga");
  const values: Record<string, string> = {
    owner: sample.at,
    repo: sample.repo.name,
    username: row.username ?? (route.path.startsWith("/api/v1/admin") ? "stranger" : "olga"),
    org: "acme",
    id: route.path.includes("/teams/:id") ? String(world.team.id) : at,
    team: "crew",
    index: indexIn(route.path),
    comment: String(sample.line),
    attachment_id: String(route.path.includes("/releases/") ? sample.asset.id : sample.file.id),
    collaborator: own,
    name: route.path.startsWith("/user/avatar") ? "olga" : at,
    token: "no-such-token",
  };
  const path = route.path
    .split("/")
    .map((part) => (part === "*" ? at : part.startsWith(":") ? (values[part.slice(1)] ?? at) : part))
    .join("/");
  return path + (row.query ?? "");
}

function requestOf(route: Route, row: Row, target: string, credential: Credential): Request {
  const headers = new Headers(credential.headers);
  const reading = route.method === "GET" || route.method === "OPTIONS";
  if (row.surface === "page" && !reading) headers.set("content-type", "application/x-www-form-urlencoded");
  else if (row.git) {
    const service = route.path.endsWith("receive-pack") ? "receive-pack" : "upload-pack";
    headers.set("content-type", `application/x-git-${service}-request`);
  } else if (!reading) headers.set("content-type", "application/json");
  if (row.lfs) headers.set("accept", "application/vnd.git-lfs+json");
  const body = row.git ? "0000" : row.surface === "page" ? "nothing=1" : "{}";
  return new Request(`${world.server.url.replace(/\/$/, "")}${target}`, {
    method: route.method,
    headers,
    redirect: "manual",
    ...(reading ? {} : { body }),
  });
}

test("every route stands in the table, and every row is a route", () => {
  const known = new Set(Object.keys(table));
  const declared = new Set(routes.map(keyOf));
  expect({
    withoutRow: [...declared].filter((key) => !known.has(key)),
    withoutRoute: [...known].filter((key) => !declared.has(key)),
  }).toEqual({ withoutRow: [], withoutRoute: [] });
});

test("everyone is let in, refused or sent to sign in as the table says, on every route", async () => {
  const wrong: string[] = [];
  const entered = new Set<string>();
  let asked = 0;
  const ask = async (route: Route, row: Row, name: ActorName, kind: RepoKind, credential: Credential) => {
    const target = targetOf(route, row, kind, name);
    const answer = await app.elysia.handle(requestOf(route, row, target, credential));
    await answer.body?.cancel();
    asked++;
    const want = expected(row, route.method, name, kind, credential);
    const got = outcome(row, answer);
    if (got === "in" && answer.status < 400) entered.add(keyOf(route));
    if (got !== want)
      wrong.push(
        `${route.method} ${target} (${kind}) as ${name} with ${credential.kind} ${credential.scope}: want ${want}, got ${got} (${answer.status})`,
      );
  };
  const creds = new Map<string, Credential[]>();
  for (const name of actorNames)
    for (const kind of repoKinds) creds.set(`${name} ${kind}`, credentialsOf(name, kind, world.principal(name, kind)));
  for (const route of routes)
    for (const row of rowsOf(route)) {
      const kinds = route.path.includes(":owner/:repo") ? repoKinds : (["public"] as const);
      const work: Promise<void>[] = [];
      for (const kind of kinds)
        for (const name of actorNames)
          for (const credential of creds.get(`${name} ${kind}`) ?? [])
            work.push(ask(route, row, name, kind, credential));
      await Promise.all(work);
    }
  console.log(`matrix: ${asked} requests, ${wrong.length} not as the table says`);
  expect(wrong.slice(0, 60)).toEqual([]);
  // A walk in which a route never answers anything proves little.
  // The links of mails answer those who have one: tests/web/mail-links.test.ts.
  // Keys are made with names that are there once only: tests/api/keys asks for them as everyone.
  // Threads belong to whoever was told of something: tests/api/notifications.
  // No sample has a pull request that is merged: tests/api/pulls.
  // The form of a comment is that of the line its query names: tests/web/review.test.ts.
  // The samples have no recording, diagram or API description to be drawn: tests/web/viewers.test.ts.
  // Hearth runs no scripts of repositories: it refuses whoever may administer one.
  // Only repositories have a sample of a webhook: tests/api/webhooks and tests/web/webhooks.test.ts for the others.
  // The same goes for variables of Actions, and no sample has a runner, a run, or what one leaves: tests/api/actions and tests/web/actions.test.ts.
  // Nobody in it has published anything, or has a rule: tests/api/packages, tests/web/packages.test.ts and package-rules.test.ts.
  // No sample is a mirror, has one or is being imported: tests/api/mirrors and tests/web/mirrors.test.ts.
  const empty =
    /^\/api\/packages\/|^\/v2\/|packages\/(:owner\/|settings\/)?:type\/|packages\/rules\/:id|push_mirrors\/:name$|migrate\/status$|hooks\/git|notifications\/threads|pulls\/:index\/(merge|history|content-history\/detail)$|commits\/:sha\/pull$|signing-key|git\/notes|reviews\/new_comment$|\/render\/|^\/:owner\/:repo\/\*$|^\/user\/(recover_account|activate_email)$|keys\/:id$|(orgs\/:org|user|admin|settings)\/hooks\/:id$|(orgs\/:org|user)\/actions\/variables\/:variablename$|actions\/variables\/:id\/edit$|runners\/:runner_id$|actions\/(runs|jobs|workflows|artifacts)\/:|actions\/workflow-dispatch-inputs$|actions_pipeline|info\/lfs\/objects\/|settings\/lfs\/show|ArtifactService/;
  const silent = routes
    .filter((route) => route.method === "GET" && !entered.has(keyOf(route)) && !empty.test(route.path))
    .map(keyOf);
  expect(silent).toEqual([]);
  expect(world.server.errors).toEqual([]);
}, 900_000);
