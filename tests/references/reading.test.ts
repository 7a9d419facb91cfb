import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { asAccount, operator } from "../../src/access/principal.ts";
import { markText } from "../../src/references/marks.ts";
import type { Repo } from "../../src/repos/types.ts";
import {
  anOrganization,
  aRepo,
  aServer,
  aSession,
  aTeam,
  aUser,
  call,
  type TestServer,
  type TestUser,
} from "../builders.ts";

/** References as they are read: on pages and over REST, by those who may see their targets and those who may not. */

let server: TestServer;
let ada: TestUser;
let eve: TestUser;
let secret: Repo;
let secretCommit: string;
let open: Repo;
let openCommit: string;

const headOf = (repo: Repo) => {
  const seen = server.services.repos.seeById(operator, repo.id);
  return (seen && server.services.revisions.head(seen)?.commit) ?? "";
};

beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada", fullName: "Ada & Co" });
  eve = await aUser(server, { login: "eve" });
  await aUser(server, { login: "hidden", visibility: "private" });
  const gone = await aUser(server, { login: "gone" });
  await server.services.identity.edit(operator, gone.user, { isActive: false });
  secret = aRepo(server, ada.user, { name: "secret", isPrivate: true, files: { "a.txt": "secret" } });
  secretCommit = headOf(secret);
  open = aRepo(server, ada.user, { name: "open", files: { "a.txt": "open" } });
  openCommit = headOf(open);
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

/** A text as a comment of that repository, as the caller reads it. */
const read = async (text: string, by: TestUser, repo = "ada/open") =>
  (
    await call(server, "POST", `/api/v1/repos/${repo}/markdown`, {
      token: by.token,
      body: { Text: text, Mode: "comment" },
    })
  ).text.trim();

describe("over REST", () => {
  test("people that exist, and that the reader may see", async () => {
    const url = server.url;
    expect(await read("@ADA @nobody @gone", eve)).toBe(
      `<p dir="auto"><a class="mention" href="${url}ada" title="Ada &amp; Co">@ada</a> @nobody @gone</p>`,
    );
    expect(await read("@hidden", eve)).toBe('<p dir="auto">@hidden</p>');
    const admin = await aUser(server, { isAdmin: true });
    expect(await read("@hidden", admin)).toContain(`href="${url}hidden"`);
  });

  test("teams that the reader is shown, in any letter case", async () => {
    const organization = anOrganization(server, ada.user, { login: "acme" });
    aTeam(server, organization, { name: "crew", description: "On <deck>", visibility: "limited", members: [eve.user] });
    aTeam(server, organization, { name: "board", visibility: "private" });
    const link = `<a class="mention" href="${server.url}org/acme/teams/crew" title="On &lt;deck&gt;">@acme/crew</a>`;
    expect(await read("Hi @ACME/Crew.", eve)).toBe(`<p dir="auto">Hi ${link}.</p>`);
    expect(await read("@acme/board @acme/nobody @eve/crew @acme/crew/x", eve)).not.toContain("<a");
    expect(await read("@acme/board", ada)).toContain(`href="${server.url}org/acme/teams/board"`);
    const stranger = await aUser(server);
    expect(await read("@acme/crew", stranger)).toBe('<p dir="auto">@acme/crew</p>');
  });

  test("commits of this repository and of others, by whole ids and their beginnings", async () => {
    const href = `${server.url}ada/open/commit/${openCommit}`;
    const link = (digits: number) => `<a class="commit" href="${href}"><code>${openCommit.slice(0, digits)}</code></a>`;
    expect(await read(openCommit, eve)).toBe(`<p dir="auto">${link(10)}</p>`);
    expect(await read(openCommit.slice(0, 14), eve)).toBe(`<p dir="auto">${link(10)}</p>`);
    expect(await read(`(${openCommit.slice(0, 7)})`, eve)).toBe(`<p dir="auto">(${link(7)})</p>`);
    expect(await read(`ada/secret@${secretCommit}`, ada)).toContain(
      `<code>ada/secret@${secretCommit.slice(0, 10)}</code>`,
    );
    expect(await read("0123456789abcdef0123456789abcdef01234567 1234567", eve)).not.toContain("<a");
  });

  test("what a reader may not see looks like what does not exist", async () => {
    const other = secretCommit.replace(/^./, (digit) => (digit === "0" ? "1" : "0"));
    const shapes = (id: string, name: string) => [
      `ada/${name}@${id}`,
      `ada/${name}@${id.slice(0, 9)}`,
      id,
      id.slice(0, 9),
    ];
    for (const text of [
      ...shapes(secretCommit, "secret"),
      ...shapes(other, "secret"),
      ...shapes(secretCommit, "never"),
    ])
      expect(await read(text, eve)).toBe(`<p dir="auto">${text}</p>`);
    expect(await read(`ada/secret@${secretCommit}`, ada)).toContain("<a");
  });

  test("an address of this site is shortened for those who may see where it leads", async () => {
    const address = `${server.url}ada/secret/commit/${secretCommit}`;
    expect(await read(address, ada)).toContain(`><code>ada/secret@${secretCommit.slice(0, 10)}</code></a>`);
    expect(await read(address, eve)).toContain(`>${address}</a>`);
  });

  test("lines of a file whose address is a paragraph are quoted for those who may read them", async () => {
    const text = Array.from({ length: 80 }, (_, at) => `line <${at + 1}>\n`).join("");
    const files = {
      "docs/a b.txt": text,
      "bin.dat": new Uint8Array([0, 1, 2]),
      "a.ts": `/*\nconst in = "a comment";\n*/\nconst x = "<a>"; // ${"y".repeat(600)}\n`,
    };
    const repo = aRepo(server, ada.user, { name: "quoted", isPrivate: true, files });
    const at = `${server.url}ada/quoted/src/commit/${headOf(repo)}`;
    const address = `${at}/docs/a%20b.txt#L4-L3`;
    const shown = await read(`Look:\n\n${address}\n\nand on`, ada);
    expect(shown).toContain(
      '<pre><span class="l" data-n="3">line &lt;3&gt;\n</span><span class="l" data-n="4">line &lt;4&gt;\n</span></pre>',
    );
    expect(shown).toContain(`<code>ada/quoted@${headOf(repo).slice(0, 10)}/docs/a%20b.txt (L4-L3)</code></a>`);
    const hidden = await read(address, eve);
    expect(hidden).toContain(`<p dir="auto"><a href="${address}"`);
    expect(hidden).not.toContain("&lt;");
    expect((await read(`${at}/docs/a%20b.txt?display=source#L1-L80`, ada)).split('class="l"')).toHaveLength(51);
    // Colours follow from what stands above the lines; what is too long to show is cut, and plain.
    const coloured = await read(`${at}/a.ts#L2-L4`, ada);
    expect(coloured).toContain('data-n="2"><span class="hljs-comment">const in = &quot;a comment&quot;;</span>');
    expect(coloured).toContain(`data-n="4">const x = &quot;&lt;a&gt;&quot;; // ${"y".repeat(480)}\n</span>`);
    for (const other of [
      `See ${address}`,
      `- ${address}`,
      `${at}/docs/a%20b.txt#L81`,
      `${at}/docs#L1`,
      `${at}/none.txt#L1`,
      `${at}/bin.dat#L1`,
      `${at}/docs/%ff#L1`,
      address.replace(headOf(repo), openCommit),
      address.replace("commit/", "branch/main/"),
    ])
      expect(await read(other, ada)).not.toContain('class="l"');
  });

  test("a number is a link whether there is such an item or not, as programs know it; others are text without one", async () => {
    const link = `<a class="ref-issue" href="${server.url}ada/open/issues/1">#1</a>`;
    expect(await read("#1 !2 ada/open#3", ada)).toBe(`<p dir="auto">${link} !2 ada/open#3</p>`);
  });

  test("a page asks the database a few times, however many people, repositories and commits it names", () => {
    const { references } = server.services;
    const reader = { principal: asAccount(eve.user), repo: undefined };
    const asked = (count: number) => {
      const names = Array.from({ length: count }, (_, n) => `@user${n} ada/repo${n}@${openCommit}`).join(" ");
      const query = spyOn(server.core.db, "query");
      const [html = ""] = references.resolve(reader, markText(`@ada ada/open@${openCommit} ${names}`));
      const calls = query.mock.calls.length;
      query.mockRestore();
      expect(html.split("<a ")).toHaveLength(3);
      return calls;
    };
    expect(asked(100)).toBe(asked(2));
    expect(asked(100)).toBeLessThan(10);
  });

  test("a hostile text of 10,000 mentions is answered", async () => {
    const text = Array.from({ length: 10_000 }, (_, n) => `@user${n}`).join(" ");
    const html = await read(`@ada ${text}`, eve);
    expect(html.split('class="mention"')).toHaveLength(2);
    const abbreviations = Array.from({ length: 5_000 }, (_, n) => (0x1000000 + n).toString(16)).join(" ");
    expect(await read(abbreviations, eve)).not.toContain("<a");
  });
});

