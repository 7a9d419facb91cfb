import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { asAccount } from "../../src/access/principal.ts";
import type { Route } from "../../src/http/route.ts";
import { allRoutes } from "../../src/routes.ts";
import {
  anOrganization,
  aRepo,
  aServer,
  aTeam,
  aToken,
  aUser,
  type CallOptions,
  call,
  type TestServer,
} from "../builders.ts";
import { bare, eachOf } from "./compare.ts";
import { table } from "./route-table.ts";
import { aPerson, type Person } from "./world.ts";

/**
 * Generated test 2 (group C): a mark in every private field, file, name and address; then everything that can be asked
 * by GET is asked as everyone who must not see it, links are followed, and the answers are searched for the mark.
 */

const MARK = "qanary7f3a";
/** Of what is for those who are signed in. */
const LIMITED = "qimited5c2e";
/** The mark as base64 shows it, at each of the three places a byte can have in a group. */
const HIDDEN = [0, 1, 2].map((shift) => {
  const text = Buffer.from("\0".repeat(shift) + MARK).toString("base64");
  return text.slice(shift === 0 ? 0 : 4, shift === 0 ? 12 : 12);
});

let server: TestServer;
let routes: Route[];
let victor: Person;
let hidden: Person;
let commit: string;
let secretId: number;
let teamId: number;
const askers: { name: string; options: CallOptions; isOwner?: true }[] = [];

const privateName = `${MARK}-repo`;
const email = `${MARK}-hidden@example.org`;

beforeAll(async () => {
  server = await aServer({ registration: "open" });
  const { collaborators, repos } = server.services;
  victor = await aPerson(server, { login: "victor", email, password: "a long password" });
  const settings = await call(server, "PATCH", "/api/v1/user/settings", {
    token: victor.token,
    body: { hide_email: true },
  });
  expect(settings.body["hide_email"]).toBe(true);
  server.services.emails.add(asAccount(victor.user), [`${MARK}-second@example.org`]);
  aToken(server, victor.user, ["all"]);
  server.services.tokens.create({ ...asAccount(victor.user), scope: undefined }, victor.user, `${MARK}-token`, [
    "read:user",
  ]);
  await server.services.sessions.open(victor.user.id, { address: "203.0.113.77", userAgent: `${MARK} browser` });
  hidden = await aPerson(server, {
    login: `${MARK}-private`,
    fullName: `${MARK} full name`,
    visibility: "private",
    email: `${MARK}-p@example.org`,
  });
  await call(server, "PATCH", "/api/v1/user/settings", {
    token: hidden.token,
    body: { description: `${MARK} about`, location: `${MARK} town`, website: `https://${MARK}.example/` },
  });
  aRepo(server, hidden.user, { name: `${MARK}-of-hidden`, files: { "README.md": `${MARK} readme\n` } });
  // Made through the door, so that the first commit has the address Hearth chooses.
  const made = { name: "open", auto_init: true, readme: "Default", description: "nothing to see" };
  expect((await call(server, "POST", "/api/v1/user/repos", { token: victor.token, body: made })).status).toBe(201);
  const secret = aRepo(server, victor.user, {
    name: privateName,
    isPrivate: true,
    description: `${MARK} description`,
    files: { "README.md": `# ${MARK} heading\n`, [`${MARK}.txt`]: `${MARK} content\n` },
    message: `${MARK} message`,
  });
  secretId = secret.id;
  const at = `/api/v1/repos/victor/${privateName}`;
  const author = { name: `${MARK} author`, email: `${MARK}-author@example.org` };
  for (const [method, path, body] of [
    ["POST", `${at}/branches`, { new_branch_name: `${MARK}-branch`, old_ref_name: "main" }],
    ["POST", `${at}/tags`, { tag_name: `${MARK}-tag`, message: `${MARK} tag message`, target: "main" }],
    ["POST", `${at}/contents/src/${MARK}`, { content: Buffer.from(`${MARK}!`).toString("base64"), author }],
    ["PATCH", at, { website: `https://${MARK}.example/` }],
  ] as const)
    expect((await call(server, method, path, { token: victor.token, body })).status).toBeLessThan(300);
  commit = server.services.refs.find(secret.id, "refs/heads/main")?.oid ?? "";
  // Whose commit it is stays unknown to who may not see the account.
  await aPerson(server, { login: `${MARK}-author`, visibility: "private", email: "plain@example.org" });
  const byHidden = { content: "eA==", author: { name: "Plain", email: "plain@example.org" } };
  await call(server, "POST", "/api/v1/repos/victor/open/contents/plain.txt", { token: victor.token, body: byHidden });
  const friend = await aPerson(server, { login: `${MARK}-friend`, visibility: "private" });
  const seen = repos.see(asAccount(victor.user), "victor", "open", () => "");
  collaborators.put(seen, friend.user, "read");
  addOrganizations();
  await publishPackages();
  const stranger = await aPerson(server, { login: "stranger" });
  const restricted = await aUser(server, { login: "restricted", isRestricted: true });
  askers.push(
    { name: "anonymous", options: {} },
    { name: "stranger's token", options: { token: stranger.token } },
    { name: "stranger's browser", options: { headers: { cookie: stranger.cookie, accept: "text/html" } } },
    { name: "restricted", options: { token: restricted.token } },
    {
      name: "the owner's public-only token",
      options: { token: aToken(server, victor.user, ["public-only", "all"]) },
      isOwner: true,
    },
  );
  routes = await allRoutes(server.services);
});
afterAll(() => server.close());

