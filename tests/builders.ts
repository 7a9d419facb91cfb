import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { asAccount, operator } from "../src/access/principal.ts";
import type { User } from "../src/access/user.ts";
import { loadConfig } from "../src/config/load.ts";
import type { Config } from "../src/config/schema.ts";
import { serializeCommit } from "../src/git/objects/commit.ts";
import { SHA1 } from "../src/git/objects/format.ts";
import { hashObject } from "../src/git/objects/hash.ts";
import { MODE_FILE, MODE_TREE, serializeTree, type TreeEntry } from "../src/git/objects/tree.ts";
import type { GitObject, ObjectType, Oid } from "../src/git/objects/types.ts";
import { initRepository, writeObjects } from "../src/git/odb/write.ts";
import type { CreateUser } from "../src/identity/account-creation.ts";
import { randomHex } from "../src/kernel/ids.ts";
import { makeLog } from "../src/kernel/log.ts";
import { nextTurn } from "../src/kernel/next-turn.ts";
import type { OrganizationEdit } from "../src/organizations/service.ts";
import type { TeamEdit } from "../src/organizations/teams/service.ts";
import type { Team } from "../src/organizations/types.ts";
import type { Repo } from "../src/repos/types.ts";
import { startServer } from "../src/server.ts";
import { type House, openHouse, type Services } from "../src/services.ts";
import { freePort } from "./free-port.ts";

/** Small builders for tests: a server on a fresh folder and a free port, people, repositories, and a way to call. */

