import { afterAll, beforeAll, expect, test } from "bun:test";
import { aRepo, aServer, aToken, aUser, call, type TestServer, type TestUser } from "../../builders.ts";

let server: TestServer;
let ada: TestUser;
beforeAll(async () => {
  server = await aServer();
  ada = await aUser(server, { login: "ada" });
});
afterAll(() => server.close());

const render = async (body: Record<string, unknown>, path = "/markdown") =>
  (await call(server, "POST", `/api/v1${path}`, { token: ada.token, body })).text.trim();

test("a document has no repository", async () => {
  expect(await render({ Text: "# Hi\n\n[[Page]] #1 [l](a.md) **b**" })).toBe(
    '<h1>Hi</h1>\n<p dir="auto">[[Page]] #1 <a href="a.md" rel="nofollow">l</a> <strong>b</strong></p>',
  );
  expect(await render({ text: "*a*", mode: "markdown" })).toBe('<p dir="auto"><em>a</em></p>');
});

test("links of a repository's text lead into it", async () => {
  const repo = `${server.url}ada/engine`;
  const head = await render({ Text: "# Head\n\n[l](a.md)", Mode: "gfm", Context: "/ada/engine" });
  expect(head).toContain('<h1 id="user-content-head">Head</h1>');
  expect(head).toContain(`<a href="${repo}/src/a.md" rel="nofollow">l</a>`);
  const context = "/ada/engine/src/branch/main/docs";
  const file = { Text: "[l](a.md) ![](p.png)", Mode: "file", FilePath: "docs/x.md", Context: context };
  const html = await render(file, "/markup");
  expect(html).toContain(`href="${repo}/src/branch/main/docs/a.md"`);
  expect(html).toContain(`src="${repo}/media/branch/main/docs/p.png"`);
  expect(await render({ Text: "a,b\n1,2", Mode: "file", FilePath: "x.csv" }, "/markup")).toContain("<td");
});

test("what is hostile does nothing", async () => {
  const text =
    'a <script>x</script> <img src=x onerror="y"> [j](javascript:alert(1)) <b hx-get="/x">c</b> <p>q</p> `<p>` [x](<"onmouseover=y>)';
  const html = await render({ Text: text });
  expect(html).not.toMatch(/<script|onerror=|href="javascript|hx-get|" ?onmouseover=/);
  expect(html).toContain("&lt;p&gt;");
});

test("what is not rendered is refused in plain text", async () => {
  for (const path of ["/markdown", "/markup"]) {
    const mode = await call(server, "POST", `/api/v1${path}`, { token: ada.token, body: { Text: "x", Mode: "odd" } });
    expect([mode.status, mode.text.trim()]).toEqual([422, "unsupported render mode: odd"]);
  }
  const body = { Text: "x", Mode: "file", FilePath: "a.unknownkind" };
  const kind = await call(server, "POST", "/api/v1/markup", { token: ada.token, body });
  expect([kind.status, kind.text.trim()]).toEqual([422, "unable to find a render"]);
});

test("needs a caller, on a repository one that may see it with the scope to write", async () => {
  const repo = aRepo(server, ada.user, { isPrivate: true });
  const path = `/api/v1/repos/ada/${repo.name}/markdown/raw`;
  const stranger = await aUser(server);
  const reader = aToken(server, ada.user, ["read:repository"]);
  const status = async (at: string, token?: string) => (await call(server, "POST", at, { token, body: "*x*" })).status;
  expect([
    await status("/api/v1/markdown/raw"),
    await status(path, stranger.token),
    await status(path, reader),
  ]).toEqual([401, 404, 403]);
  expect((await call(server, "POST", path, { token: ada.token, body: "*x*" })).text.trim()).toBe(
    '<p dir="auto"><em>x</em></p>',
  );
});

test("a body that is too large or no text is refused, a long one is rendered elsewhere", async () => {
  const post = (body: string | Uint8Array) => call(server, "POST", "/api/v1/markdown/raw", { token: ada.token, body });
  expect((await post("x".repeat((4 << 20) + 1))).status).toBe(413);
  expect((await post(new Uint8Array([0xff, 0xfe]))).status).toBe(422);
  const long = await post("word *word*\n\n".repeat(5_000));
  expect([long.status, long.text.split("<em>").length]).toEqual([200, 5_001]);
});