/** A package of the private repository, one of the private account, and one that everyone sees. */
async function publishPackages(): Promise<void> {
  const publish = (owner: Person, name: string) =>
    call(server, "PUT", `/api/packages/${owner.login}/generic/${name}/1.0/${name}.bin`, {
      token: owner.token,
      body: `${name} bytes`,
    });
  for (const [owner, name] of [
    [victor, `${MARK}-package`],
    [victor, "kit"],
    [hidden, `${MARK}-of-hidden`],
  ] as const)
    expect((await publish(owner, name)).status).toBe(201);
  const link = `/api/v1/packages/victor/generic/${MARK}-package/-/link/${privateName}`;
  expect((await call(server, "POST", link, { token: victor.token })).status).toBe(201);
}

/** Organizations: a private one, a limited one, and an open one with a team and a membership that are not shown. */
function addOrganizations(): void {
  const about = (mark: string) => ({
    fullName: `${mark} house`,
    description: `${mark} about`,
    location: `${mark} town`,
    website: `https://${mark}.example/`,
    email: `${mark}-office@example.org`,
  });
  const files = { "README.md": `${MARK} readme of the house\n` };
  const house = anOrganization(server, victor.user, { login: `${MARK}-org`, visibility: "private", ...about(MARK) });
  aRepo(server, house, { name: `${MARK}-org-repo`, creator: victor.user, description: `${MARK} tool`, files });
  aTeam(server, house, { name: `${MARK}-of-house`, visibility: "public", members: [hidden.user] });
  const lounge = anOrganization(server, victor.user, { login: LIMITED, visibility: "limited", ...about(LIMITED) });
  aRepo(server, lounge, { name: `${LIMITED}-repo`, creator: victor.user, files: { a: `${LIMITED}\n` } });
  const guild = anOrganization(server, victor.user, { login: "guild" });
  aRepo(server, guild, { name: "tool", creator: victor.user, files: { "README.md": "Nothing to see\n" } });
  aRepo(server, guild, { name: `${MARK}-of-guild`, creator: victor.user, isPrivate: true, files });
  const team = { name: `${MARK}-team`, description: `${MARK} team`, visibility: "private" } as const;
  teamId = aTeam(server, guild, { ...team, members: [hidden.user] }).id;
}

/** Links that are followed for each who asks, beyond the addresses that are asked anyway. */
const MAX_FOLLOWED = 500;

