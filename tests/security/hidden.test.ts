import { afterAll, beforeAll, expect, test } from "bun:test";
import { operator } from "../../src/access/principal.ts";
import type { Route } from "../../src/http/route.ts";
import { randomHex } from "../../src/kernel/ids.ts";
import { allRoutes } from "../../src/routes.ts";
import { aToken, type CallOptions, call } from "../builders.ts";
import { bare, eachOf } from "./compare.ts";
import { table } from "./route-table.ts";
import { aWorld, filledIn, indexIn, type RepoKind, type World } from "./world.ts";

/**
 * What one may not see looks exactly like what is not there: status, body and headers (rules A6, C8, C9, and
 * generated test 3). Every comparison asks twice, once for the hidden thing and once for one that does not exist.
 */

let world: World;
let routes: Route[];
beforeAll(async () => {
  world = await aWorld();
  routes = await allRoutes(world.server.services);
});
afterAll(() => world.server.close());

interface Asker {
  readonly name: string;
  readonly options: CallOptions;
}

/** Everyone who must not see the private repository, in every way to say who one is. */
function outsiders(kind: RepoKind): Asker[] {
  const { people, repos, server } = world;
  const { owner } = repos[kind];
  const publicOnly = aToken(server, owner.user, ["public-only", "all"]);
  const askers: Asker[] = [
    { name: "anonymous", options: {} },
    { name: "restricted by token", options: { token: people.restricted.token } },
    { name: "restricted by cookie", options: { headers: { cookie: people.restricted.cookie, accept: "text/html" } } },
    { name: "the owner's public-only token", options: { token: publicOnly } },
  ];
  if (kind === "ofLimited") return askers;
  return [
    ...askers,
    { name: "stranger by token", options: { token: people.stranger.token } },
    { name: "stranger by Basic", options: { basic: ["stranger", people.stranger.token] } },
    { name: "stranger by cookie", options: { headers: { cookie: people.stranger.cookie, accept: "text/html" } } },
  ];
}

function pathFor(route: Route, owner: string, repo: string, kind: RepoKind): string[] {
  const rows = table[`${route.method} ${route.path}`] ?? [];
  return (Array.isArray(rows) ? rows : [rows]).map((row: { at?: string; query?: string }) => {
    const sample = world.repos[kind];
    const at = filledIn(row.at ?? "x", sample);
    const path = route.path
      .split("/")
      .map((part) =>
        part === ":owner"
          ? owner
          : part === ":repo"
            ? repo
            : part === ":index"
              ? indexIn(route.path)
              : part === "*" || part[0] === ":"
                ? at
                : part,
      )
      .join("/");
    return path + (row.query ?? "");
  });
}

function sent(route: Route, given: CallOptions): CallOptions {
  const accept = { accept: "application/vnd.git-lfs+json" };
  const options = route.surface === "lfs" ? { ...given, headers: { ...given.headers, ...accept } } : given;
  if (route.method === "GET") return options;
  if (route.surface === "git")
    return {
      ...options,
      body: "0000",
      headers: {
        ...options.headers,
        "content-type": `application/x-${route.path.split("/").at(-1)}-request`,
      },
    };
  return route.surface === "page"
    ? { ...options, body: "a=1", headers: { ...options.headers, "content-type": "application/x-www-form-urlencoded" } }
    : { ...options, body: "{}", headers: { ...options.headers, "content-type": "application/json" } };
}

