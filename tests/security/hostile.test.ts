import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import type { TSchema } from "@sinclair/typebox";
import type { Route } from "../../src/http/route.ts";
import { allRoutes } from "../../src/routes.ts";
import { aRepo, type CallOptions, call } from "../builders.ts";
import { eachOf } from "./compare.ts";
import { type Row, table } from "./route-table.ts";
import { aSample, aWorld, filledIn, indexIn, type World } from "./world.ts";

/**
 * Every route, asked by who may use it, with what no one should send: no 5xx, no hang, nothing half-done, and an error
 * that names the field where it is one (groups E, F, I of the security rules).
 */

let world: World;
let routes: Route[];
beforeAll(async () => {
  world = await aWorld();
  routes = (await allRoutes(world.server.services)).filter(({ path }) => !path.endsWith("/events"));
});
afterAll(() => world.server.close());

const rowsOf = (route: Route): readonly Row[] => {
  const rows = table[`${route.method} ${route.path}`];
  return rows === undefined ? [] : Array.isArray(rows) ? rows : [rows as Row];
};

/** The site administrator, or the owner's cookie at pages: past every guard. */
function credentials(route: Route): CallOptions {
  const { siteAdmin } = world.people;
  if (route.surface === "page") return { headers: { cookie: siteAdmin.cookie } };
  const basic = ["siteadmin", siteAdmin.token] as const;
  return route.surface === "lfs" ? { basic, headers: { accept: "application/vnd.git-lfs+json" } } : { basic };
}

function at(route: Route, row: Row, replaced: Readonly<Record<string, string>> = {}): string {
  const sample = world.repos.public;
  const text = filledIn(row.at ?? "x", sample);
  const values: Record<string, string> = {
    owner: "olga",
    repo: "open",
    username: "stranger",
    collaborator: "stranger",
    index: indexIn(route.path),
    comment: String(sample.line),
  };
  return route.path
    .split("/")
    .map((part) => {
      if (part !== "*" && !part.startsWith(":")) return part;
      const name = part === "*" ? "*" : part.slice(1);
      return replaced[name] ?? values[name] ?? text;
    })
    .join("/");
}

interface Finding {
  readonly what: string;
  readonly status: number;
}

async function send(
  findings: Finding[],
  what: string,
  method: string,
  path: string,
  options: CallOptions,
): Promise<{ status: number; text: string; headers: Headers }> {
  const before = process.cpuUsage();
  try {
    const answer = await call<unknown>(world.server, method, path, options);
    // What is not offered at all, and never will be, is told as that.
    if (answer.status >= 500 && answer.status !== 501)
      findings.push({ what: `${what} ${answer.text.slice(0, 120)}`, status: answer.status });
    const { user, system } = process.cpuUsage(before);
    if (user + system > 10_000_000)
      findings.push({ what: `${what} took ${(user + system) / 1000} ms of computing`, status: 0 });
    return answer;
  } catch (error) {
    // What is no answer of JSON although it says so, or a connection that broke.
    findings.push({ what: `${what} ${String(error)}`, status: -1 });
    return { status: -1, text: "", headers: new Headers() };
  }
}

const badParts = [
  "%00",
  "a%00b",
  "%ff%fe",
  "%c0%ae%c0%ae",
  "%",
  "%zz",
  "..",
  "%2e%2e",
  "..%2f..%2f..%2fetc%2fpasswd",
  "..%5c..%5cwindows",
  "%5c",
  "%2f",
  "%20",
  "%0d%0aset-cookie:x=y",
  "%e2%80%ae",
  "__proto__",
  "constructor",
  "toString",
  "-1",
  "0",
  "9223372036854775808",
  "1e309",
  "NaN",
  "--upload-pack=x",
  "-",
  "HEAD",
  "refs%2fheads%2fmain",
  "main~1000000",
  "main%5e%7bcommit%7d",
  "main@%7b1%7d",
  ":README.md",
  "%F0%9F%94%A5",
  "a".repeat(300),
  "a%2f".repeat(600),
  "%25252e",
  "';--",
  "%3Cscript%3E",
  "*",
  "...",
  "main...",
  "....main",
];

test("E, F5: strange path parameters, on every route and in every place", async () => {
  const findings: Finding[] = [];
  const work: (() => Promise<unknown>)[] = [];
  for (const route of routes.filter(({ method }) => method === "GET"))
    for (const row of rowsOf(route).slice(0, 1))
      for (const name of [...route.path.matchAll(/:(\w+)|\*/g)].map(([, name]) => name ?? "*"))
        for (const bad of badParts) {
          const path = at(route, row, { [name]: bad });
          work.push(() => send(findings, `GET ${path.slice(0, 150)}`, "GET", path, credentials(route)));
        }
  await eachOf(work, (ask) => ask() as Promise<void>);
  console.log(`strange paths: ${work.length}`);
  expect(findings).toEqual([]);
  expect(world.server.errors.slice(0, 5)).toEqual([]);
});

