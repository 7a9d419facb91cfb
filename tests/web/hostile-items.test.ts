import { afterAll, beforeAll, expect, test } from "bun:test";
import { anApi, aRepo, aServer, aUser, call, type TestServer, type TestUser } from "../builders.ts";

/** Texts, names and files that someone made to break or to deceive: a clear refusal or a page that is safe. */

let server: TestServer;
let eve: TestUser;
const api = anApi(() => server);

beforeAll(async () => {
  server = await aServer();
  eve = await aUser(server, { login: "eve" });
  aRepo(server, eve.user, { name: "traps" });
});
afterAll(async () => {
  const { errors } = server;
  await server.close();
  expect(errors).toEqual([]);
});

const at = "/repos/eve/traps";
const MAX = 65_535;
const many = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n)).join(" ");

const texts: Readonly<Record<string, string>> = {
  quotes: `${"> ".repeat(20_000)}x`,
  brackets: "[".repeat(MAX),
  links: "[a](".repeat(15_000),
  emphasis: "*a_".repeat(20_000),
  lists: "- ".repeat(30_000),
  cells: `${"|a".repeat(2_000)}\n${"|-".repeat(2_000)}${`\n${"|x".repeat(2_000)}`.repeat(10)}`,
  elements: "<div>".repeat(12_000),
  backticks: "`".repeat(MAX),
  formulas: "$$x^{".repeat(10_000),
  "10,000 mentions": many(10_000, (n) => `@u${n}`),
  "10,000 mentions of one": "@eve ".repeat(10_000),
  "10,000 references": many(10_000, (n) => `#${n + 1}`),
  teams: many(5_000, (n) => `@eve/t${n}`),
  boxes: "- [ ] a\n".repeat(8_000),
};

for (const [name, text] of Object.entries(texts))
  test(`a text of ${name} is kept and shown`, async () => {
    const made = await api<{ number: number; body: string }>("POST", `${at}/issues`, eve, {
      title: name,
      body: text.slice(0, MAX),
    });
    expect(made.status).toBe(201);
    expect(made.body.body).toBe(text.slice(0, MAX));
    const page = await call(server, "GET", `/eve/traps/issues/${made.body.number}`);
    expect(page.status).toBe(200);
  });

test("what a browser would run is not in the page", async () => {
  const body = `<img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a><button hx-post="/user/logout">b</button>
<div data-hx-get="/">d</div><svg onload=alert(1)></svg><style>*{display:none}</style><form action=//evil.example><input></form>`;
  const { number } = (await api<{ number: number }>("POST", `${at}/issues`, eve, { title: "<b>Run</b>", body })).body;
  const { text } = await call(server, "GET", `/eve/traps/issues/${number}`);
  const prose = text.slice(text.indexOf('<div class="prose"'), text.indexOf("</article>"));
  expect(prose).toContain("<img");
  for (const part of ["onerror", "javascript:", "hx-post", "hx-get", "onload", "<style", "<form", "<button"])
    expect([part, prose.includes(part)]).toEqual([part, false]);
  expect(text).not.toContain("<b>Run</b>");
});

test("names of labels in every script are kept as they are, and what no one can type is refused", async () => {
  const kept = [
    "日本語",
    "Ελληνικά",
    "العربية",
    "עברית",
    "हिन्दी",
    "ไทย",
    "한국어",
    "🐙/🦀",
    "<script>alert(1)</script>",
  ];
  for (const name of [...kept, "../../etc", "%2e%2e", "'; DROP TABLE labels;--", "x".repeat(255)]) {
    const made = await api<{ name: string }>("POST", `${at}/labels`, eve, { name, color: "#123456" });
    expect([made.status, made.body.name]).toEqual([201, name]);
  }
  for (const name of ["x".repeat(256), " ", "a\u0000b", "a\nb"])
    expect((await api("POST", `${at}/labels`, eve, { name, color: "#123456" })).status).toBe(422);
  const page = await call(server, "GET", "/eve/traps/labels");
  expect(page.status).toBe(200);
  for (const name of kept.slice(0, -1)) expect(page.text).toContain(name);
  expect(page.text).not.toContain("<script>alert(1)");
  expect((await call(server, "GET", `/eve/traps/issues?q=${encodeURIComponent('label:"हिन्दी"')}`)).status).toBe(200);
});

test("a text of 65,536 characters and a title of 100,000 leave nothing behind", async () => {
  const before = (await api("GET", `${at}/issues?state=all`, eve)).headers.get("x-total-count");
  const refused = await api("POST", `${at}/issues`, eve, { title: "t".repeat(100_000), body: "y".repeat(MAX + 1) });
  expect(refused.status).toBe(422);
  expect((await api("GET", `${at}/issues?state=all`, eve)).headers.get("x-total-count")).toBe(before);
});