test("C8: a repository one may not see answers like one that is not there, on every route", async () => {
  const different: string[] = [];
  const work: { route: Route; path: string; other: string; asker: Asker; missing: string; real: string }[] = [];
  for (const kind of ["private", "ofPrivate", "ofLimited"] as const) {
    const { owner, repo } = world.repos[kind];
    const missing = repo.name.split("").reverse().join("").concat("x").slice(1);
    for (const route of routes.filter(({ path }) => path.includes(":repo")))
      for (const asker of outsiders(kind)) {
        const paths = pathFor(route, owner.login, repo.name, kind);
        const others = pathFor(route, owner.login, missing, kind);
        for (const [at, path] of paths.entries())
          work.push({ route, path, other: others[at] ?? "", asker, missing, real: repo.name });
      }
  }
  await eachOf(work, async ({ route, path, other, asker, missing, real }) => {
    const options = sent(route, asker.options);
    const [hidden, absent] = await Promise.all([
      call<unknown>(world.server, route.method, path, options),
      call<unknown>(world.server, route.method, other, options),
    ]);
    const rename = (name: string): [string, string][] => [
      [`/${name}`, "/<repo>"],
      [`%2F${name}`, "/<repo>"],
    ];
    const a = bare(hidden, rename(real));
    const b = bare(absent, rename(missing));
    // Programs that fetch tell the owner of a public-only token why, as the contract has it (git-content.md 11, 12.2 row 10).
    if (
      (route.surface === "git" || route.surface === "bytes" || route.surface === "lfs") &&
      asker.name.includes("public-only") &&
      a.status === 403
    )
      return;
    if (!Bun.deepEquals(a, b))
      different.push(`${route.method} ${path} as ${asker.name}: ${a.status} and ${b.status}\n${diffOf(a, b)}`);
  });
  console.log(`hidden repositories: ${work.length} pairs`);
  expect(different.slice(0, 10)).toEqual([]);
  expect(world.server.errors).toEqual([]);
});

function diffOf(a: { headers: object; text: string }, b: { headers: object; text: string }): string {
  if (!Bun.deepEquals(a.headers, b.headers)) return `${JSON.stringify(a.headers)}\n${JSON.stringify(b.headers)}`;
  let at = 0;
  while (a.text[at] === b.text[at] && at < a.text.length) at++;
  return `${a.text.slice(at - 40, at + 80)}\n--\n${b.text.slice(at - 40, at + 80)}`;
}

test("C6, C9: an account one may not see answers like one that is not there", async () => {
  const { people, server } = world;
  const askers: Asker[] = [
    { name: "anonymous", options: {} },
    { name: "stranger", options: { token: people.stranger.token } },
    { name: "stranger's browser", options: { headers: { cookie: people.stranger.cookie, accept: "text/html" } } },
  ];
  const different: string[] = [];
  for (const asker of askers)
    for (const path of [
      "/api/v1/users/NAME",
      "/api/v1/users/NAME/repos",
      "/api/v1/users/NAME/tokens",
      "/api/v1/users/search?q=NAME",
      "/api/v1/admin/users/NAME",
      "/NAME",
      "/NAME/nothing",
      "/NAME?tab=repositories",
      "/NAME/nothing/info/refs?service=git-upload-pack",
    ]) {
      // To a visitor without credentials git says 404 for an unknown owner and 401 for every repository of a known
      // one (contract git-content.md 12.2 rows 2 and 15), or no client would ask for a password.
      if (path.includes("info/refs") && asker.name !== "stranger") continue;
      const [hidden, absent] = await Promise.all(
        ["hestia", "qestia"].map((name) => call<unknown>(server, "GET", path.replace("NAME", name), asker.options)),
      );
      if (!hidden || !absent) throw new Error("no answers");
      const a = bare(hidden, [["hestia", "<name>"]]);
      const b = bare(absent, [["qestia", "<name>"]]);
      if (!Bun.deepEquals(a, b))
        different.push(`${path} as ${asker.name}: ${a.status} and ${b.status}\n${diffOf(a, b)}`);
    }
  expect(different).toEqual([]);
});