const badQueries = [
  "page=-1&limit=-5",
  "page=0&limit=0",
  "page=99999999999999999999&limit=99999999999999999999",
  "page=1e5&limit=NaN",
  "page[]=1&limit[]=2&page=2",
  "page=9007199254740991&limit=50",
  "limit=%00&page=%ff",
  "sort=__proto__&order=constructor&mode=toString&q=%00",
  "ref=%00&sha=%00&path=%00&since=%00&until=%00&not=%00",
  "ref=..&sha=-x&path=../../etc/passwd&since=yesterday&until=99999-01-01T00:00:00Z",
  "q=%25%25%25%5F%27%22%5C&uid=1e9&sort=id;DROP%20TABLE%20users&order=desc%00",
  "stat=maybe&verification=2&files=[]&recursive=x&per_page=-1&includes=&body=%7B%22files%22%3A%5B%22..%22%5D%7D",
  "body=%7B%22files%22%3A1%7D&service=git-&tab=__proto__&style=x&whitespace=x&output=%00&name=..",
  "a=b".repeat(3000),
  "&&&===&=&%=%",
  "id=-1&uid=-1&exclusive=x&priority_owner_id=-9&starredBy=1e999&team_id=0x10",
  "lines=1-99999999&from=-1&to=x&context=1e9&after=%F0%9F%94%A5&file=%00",
];

test("I, F11, F13: strange queries on every route", async () => {
  const findings: Finding[] = [];
  const work: (() => Promise<unknown>)[] = [];
  for (const route of routes.filter(({ method }) => method === "GET"))
    for (const row of rowsOf(route).slice(0, 1))
      for (const query of badQueries) {
        const path = `${at(route, row)}?${query}`;
        work.push(() => send(findings, `GET ${path.slice(0, 200)}`, "GET", path, credentials(route)));
      }
  await eachOf(work, (ask) => ask() as Promise<void>);
  console.log(`strange queries: ${work.length}`);
  expect(findings).toEqual([]);
  expect(world.server.errors.slice(0, 5)).toEqual([]);
});

const deep = (levels: number, open = "[", close = "]") => open.repeat(levels) + close.repeat(levels);
const bomb = Bun.gzipSync(new Uint8Array(64 << 20));
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

const badBodies: { what: string; body: string | Uint8Array; headers: Record<string, string> }[] = [
  { what: "not JSON", body: "{", headers: json },
  { what: "a list", body: "[]", headers: json },
  { what: "a number", body: "1e400", headers: json },
  { what: "a text", body: '"x"', headers: json },
  { what: "null", body: "null", headers: json },
  { what: "deep lists", body: `{"name":${deep(100_000)}}`, headers: json },
  { what: "deep objects", body: `{"name":${deep(50_000, '{"a":', "1}").replace("11", "1")}`, headers: json },
  {
    what: "__proto__",
    body: '{"__proto__":{"isAdmin":true,"name":"x"},"constructor":{"prototype":{}}}',
    headers: json,
  },
  { what: "no UTF-8", body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), headers: json },
  { what: "half a surrogate", body: '{"name":"\\ud800","content":"\\udfff","files":["\\ud800"]}', headers: json },
  { what: "a byte order mark", body: "\ufeff{}", headers: json },
  { what: "no type", body: "{}", headers: { "content-type": "" } },
  { what: "an unknown type", body: "{}", headers: { "content-type": "application/x-who-knows" } },
  {
    what: "XML",
    body: '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
    headers: { "content-type": "text/xml" },
  },
  { what: "a form without end", body: "=".repeat(10_000), headers: form },
  { what: "a form of bad escapes", body: "name=%ff%00%zz&a[b][c]=1&name=%00", headers: form },
  { what: "multipart without boundary", body: "--x", headers: { "content-type": "multipart/form-data" } },
  {
    what: "broken multipart",
    body: '--x\r\nContent-Disposition: form-data; name="a\r\n\r\n',
    headers: { "content-type": "multipart/form-data; boundary=x" },
  },
  { what: "broken gzip", body: "not gzip at all", headers: { ...json, "content-encoding": "gzip" } },
  {
    what: "half a gzip",
    body: Bun.gzipSync(Buffer.from('{"name":"x"}')).subarray(0, 15),
    headers: { ...json, "content-encoding": "gzip" },
  },
  { what: "a gzip bomb", body: bomb, headers: { ...json, "content-encoding": "gzip" } },
  { what: "an unknown encoding", body: "x", headers: { ...json, "content-encoding": "br, gzip" } },
];

