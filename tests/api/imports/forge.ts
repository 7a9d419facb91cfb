import { afterAll, beforeAll, expect } from "bun:test";
import type { Config } from "../../../src/config/schema.ts";
import type { Repo } from "../../../src/repos/types.ts";
import { aServer, aUser, type TestServer, type TestUser } from "../../builders.ts";

/** Two servers for a file of tests: what is imported from `there` comes to ada `here`, and nothing goes wrong here. */
export interface TwoServers {
  readonly here: TestServer;
  readonly there: TestServer;
  readonly ada: TestUser;
  readonly bob: TestUser;
}

export function twoServers(more: Partial<Config> = {}): TwoServers {
  const servers: Partial<Record<keyof TwoServers, unknown>> = {};
  beforeAll(async () => {
    const settings = { "network.allow": ["loopback"], "repository.bin_days": 0 };
    const [here, there] = await Promise.all([aServer({ ...settings, ...more }), aServer(settings)]);
    const [ada, bob] = await Promise.all([aUser(here, { login: "ada" }), aUser(there, { login: "bob" })]);
    Object.assign(servers, { here, there, ada, bob });
  });
  afterAll(async () => {
    const { here, there } = servers as TwoServers;
    const errors = [...here.errors];
    await Promise.all([here.close(), there.close()]);
    expect(errors).toEqual([]);
  });
  // What is read of it in a test is there by then.
  return servers as TwoServers;
}

/** What a request to the API of a forge is about. */
export interface Asked {
  readonly page: number;
  readonly request: Request;
  readonly query: URLSearchParams;
}

export interface ForgeOptions {
  /** Where git has the repository, without a slash before it. */
  readonly at?: string;
  /** What the API's addresses of it begin with. */
  readonly api?: RegExp;
}

/** A forge that has the git of a real one at `o/r.git`, and answers of its own for the rest: a path below the repository's. */
export function aForge(
  real: TestServer,
  source: Repo,
  answers: (path: string, page: number, asked: Asked) => Response | unknown,
  { api = /^\/api\/v[13]\/repos\/o\/r(\/.*)?$/, at = "o/r" }: ForgeOptions = {},
) {
  const git = `/${at}.git/`;
  const owner = real.services.identity.byId(source.ownerId)?.login;
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      const { pathname, search, searchParams: query } = new URL(request.url);
      const found = api.exec(pathname);
      if (found) {
        const page = Number(query.get("page") ?? 1);
        const answer = answers(found[1] ?? "", page, { page, query, request });
        return answer instanceof Response ? answer : Response.json(answer);
      }
      if (!pathname.startsWith(git)) return new Response("none", { status: 404 });
      const headers = new Headers(request.headers);
      for (const name of ["host", "authorization"]) headers.delete(name);
      const target = `${real.url}${owner}/${source.name}.git/${pathname.slice(git.length)}${search}`;
      const body = request.method === "POST" ? { body: await request.arrayBuffer() } : {};
      return fetch(target, { method: request.method, headers, ...body });
    },
  });
}