test("A27, L5, L7: an object of a private repository is none of a public one, whoever asks and by whatever address", async () => {
  const { server, repos, people } = world;
  const secret = repos.private;
  const open = `${repos.public.owner.login}/${repos.public.repo.name}`;
  const askers: Asker[] = [
    { name: "anonymous", options: {} },
    { name: "stranger", options: { token: people.stranger.token } },
    // Not even who may read both gets one through the other.
    { name: "owner", options: { token: secret.owner.token } },
    { name: "owner's browser", options: { headers: { cookie: secret.owner.cookie } } },
  ];
  const api = `/api/v1/repos/${open}`;
  const gets = [
    "/git/blobs/ID",
    "/git/trees/ID",
    "/git/trees/ID?recursive=true",
    "/git/commits/ID",
    "/git/commits/ID.diff",
    "/git/commits/ID.patch",
    "/git/tags/ID",
    "/git/notes/ID",
    "/contents?ref=ID",
    "/contents/README.md?ref=ID",
    "/contents-ext?ref=ID",
    "/raw/README.md?ref=ID",
    "/raw/ID/README.md",
    "/media/ID/README.md",
    "/commits?sha=ID",
    "/compare/ID...main",
    "/compare/main...ID",
    "/compare/main..ID?output=diff",
    "/compare/main...olga:ID",
    "/compare/main...olga%2Fsecret:ID",
    "/branches/ID",
    "/tags/ID",
    "/git/refs/ID",
  ].map((path) => api + path);
  const pages = [
    "/src/commit/ID",
    "/src/commit/ID/README.md",
    "/raw/commit/ID/README.md",
    "/raw/blob/ID",
    "/media/blob/ID",
    "/media/commit/ID/README.md",
    "/commit/ID",
    "/commit/ID/load-branches-and-tags",
    "/commits/commit/ID",
    "/lastcommit/ID",
    "/tree-list/commit/ID",
    "/tree/ID",
    "/blob/ID/README.md",
    "/src/ID/README.md",
  ].map((path) => `/${open}${path}`);
  const different: string[] = [];
  const ids = [secret.blob, secret.tree, secret.commit, secret.annotatedTag].flatMap((id) => [id, id.slice(0, 12)]);
  const work = askers.flatMap((asker) => [...gets, ...pages].flatMap((path) => ids.map((id) => ({ asker, path, id }))));
  await eachOf(work, async ({ asker, path, id }) => {
    const random = randomHex(20).slice(0, id.length);
    const [foreign, unknown] = await Promise.all([
      call<unknown>(server, "GET", path.replace("ID", id), asker.options),
      call<unknown>(server, "GET", path.replace("ID", random), asker.options),
    ]);
    const ten = (text: string) => [text, "<id>"] as const;
    const a = bare(foreign, [ten(id), ten(id.slice(0, 10)), ten(id.slice(0, 7))]);
    const b = bare(unknown, [ten(random), ten(random.slice(0, 10)), ten(random.slice(0, 7))]);
    if (!Bun.deepEquals(a, b))
      different.push(`${path} as ${asker.name} (${id}): ${a.status} and ${b.status}\n${diffOf(a, b)}`);
  });
  console.log(`foreign objects: ${work.length} pairs`);
  expect(different.slice(0, 10)).toEqual([]);
});

test("L7: no one makes a branch or a tag of an object that lies in another repository only", async () => {
  const { server, repos } = world;
  const { owner } = repos.public;
  const api = "/api/v1/repos/olga/open";
  const bodies = (id: string) =>
    [
      ["POST", `${api}/branches`, { new_branch_name: "stolen", old_ref_name: id }],
      ["POST", `${api}/branches`, { new_branch_name: "stolen", old_branch_name: id }],
      ["PUT", `${api}/branches/main`, { new_commit_id: id }],
      ["POST", `${api}/tags`, { tag_name: "stolen", target: id }],
      ["POST", `${api}/contents/x.txt`, { content: "eA==", branch: id, new_branch: "stolen" }],
      ["PUT", `${api}/contents/README.md`, { content: "eA==", sha: id }],
    ] as const;
  for (const foreign of [repos.private.commit, repos.private.blob, repos.private.annotatedTag]) {
    const random = randomHex(20);
    const known = bodies(foreign);
    for (const [at, [method, path, body]] of bodies(random).entries()) {
      const a = await call<unknown>(server, method, path, { token: owner.token, body: known[at]?.[2] });
      const b = await call<unknown>(server, method, path, { token: owner.token, body });
      expect(a.status).toBeGreaterThanOrEqual(400);
      expect(a.status).toBeLessThan(500);
      expect(bare(a, [[foreign, "<id>"]])).toEqual(bare(b, [[random, "<id>"]]));
    }
  }
});