test("I3: strange bodies on every route that takes one", async () => {
  const findings: Finding[] = [];
  const work: (() => Promise<unknown>)[] = [];
  const memory = process.memoryUsage().rss;
  let bombs = 0;
  for (const route of routes.filter(({ method, surface }) => method !== "GET" && surface !== "git"))
    for (const row of rowsOf(route).slice(0, 1)) {
      if (route.path === "/api/v1/token" || row.harmful) continue;
      const path = at(route, row);
      for (const { what, body, headers } of badBodies) {
        // Each takes a third of a second; bodies are read in one place.
        if (body === bomb && bombs++ > 5) continue;
        const options = credentials(route);
        work.push(() =>
          send(findings, `${route.method} ${path} with ${what}`, route.method, path, {
            ...options,
            headers: { ...options.headers, ...headers },
            body,
          }),
        );
      }
    }
  await eachOf(work, (ask) => ask() as Promise<void>, 8);
  console.log(`strange bodies: ${work.length}`);
  expect(findings).toEqual([]);
  expect(world.server.errors.slice(0, 5)).toEqual([]);
  expect(Object.prototype).not.toHaveProperty("isAdmin");
  expect(process.memoryUsage().rss - memory).toBeLessThan(900 << 20);
});

const wrongValues: readonly (readonly [string, unknown])[] = [
  ["a number", 7],
  ["a fraction", 1.5],
  ["a huge number", 1e300],
  ["a negative number", -1],
  ["true", true],
  ["a list", [1]],
  ["a list of lists", [[["x"]]]],
  ["an object", { a: 1 }],
  ["an empty text", ""],
  ["a long text", "x".repeat(1 << 20)],
  ["a NUL", "a\0b"],
  ["control characters", "\u0001\u001b[31m\r\n"],
  ["dots", "../../../../etc/passwd"],
  ["backslashes", "..\\..\\x"],
  ["half a surrogate", "\ud800"],
  ["a key of objects", "__proto__"],
  ["an option", "--output=/tmp/x"],
  ["a script", "<script>alert(1)</script>"],
];

test("A25, F13: strange values in every documented field; what is refused names its field", async () => {
  const findings: Finding[] = [];
  const unnamed: string[] = [];
  const work: (() => Promise<unknown>)[] = [];
  await aSample(world.server, world.repos.public.owner, { name: "scratch" });
  for (const route of routes) {
    const schema = route.body;
    const row = rowsOf(route)[0];
    if (!schema || !row || row.harmful) continue;
    // Settings that are taken (archived: true) change a repository of their own.
    const path = at(route, row, { repo: "scratch" });
    for (const field of Object.keys(schema.properties))
      for (const [what, value] of wrongValues) {
        // A good name for a repository.
        if (route.method === "PATCH" && field === "name" && value === "__proto__") continue;
        // The other required fields are there, so that it is this one that is refused.
        const others = Object.fromEntries(
          (schema.required ?? [])
            .filter((name) => name !== field)
            .map((name) => [name, sample(schema.properties[name])]),
        );
        work.push(async () => {
          const told = `${route.method} ${route.path} with ${field} as ${what}`;
          const answer = await send(findings, told, route.method, path, {
            ...credentials(route),
            body: { ...others, [field]: value },
          });
          const type = (schema.properties[field] as TSchema)["type"];
          const isWrongType =
            typeof type === "string" &&
            !["string", "object", "array"].includes(type) &&
            typeof value === "string" &&
            value.isWellFormed();
          if (
            answer.status === 422 &&
            isWrongType &&
            !answer.text.toLowerCase().includes(field.replaceAll("_", "").toLowerCase()) &&
            !answer.text.includes(field)
          )
            unnamed.push(`${told}: ${answer.text.slice(0, 120)}`);
          if (answer.status >= 400 && answer.text.length > 200_000)
            findings.push({ what: `${told} echoes ${answer.text.length} characters`, status: answer.status });
        });
      }
  }
  await eachOf(work, (ask) => ask() as Promise<void>, 16);
  console.log(`strange values: ${work.length}`);
  expect(findings).toEqual([]);
  expect(unnamed.slice(0, 10)).toEqual([]);
  expect(world.server.errors.slice(0, 5)).toEqual([]);
});