/** Every address of a GET route, with what is public and what is private in place of its parameters. */
function addresses(): string[] {
  const organizations = ["guild", `${MARK}-org`, LIMITED];
  const owners = ["victor", hidden.login];
  const repoNames = ["open", privateName, `${MARK}-of-hidden`];
  const repos: (readonly [string, string])[] = [
    ...owners.flatMap((owner) => repoNames.map((name) => [owner, name] as const)),
    ["guild", "tool"],
    [`${MARK}-org`, `${MARK}-org-repo`],
    [LIMITED, `${LIMITED}-repo`],
  ];
  const ats = ["main", "README.md", `${MARK}-branch`, `${MARK}-tag`, commit, `${MARK}.txt`, String(secretId)];
  const found = new Set<string>();
  for (const route of routes) {
    if (route.method !== "GET" || route.path.endsWith("/events")) continue;
    const rows = table[`${route.method} ${route.path}`] ?? [];
    const samples = (Array.isArray(rows) ? rows : [rows]) as { at?: string; query?: string }[];
    const parts = route.path.split("/");
    const has = (name: string) => parts.includes(name);
    const places = has(":repo")
      ? repos
      : (has(":org") ? organizations : has(":owner") ? [...owners, ...organizations] : [""]).map((one) => [one, ""]);
    for (const [owner = "", repo = ""] of places)
      for (const { at, query } of samples) {
        const prefix = at?.includes("/") && !at.startsWith("<") ? `${at.split("/")[0]}/` : "";
        const own = at === undefined || at.startsWith("<") ? [] : [at];
        const wild = /[:*]/.test(route.path.replace(/:(owner|repo)\b/g, ""));
        for (const value of wild ? [...own, ...ats.map((each) => prefix + each), ...ats] : [""]) {
          const path = parts
            .map((part) => {
              if (part === ":owner" || part === ":org") return owner;
              if (part === ":team") return `${MARK}-team`;
              if (part === ":id" && route.path.includes("/teams/:id")) return String(teamId);
              if (part === ":repo") return repo;
              if (part === ":username" || part === ":name" || part === ":collaborator")
                return value === "main" ? "victor" : value === "README.md" ? hidden.login : value;
              return part === "*" || part.startsWith(":") ? value : part;
            })
            .join("/");
          found.add(path + (query ?? ""));
        }
      }
  }
  for (const base of [
    "/api/v1/repos/search",
    "/api/v1/users/search",
    "/explore/repos",
    "/explore/users",
    "/explore/organizations",
  ])
    for (const q of [MARK, LIMITED, email, "victor", ""]) {
      found.add(`${base}?q=${encodeURIComponent(q)}&includeDesc=true`);
      for (const sort of [
        "alpha",
        "created",
        "updated",
        "size",
        "id",
        "lastlogin",
        "reversealphabetically",
        "recentupdate",
      ])
        if (q === "") found.add(`${base}?sort=${sort}&private=true&is_private=true&uid=${victor.user.id}`);
    }
  for (const login of [...owners, ...organizations]) for (const form of ["rss", "atom"]) found.add(`/${login}.${form}`);
  for (const tab of ["organizations", "repositories", "activity", "stars", "followers", "projects", "packages"])
    found.add(`/victor?tab=${tab}`);
  found.add("/api/v1/repos/victor/open/collaborators");
  found.add("/api/v1/repos/victor/open/collaborators?limit=1");
  found.add(`/api/v1/repos/victor/open/collaborators/${MARK}-friend/permission`);
  return [...found];
}

/** What stands in an answer and did not come with the question. */
function leaks(path: string, text: string, mark = MARK): string[] {
  const asked = decodeURIComponent(path.replace(/%(?![0-9a-f]{2})/gi, "%25")).toLowerCase();
  const found = text.toLowerCase().match(new RegExp(`.{0,60}${mark}[^"'<>\\s&]{0,40}`, "g")) ?? [];
  const coded = HIDDEN.filter((code) => text.includes(code));
  const told = (leak: string) => {
    const [word = ""] = new RegExp(`${mark}[\\w.@-]*`).exec(leak) ?? [];
    // What the Go tools are told is the address they asked for, with git's ending.
    return asked.includes(word.replace(/\.git$/, "")) || asked.includes(word.replace(/[._@-]+$/, ""));
  };
  return [...found.filter((leak) => !told(leak)), ...(asked.includes(MARK) ? [] : coded)];
}

