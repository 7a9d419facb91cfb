import type { Repo } from "../../../src/repos/types.ts";
import type { TestServer } from "../../builders.ts";

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