function sample(property: TSchema | undefined): unknown {
  switch (property?.["type"]) {
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return false;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return property?.["rule"] === "Email" ? "x@example.org" : "x";
  }
}

test("H18: HEAD is GET without a body, OPTIONS tells nothing, other methods are refused, on every route", async () => {
  const findings: Finding[] = [];
  const work: (() => Promise<unknown>)[] = [];
  for (const route of routes)
    for (const row of rowsOf(route).slice(0, 1)) {
      const path = at(route, row) + (row.query ?? "");
      if (route.method === "GET")
        work.push(async () => {
          const got = await send(findings, `GET ${path}`, "GET", path, credentials(route));
          const head = await send(findings, `HEAD ${path}`, "HEAD", path, credentials(route));
          if (head.status !== got.status || head.text !== "")
            findings.push({ what: `HEAD ${path} is ${head.status}, GET ${got.status}`, status: head.status });
        });
      for (const method of ["OPTIONS", "TRACE", "PROPFIND", "LOCK", "QUERY", "LINK"])
        work.push(async () => {
          const answer = await raw(method, path);
          const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
          if (status < 400 && !(method === "OPTIONS" && status < 300))
            findings.push({ what: `${method} ${path}`, status });
          if (status >= 500 && status !== 501) findings.push({ what: `${method} ${path}`, status });
          // TRACE would send headers back that scripts may not see.
          if (answer.includes("echo-of-a-header")) findings.push({ what: `${method} ${path} echoes`, status });
        });
    }
  await eachOf(work, (ask) => ask() as Promise<void>, 16);
  expect(findings).toEqual([]);
});