test("C1 to C20: no mark of anything private comes out anywhere, links followed", async () => {
  const base = server.url.replace(/\/$/, "");
  const found: string[] = [];
  let asked = 0;
  let good = 0;
  for (const asker of askers) {
    const known = new Set(addresses());
    let queue = [...known];
    const maxKnown = known.size + MAX_FOLLOWED;
    for (let depth = 0; depth < 3 && queue.length > 0; depth++) {
      const next: string[] = [];
      await eachOf(queue, async (path) => {
        const answer = await call<unknown>(server, "GET", path, asker.options);
        asked++;
        if (answer.status < 300) good++;
        // What is not offered at all is told as that.
        expect([path, answer.status < 500 || answer.status === 501]).toEqual([path, true]);
        const text = `${[...answer.headers].map((pair) => pair.join(": ")).join("\n")}\n${answer.text}`;
        const leaking = leaks(path, text).filter(
          (leak) =>
            !(asker.isOwner && /\/(api\/v1\/)?users?\b/.test(path) && /@|browser|token/.test(leak)) &&
            // Whoever asks for their team by its number knows it; the organization decides for such a token.
            !(asker.isOwner && path === `/api/v1/teams/${teamId}`),
        );
        if (asker.options.token === undefined && asker.options.headers === undefined)
          leaking.push(...leaks(path, text, LIMITED));
        for (const leak of leaking.slice(0, 2)) found.push(`${asker.name}: ${path} (${answer.status}) … ${leak}`);
        const links = [...text.matchAll(/(?:href|src|hx-get|action)="([^"]+)"|"(https?:\/\/[^"]+)"/g)].map(
          ([, page, json]) => (page ?? json ?? "").replaceAll("&amp;", "&"),
        );
        for (const link of links) {
          const target = link.startsWith(`${base}/`) ? link.slice(base.length) : link;
          const [clean = ""] = target.split("#");
          if (!clean.startsWith("/") || clean.startsWith("//") || known.has(clean) || known.size > maxKnown) continue;
          if (/\/events$|logout/.test(clean)) continue;
          known.add(clean);
          next.push(clean);
        }
      });
      queue = next;
    }
  }
  console.log(`canaries: ${asked} answers searched, ${good} of them with something in them`);
  expect(found.slice(0, 30)).toEqual([]);
  expect(server.errors).toEqual([]);
});

test("C6: a membership that is not shown is told nowhere to who is no member", async () => {
  const cora = await aUser(server, { login: "cora-the-quiet" });
  const guild = server.services.identity.byLogin("guild");
  if (!guild) throw new Error("no organization");
  const { id } = aTeam(server, guild, { name: "open-team", visibility: "public", members: [cora.user] });
  const about = [
    "/guild",
    "/org/guild/members",
    "/org/guild/teams",
    "/api/v1/orgs/guild",
    "/api/v1/orgs/guild/members",
  ];
  about.push("/api/v1/orgs/guild/public_members", "/api/v1/orgs/guild/teams", "/api/v1/repos/guild/tool/collaborators");
  about.push(`/api/v1/teams/${id}`, `/api/v1/teams/${id}/members`, "/org/guild/teams/open-team");
  const ofCora = ["/cora-the-quiet", "/cora-the-quiet?tab=organizations", "/api/v1/users/cora-the-quiet/orgs"];
  for (const { name, options } of askers.filter(({ isOwner }) => !isOwner)) {
    for (const path of about) {
      const answer = await call<unknown>(server, "GET", path, options);
      expect([name, path, answer.text.includes("cora-the-quiet")]).toEqual([name, path, false]);
    }
    for (const path of ofCora) {
      const answer = await call<unknown>(server, "GET", path, options);
      const needsSignIn = options.token === undefined && path.endsWith("/orgs");
      expect([name, path, answer.status, answer.text.includes("guild")]).toEqual([
        name,
        path,
        needsSignIn ? 401 : 200,
        false,
      ]);
    }
    for (const list of ["members", "public_members"]) {
      const ask = (login: string) => call<unknown>(server, "GET", `/api/v1/orgs/guild/${list}/${login}`, options);
      const [member, other] = [await ask("cora-the-quiet"), await ask("victor")];
      const bareOf = (answer: typeof member, login: string) => bare(answer, [[login, "<name>"]]);
      expect([name, list, bareOf(member, "cora-the-quiet")]).toEqual([name, list, bareOf(other, "victor")]);
    }
  }
  for (const path of ["/api/v1/orgs/guild/members", `/api/v1/teams/${id}/members`]) {
    const shown = await call<unknown>(server, "GET", path, { token: victor.token });
    expect(shown.text).toContain("cora-the-quiet");
  }
});

test("C9, C20: searching for a private word finds as much as searching for no word at all", async () => {
  for (const asker of askers.filter(({ isOwner }) => !isOwner))
    for (const path of [
      "/api/v1/repos/search?q=WORD",
      "/api/v1/repos/search?q=WORD&includeDesc=true&limit=1",
      "/api/v1/repos/search?q=victor/WORD",
      "/api/v1/users/search?q=WORD",
      "/api/v1/users/search?q=WORD-hidden@example.org",
      "/explore/repos?q=WORD",
      "/explore/users?q=WORD",
      "/explore/users?q=WORD-hidden%40example.org",
    ]) {
      const other = "zanary7f3b";
      const a = await call<unknown>(server, "GET", path.replace("WORD", MARK), asker.options);
      const b = await call<unknown>(server, "GET", path.replace("WORD", other), asker.options);
      expect([path, bare(a, [[MARK, "<word>"]])]).toEqual([path, bare(b, [[other, "<word>"]])]);
    }
});