export interface TestServer {
  /** Where it listens, ending in `/`; also the site's root. */
  readonly url: string;
  readonly dataDir: string;
  readonly house: House;
  /** The foundations, for what no edge shows: rows, events, jobs. */
  readonly core: House["core"];
  readonly services: Services;
  /** Jobs, schedules and what areas do by themselves have begun. */
  readonly background: Promise<void>;
  /** Lines of level error, for tests that expect none. */
  readonly errors: string[];
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** A running server of this very code, in process, on 127.0.0.1 and a free port. */
export async function aServer(settings: Partial<Config> = {}): Promise<TestServer> {
  const dataDir = mkdtempSync(join(tmpdir(), "hearth-test-"));
  const errors: string[] = [];
  const log = makeLog({ level: "error", format: "text", write: (line) => errors.push(line) });
  for (let attempt = 1; ; attempt++) {
    const standard = loadConfig({ flags: {}, environment: {}, file: undefined }).config;
    const port = await freePort();
    const config: Config = {
      ...standard,
      "shutdown.grace_seconds": 0,
      // Tests run beside others on machines of all kinds.
      "markup.timeout_seconds": 60,
      ...settings,
      // `{port}` in a root address of the test's own.
      root_url: settings.root_url?.replace("{port}", String(port)) ?? standard.root_url,
      data: dataDir,
      // The root address stands in every link, so the port is known before the server is.
      listen: `127.0.0.1:${port}`,
    };
    const house = openHouse(config, log);
    try {
      const running = await startServer(house);
      const close = async () => {
        await running.stop();
        rmSync(dataDir, { recursive: true, force: true });
      };
      return {
        url: running.address,
        dataDir,
        house,
        core: house.core,
        services: house.services,
        background: running.background,
        errors,
        close,
        [Symbol.asyncDispose]: close,
      };
    } catch (error) {
      house.close();
      // Someone else was given the port in between.
      if (attempt === 5) throw error;
    }
  }
}

export interface TestUser {
  readonly user: User;
  readonly login: string;
  /** Empty unless asked for: hashing one takes a seventh of a second. */
  readonly password: string;
  /** A token with all scopes. */
  readonly token: string;
}

export interface UserRequest extends Partial<Omit<CreateUser, "password">> {
  /** `true`: any. */
  readonly password?: string | true;
}

/** An account that may be used at once, and a token of all scopes for it. */
export async function aUser(server: TestServer, request: UserRequest = {}): Promise<TestUser> {
  const { password: wishedPassword, ...fields } = request;
  const password = wishedPassword === true ? `pass-${randomHex(6)}` : (wishedPassword ?? "");
  const login = fields.login ?? `u${randomHex(4)}`;
  const user = await server.services.accountCreation.create(operator, {
    ...fields,
    login,
    email: fields.email ?? `${login.toLowerCase()}@example.org`,
    password: password === "" ? undefined : password,
  });
  return { user, login, password, token: aToken(server, user, ["all"]) };
}

/** A token of these scopes. */
export function aToken(server: TestServer, user: User, scopes: readonly string[]): string {
  return server.services.tokens.create(operator, user, `t-${randomHex(6)}`, scopes).secret;
}

/** The value of a Cookie header of a signed-in browser. */
export async function aSession(server: TestServer, user: User): Promise<string> {
  const { secret } = await server.services.sessions.open(user.id, { address: "127.0.0.1", userAgent: "test" });
  return `hearth_session=${secret}`;
}

export interface RepoRequest {
  readonly name?: string;
  readonly description?: string;
  readonly isPrivate?: boolean;
  readonly defaultBranch?: string;
  /** Files of a first commit by path; absent: the repository stays empty. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly message?: string;
  /** Who makes it; absent: the owner. */
  readonly creator?: User;
  /** Who wrote that commit; absent: the owner. */
  readonly author?: { readonly login: string; readonly email: string };
}

/** An organization that the account owns. */
export function anOrganization(
  server: TestServer,
  owner: User,
  edit: OrganizationEdit & { login?: string } = {},
): User {
  const { login = `o${randomHex(4)}`, ...profile } = edit;
  return server.services.organizations.create(asAccount(owner), owner, login, profile).account;
}

/** A team of that organization, and who is in it. Without units it reads the code. */
export function aTeam(
  server: TestServer,
  organization: User,
  { members = [], ...edit }: Partial<TeamEdit> & { readonly members?: readonly User[] } = {},
): Team {
  const { organizations, teams } = server.services;
  const seen = organizations.standingIn(operator, organization);
  const rights = edit.permission === "admin" || edit.unitsMap ? {} : { permission: "read", units: ["repo.code"] };
  const team = teams.create(seen, { name: `t${randomHex(4)}`, ...rights, ...edit });
  for (const member of members) teams.addMember({ team, seen, isMember: false }, member);
  return team;
}

/** A repository of that user's, made in this thread: a test that begins with one needs not wait for it. */
export function aRepo(server: TestServer, owner: User, request: RepoRequest = {}): Repo {
  const { files, message, author, creator, ...fields } = request;
  const { folders, refs, repoRegistration, repos, storage } = server.services;
  const principal = asAccount(creator ?? owner);
  const { name = `r${randomHex(4)}`, defaultBranch = server.house.core.config["repository.default_branch"] } = fields;
  const made = files && aFirstCommit(files, message ?? "First commit", author ?? owner);
  repoRegistration.checkNew(principal, { ...fields, owner, name });
  const id = folders.reserve();
  const dir = storage.dirOf(id);
  mkdirSync(dirname(dir), { recursive: true });
  initRepository(dir, { defaultBranch });
  if (made) writeObjects(dir, made.objects);
  server.core.db.transaction(() => {
    repoRegistration.register(principal, { ...fields, id, owner, name, defaultBranch, objectFormat: SHA1 });
    const changes = [{ name: `refs/heads/${defaultBranch}`, oldOid: null, newOid: made?.commit ?? null }];
    if (made) refs.change(id, { principal, changes, atomic: true });
    else refs.projectAfterCommit(id);
  });
  const repo = repos.byId(id);
  if (!repo) throw new Error("the repository was not made");
  return repo;
}

/** The objects of one commit without parents that holds these files. */
export function aFirstCommit(
  files: Readonly<Record<string, string | Uint8Array>>,
  message: string,
  author: { readonly login: string; readonly email: string },
): { objects: GitObject[]; commit: Oid } {
  const objects: GitObject[] = [];
  const put = (type: ObjectType, data: Uint8Array): Oid => {
    objects.push({ type, data });
    return hashObject(SHA1, type, data);
  };
  const folder = (prefix: string): Oid => {
    const entries = new Map<string, TreeEntry>();
    for (const [path, content] of Object.entries(files)) {
      if (!path.startsWith(prefix)) continue;
      const [name = "", ...deeper] = path.slice(prefix.length).split("/");
      if (entries.has(name)) continue;
      entries.set(
        name,
        deeper.length > 0
          ? { mode: MODE_TREE, name, oid: folder(`${prefix}${name}/`) }
          : { mode: MODE_FILE, name, oid: put("blob", Buffer.from(content)) },
      );
    }
    return put("tree", serializeTree([...entries.values()]));
  };
  const person = { name: author.login, email: author.email, timestamp: 1_700_000_000, offsetMinutes: 0 };
  const commit = serializeCommit({
    tree: folder(""),
    parents: [],
    author: person,
    committer: person,
    extraHeaders: [],
    message: `${message}\n`,
  });
  return { commit: put("commit", commit), objects };
}

export interface CallOptions {
  readonly token?: string | undefined;
  readonly basic?: readonly [name: string, secret: string];
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object or list is sent as JSON; text and bytes as they are. */
  readonly body?: unknown;
}

export interface Answer<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON of the answer; what `Body` says is the test's word. */
  readonly body: Body;
}