/** One request as bytes, as no client library would send it; the answer's beginning. */
function raw(method: string, path: string, more = "", body = ""): Promise<string> {
  const { hostname, port } = new URL(world.server.url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-Test: echo-of-a-header\r\nConnection: close\r\n${more}\r\n${body}`,
      ),
    );
    let text = "";
    socket.on("data", (data) => {
      text += data.toString("latin1");
    });
    const over = () => resolve(text);
    socket.on("close", over);
    socket.on("error", over);
    socket.setTimeout(5_000, () => socket.destroy());
  });
}

describe("I: raw requests", () => {
  const auth = () => `Authorization: token ${world.people.siteAdmin.token}\r\n`;

  test("a body that ends early, contradicts its length or smuggles a second request does nothing", async () => {
    const { repos } = world.server.services;
    const fine = '{"name":"by-raw"}';
    const made = await raw(
      "POST",
      "/api/v1/user/repos",
      `${auth()}Content-Type: application/json\r\nContent-Length: 17\r\n`,
      fine,
    );
    expect(made).toStartWith("HTTP/1.1 201");
    const before = repos.ownedBy(world.people.siteAdmin.user).length;
    const body = '{"name":"smuggled"}';
    await Promise.all([
      raw("POST", "/api/v1/user/repos", `${auth()}Content-Type: application/json\r\nContent-Length: 4\r\n`, body),
      raw("POST", "/api/v1/user/repos", `${auth()}Content-Type: application/json\r\nContent-Length: -1\r\n`, body),
      raw(
        "POST",
        "/api/v1/user/repos",
        `${auth()}Content-Type: application/json\r\nContent-Length: 19\r\nTransfer-Encoding: chunked\r\n`,
        `zz\r\n${body}`,
      ),
      raw(
        "GET",
        "/api/v1/version",
        "Content-Length: 60\r\nTransfer-Encoding: chunked\r\n",
        `0\r\n\r\nPOST /api/v1/user/repos HTTP/1.1\r\n${auth()}\r\n${body}`,
      ),
    ]);
    expect(repos.ownedBy(world.people.siteAdmin.user).length).toBe(before);
  });

  test("E9, E15: absolute, doubled and dotted targets reach no file and no other route", async () => {
    for (const target of [
      "//etc/passwd",
      "/../../../etc/passwd",
      "/olga/open/../../etc/passwd",
      "/olga/open/objects/../../../hearth.db",
      "/olga/open/objects/..%2f..%2f..%2fhearth.db",
      "/olga/open/objects/pack/../../../../secret.key",
      "/olga/open/objects/info/alternates",
      "/olga/open/objects/info/http-alternates",
      "/olga/open/config",
      "/olga/open/hooks/update",
      "/olga/open/objects/pack/pack-x.pack",
      "/assets/../secret.key",
      "/assets/..%2f..%2fsecret.key",
      "/assets//etc/passwd",
      "/api/swagger/..%2f..%2fpackage.json",
      "/avatars/..%2f..%2fsecret.key",
      "/olga/open/raw/branch/main/..%2f..%2f..%2fsecret.key",
      "/olga/open/raw/branch/main/../../../secret.key",
      "/api/v1/repos/olga/open/raw/..%2f..%2fsecret.key",
      "/api/v1/gitignore/templates/..%2f..%2fsecret.key",
      "/api/v1/licenses/..%2f..%2fsecret.key",
      "/api/v1/label/templates/..%2f..%2fx",
    ]) {
      const answer = await raw("GET", target);
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
      const isPicture = /content-type: image\/png/i.test(answer);
      expect([target, isPicture || status >= 301]).toEqual([target, true]);
      expect(answer).not.toMatch(/root:x|SQLite format|\[core\]/);
      expect(answer).not.toContain(world.server.core.secret);
    }
  });

  test("I2: long and many headers are refused or ignored", async () => {
    for (const header of [
      "Accept-Language",
      "Accept",
      "Accept-Encoding",
      "Cookie",
      "If-None-Match",
      "Range",
      "Authorization",
      "Content-Type",
      "Git-Protocol",
    ])
      for (const value of ["a,".repeat(6000), "a;q=".repeat(3000), `${"x=".repeat(5000)}`, "*".repeat(12_000)]) {
        const answer = await raw("GET", "/olga/open/raw/branch/main/README.md", `${header}: ${value}\r\n`);
        expect([header, Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 400) < 500]).toEqual([header, true]);
      }
  });
});

test("C14: what the server says of a mistake holds no path, no stack and no query of its own", async () => {
  const findings: string[] = [];
  await eachOf(
    [
      ["POST", "/api/v1/user/repos", '{"name":1}'],
      ["POST", "/api/v1/admin/users", '{"username":"a b"}'],
      ["PATCH", "/api/v1/repos/olga/open", '{"name":"../x"}'],
      ["GET", "/api/v1/repos/olga/open/contents/gone", ""],
      ["GET", "/api/v1/repos/olga/open/git/blobs/x", ""],
      ["GET", "/olga/open/objects/00/00", ""],
      ["GET", "/olga/open/info/refs?service=x", ""],
    ] as const,
    async ([method, path, body]) => {
      const answer = await call<unknown>(world.server, method, path, {
        token: world.people.siteAdmin.token,
        ...(body ? { body, headers: json } : {}),
      });
      if (/\/tmp\/|\/src\/|\.ts:\d|SELECT |SQLITE|node_modules|at \w+ \(/.test(answer.text))
        findings.push(`${path}: ${answer.text}`);
      expect([path, answer.text, answer.status < 500 && answer.status >= 400]).toEqual([path, answer.text, true]);
    },
  );
  expect(findings).toEqual([]);
});

test("F13: files, branches and tags called like what every object has are shown like any other", async () => {
  const names = ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];
  const files = Object.fromEntries(
    names.flatMap((name) => [name, `x.${name}`, `d/${name}`].map((path) => [path, "x = 1\n"])),
  );
  const { server } = world;
  const owner = world.repos.public.owner;
  const repo = aRepo(server, owner.user, { name: "odd", files: { ...files, ["__proto__"]: "x" } });
  const api = "/api/v1/repos/olga/odd";
  for (const name of names) {
    const { token } = owner;
    expect((await call(server, "POST", `${api}/branches`, { token, body: { new_branch_name: name } })).status).toBe(
      201,
    );
    expect((await call(server, "POST", `${api}/tags`, { token, body: { tag_name: name } })).status).toBe(201);
  }
  const shown = names.flatMap((name) => [
    `${api}/contents/${name}`,
    `${api}/raw/x.${name}`,
    `${api}/branches/${name}`,
    `${api}/tags/${name}`,
    `${api}/git/refs/heads/${name}`,
    `/olga/odd/src/branch/main/${name}`,
    `/olga/odd/src/branch/main/x.${name}`,
    `/olga/odd/src/branch/${name}/d/${name}`,
    `/olga/odd/src/tag/${name}/x.${name}`,
    `/olga/odd/raw/branch/${name}/${name}`,
  ]);
  const wrong: string[] = [];
  await eachOf([...shown, "/olga/odd", "/olga/odd/branches", "/olga/odd/tags", `${api}/languages`], async (path) => {
    const answer = await call<unknown>(server, "GET", path);
    if (answer.status !== 200) wrong.push(`${path}: ${answer.status}`);
  });
  expect(wrong.filter((text) => !text.includes("__proto__"))).toEqual([]);
  expect(wrong.filter((text) => / 5\d\d/.test(text))).toEqual([]);
  expect(repo.name).toBe("odd");
});