test("C7: an avatar by the hash of a hidden address tells nothing of whose it is", async () => {
  const md5 = (text: string) => createHash("md5").update(text).digest("hex");
  const ask = (text: string) => call<unknown>(server, "GET", `/avatar/${md5(text)}?d=identicon`);
  const [known, unknown] = [await ask(email), await ask("nobody@nowhere.example")];
  expect([known.status, [...known.headers.keys()]]).toEqual([unknown.status, [...unknown.headers.keys()]]);
  const hash = (text: string) => new RegExp(md5(text), "g");
  expect((known.headers.get("location") ?? "").replace(hash(email), "")).toEqual(
    (unknown.headers.get("location") ?? "").replace(hash("nobody@nowhere.example"), ""),
  );
});

test("C7: a commit made in the browser or by the API carries the no-reply address of who hides his own", async () => {
  const made = await call(server, "POST", "/api/v1/repos/victor/open/contents/by-api.txt", {
    token: victor.token,
    body: { content: "eA==" },
  });
  expect(made.status).toBe(201);
  expect(made.text).not.toContain(MARK);
  const raw = await call<unknown>(server, "GET", "/api/v1/repos/victor/open/git/commits/main");
  expect(raw.text).not.toContain(MARK);
  expect(raw.text).toContain("@noreply.");
});

test("C6: collaborators with a hidden account are told to who administers the repository and to themselves", async () => {
  const { identity } = server.services;
  const friend = identity.byLogin(`${MARK}-friend`);
  if (!friend) throw new Error("no friend");
  const at = "/api/v1/repos/victor/open/collaborators";
  const stranger = askers[1]?.options.token;
  const listed = await call<unknown[]>(server, "GET", at, { token: stranger });
  expect([listed.body, listed.headers.get("x-total-count")]).toEqual([[], "0"]);
  for (const token of [victor.token, aToken(server, friend, ["all"])])
    expect((await call<{ login: string }[]>(server, "GET", at, { token })).body.map(({ login }) => login)).toEqual([
      friend.login,
    ]);
  const [theirs, nobodys] = await Promise.all(
    [friend.login, `${MARK}-fiend`].map((name) => call<unknown>(server, "GET", `${at}/${name}`, { token: stranger })),
  );
  const level = await call<unknown>(server, "GET", `${at}/${hidden.login}/permission`, { token: victor.token });
  const none = await call<unknown>(server, "GET", `${at}/nobody-here/permission`, { token: victor.token });
  expect(bare(level, [[hidden.login, "<name>"]])).toEqual(bare(none, [["nobody-here", "<name>"]]));
  if (!theirs || !nobodys) throw new Error("no answers");
  expect(bare(theirs, [[friend.login, "<name>"]])).toEqual(bare(nobodys, [[`${MARK}-fiend`, "<name>"]]));
});

test("C12: secrets are write-only: no token, password or hash of one in any answer to its own owner", async () => {
  const hashes = server.core.db
    .query<{ password_hash: string | null }>("SELECT password_hash FROM users WHERE id = ?")
    .get(victor.user.id);
  const secrets = [victor.token, victor.password, hashes?.password_hash ?? "?", victor.cookie.split("=")[1] ?? "?"];
  for (const path of [
    "/api/v1/user",
    "/api/v1/user/settings",
    "/api/v1/user/emails",
    "/api/v1/token",
    "/user/settings",
    "/user/settings/account",
    "/user/settings/applications",
    "/user/settings/security",
  ]) {
    const answer = path.startsWith("/api")
      ? await call<unknown>(server, "GET", path, { token: victor.token })
      : await call<unknown>(server, "GET", path, { headers: { cookie: victor.cookie } });
    expect([path, answer.status]).toEqual([path, 200]);
    for (const secret of secrets) expect([path, answer.text.includes(secret)]).toEqual([path, false]);
  }
  const list = await call<unknown>(server, "GET", "/api/v1/users/victor/tokens", { basic: ["victor", victor.token] });
  expect(list.status).toBe(200);
  for (const secret of secrets) expect(list.text).not.toContain(secret);
});