describe("on pages", () => {
  test("a README is rendered once, and each reader sees their own links", async () => {
    const readme = `Made by @ada, see ada/secret@${secretCommit} and #1.`;
    const repo = aRepo(server, ada.user, { name: "pages", files: { "README.md": readme } });
    const page = async (by: TestUser | undefined, path = "") => {
      const cookie = by ? { cookie: await aSession(server, by.user) } : {};
      return (await call(server, "GET", `/ada/${repo.name}${path}`, cookie)).text;
    };
    for (const path of ["", "/src/branch/main/README.md"]) {
      // The one who sees most comes first: what was cached for them must show no one else anything.
      for (const [by, sees] of [
        [ada, true],
        [eve, false],
        [undefined, false],
        [ada, true],
      ] as const) {
        const html = await page(by, path);
        expect(html.includes(`/ada/secret/commit/${secretCommit}`)).toBe(sees);
        expect(html).toContain('<a class="mention" href="/ada" title="Ada &amp; Co">@ada</a>');
        expect(html).not.toContain("<x-");
        if (!sees) expect(html).toContain(`see ada/secret@${secretCommit} and #1.`);
      }
    }
  });

  test("a commit's message has links and stays text otherwise", async () => {
    const message = `Subject\n\nBy @ada <b>x</b>, after ${openCommit}; see https://h.example/?a=1&b=2.`;
    const repo = aRepo(server, ada.user, { name: "messages", files: { "a.txt": "a" }, message });
    const { text } = await call(server, "GET", `/ada/messages/commit/${headOf(repo)}`);
    expect(text).toContain('By <a class="mention" href="/ada" title="Ada &amp; Co">@ada</a> &lt;b&gt;x&lt;/b&gt;');
    expect(text).toContain(`after ${openCommit};`);
    expect(text).toContain('<a href="https://h.example/?a=1&amp;b=2" rel="nofollow ugc noopener noreferrer">');
  });
});