/** Members of a JSON answer, for tests that look at a few. */
export type Json = { readonly [member: string]: JsonValue };
export type JsonValue = string | number | boolean | null | Json | readonly JsonValue[];

/** What calls the API of the server at hand, as anyone or with someone's token; `path` comes after `/api/v1`. */
export function anApi(server: () => TestServer) {
  return <Body = Json>(
    method: string,
    path: string,
    who?: Pick<TestUser, "token">,
    body?: unknown,
    more: CallOptions = {},
  ) => call<Body>(server(), method, `/api/v1${path}`, { token: who?.token, body, ...more });
}

/** One request; redirects are answered, not followed. `path` starts with `/` (`/api/v1/user`). */
export async function call<Body = Json>(
  server: TestServer,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer<Body>> {
  const headers = new Headers(options.headers);
  if (options.token) headers.set("authorization", `token ${options.token}`);
  if (options.basic) headers.set("authorization", `Basic ${Buffer.from(options.basic.join(":")).toString("base64")}`);
  if (options.cookie) headers.set("cookie", options.cookie);
  // As a browser says of a form of our own pages.
  if (method !== "GET" && headers.has("cookie") && !headers.has("origin") && !headers.has("sec-fetch-site"))
    headers.set("sec-fetch-site", "same-origin");
  const raw = typeof options.body === "string" || options.body instanceof Uint8Array;
  if (options.body !== undefined && !raw && !headers.has("content-type"))
    headers.set("content-type", "application/json");
  const answer = await fetch(`${server.url.replace(/\/$/, "")}${path}`, {
    method,
    headers,
    redirect: "manual",
    ...(options.body === undefined ? {} : { body: raw ? (options.body as string) : JSON.stringify(options.body) }),
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get("content-type") ?? "") && text !== "";
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: (isJson ? JSON.parse(text) : undefined) as Body,
  };
}

/** Waits until what happened has had its effects: events were handled, and jobs that are due ended. */
export async function settled({ core }: Pick<TestServer, "core">): Promise<void> {
  const { clock, db, jobs, outbox } = core;
  const sql = "SELECT count(*) AS n FROM jobs WHERE state = 'running' OR (state = 'waiting' AND run_at <= ?)";
  do {
    outbox.finish();
    await jobs.drain();
    await nextTurn();
    // What the jobs told may be the cause of others.
    outbox.finish();
  } while ((db.query<{ n: number }>(sql).get(clock())?.n ?? 0) > 0);
}