test("L4, L5: upload-pack gives no object of another repository, in any protocol version", async () => {
  const { server, repos } = world;
  const line = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
  const want = (version: number, id: string) =>
    version === 2
      ? `${line("command=fetch\n")}0001${line(`want ${id}\n`)}${line("done\n")}0000`
      : `${line(`want ${id} side-band-64k\n`)}0000${line("done\n")}`;
  for (const version of [0, 1, 2])
    for (const id of [repos.private.commit, repos.private.blob, repos.private.tree, repos.private.annotatedTag]) {
      const ask = (oid: string) =>
        call<unknown>(server, "POST", "/olga/open/git-upload-pack", {
          headers: {
            "content-type": "application/x-git-upload-pack-request",
            "git-protocol": `version=${version}`,
          },
          body: want(version, oid),
        });
      const random = randomHex(20);
      const [foreign, unknown] = await Promise.all([ask(id), ask(random)]);
      expect(bare(foreign, [[id, "<id>"]])).toEqual(bare(unknown, [[random, "<id>"]]));
      expect(foreign.text).not.toContain("PACK");
      const dumb = await call<unknown>(server, "GET", `/olga/open/objects/${id.slice(0, 2)}/${id.slice(2)}`);
      expect(dumb.status).toBe(404);
    }
});

test("A13, A27: numbers of other people's things answer like numbers of nothing", async () => {
  const { server, people, repos } = world;
  const { stranger } = people;
  const olga = repos.public.owner;
  const paging = { page: 1, limit: 10, offset: 0 };
  const token = server.services.tokens.list(operator, olga.user, paging).items[0];
  const session = server.services.sessions.list(operator, olga.user.id)[0];
  const email = server.services.emails.list(operator, olga.user)[0];
  if (!token || !session || !email) throw new Error("nothing to steal");
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const post = (path: string, body: string) =>
    call<unknown>(server, "POST", path, { body, headers: { ...form, cookie: stranger.cookie } });
  const basic = ["stranger", stranger.token] as const;
  const get = (path: string) => call<unknown>(server, "GET", path, { token: stranger.token });
  const pairs: [string, (id: string) => ReturnType<typeof get>, string, string][] = [
    [
      "token of another, API",
      (id) => call(server, "DELETE", `/api/v1/users/stranger/tokens/${id}`, { basic }),
      String(token.id),
      "999999",
    ],
    [
      "token of another, page",
      (id) => post("/user/settings/applications/delete", `id=${id}`),
      String(token.id),
      "999999",
    ],
    [
      "session of another",
      (id) => post("/user/settings/security/sessions/revoke", `id=${id}`),
      session.id,
      randomHex(32),
    ],
    [
      "address of another",
      (id) => post("/user/settings/account/email/delete", `id=${id}&email=${encodeURIComponent(id)}`),
      email.email,
      "no@one.example",
    ],
    [
      "address of another, API",
      (id) => call(server, "DELETE", "/api/v1/user/emails", { token: stranger.token, body: { emails: [id] } }),
      email.email,
      "no@one.example",
    ],
    [
      "private repository by number",
      (id) => get(`/api/v1/repositories/${id}`),
      String(repos.private.repo.id),
      "999999",
    ],
    [
      "hidden account by number",
      (id) => get(`/api/v1/users/search?uid=${id}`),
      String(repos.ofPrivate.owner.user.id),
      "999999",
    ],
    [
      "repositories around a hidden account",
      (id) => get(`/api/v1/repos/search?uid=${id}`),
      String(repos.ofPrivate.owner.user.id),
      "999999",
    ],
    [
      "hidden owner first",
      (id) => get(`/api/v1/repos/search?priority_owner_id=${id}`),
      String(repos.ofPrivate.owner.user.id),
      "999999",
    ],
  ];
  for (const [what, ask, theirs, none] of pairs) {
    const echoed = theirs.length > 4;
    const a = bare(await ask(theirs), echoed ? [[theirs, "<id>"]] : []);
    const b = bare(await ask(none), echoed ? [[none, "<id>"]] : []);
    expect([what, a]).toEqual([what, b]);
  }
  expect(server.services.tokens.byId(token.id)).toBeDefined();
  expect(server.services.sessions.list(operator, olga.user.id).map(({ id }) => id)).toContain(session.id);
  expect(server.services.emails.list(operator, olga.user)).toContainEqual(email);
});
