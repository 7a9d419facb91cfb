import { afterAll, beforeAll, expect, test } from "bun:test";
import { asAccount } from "../../src/access/principal.ts";
import type { Route } from "../../src/http/route.ts";
import { allRoutes } from "../../src/routes.ts";
import { aRepo, aServer, call, type TestServer } from "../builders.ts";
import { eachOf } from "./compare.ts";
import { type Row, table } from "./route-table.ts";
import { aPerson, type Person } from "./world.ts";

/** B13: where the site asks everyone to sign in, a visitor gets nothing but the door. */

let server: TestServer;
let olga: Person;
let routes: Route[];
beforeAll(async () => {
  server = await aServer({ require_signin: true, registration: "closed" });
  olga = await aPerson(server, { login: "olga" });
  await aPerson(server, { login: "restricted", isRestricted: true });
  aRepo(server, olga.user, { name: "open", files: { "README.md": "zanary\n" }, description: "zanary" });
  routes = (await allRoutes(server.services)).filter(({ path }) => !path.endsWith("/events"));
});
afterAll(() => server.close());

/** What works before anybody is signed in; everything else is behind the door. */
const door =
  /^\/(user\/(webauthn\/passkey\/.*|login|oauth2\/.*|logout|sign_up|forgot_password|recover_account|activate|activate_email|avatar\/.*)|login\/oauth\/logout.*|assets\/.*|avatars?\/.*|repo-avatars\/.*|robots\.txt|favicon\.ico|apple-touch-icon.*|\.well-known\/.*|api\/healthz|api\/swagger\/:file|-\/(web-(theme|language|banner)|go-get|viewer)\/.*)$/;

test("B13: every route asks a visitor to sign in, on a site that wants it so", async () => {
  const wrong: string[] = [];
  await eachOf(routes, async (route) => {
    const rows = table[`${route.method} ${route.path}`] ?? [];
    const row = (Array.isArray(rows) ? rows[0] : rows) as Row | undefined;
    const at = (row?.at ?? "x").replace(/<\w+>/, "main");
    const path = route.path
      .split("/")
      .map((part) =>
        part === ":owner" || part === ":username"
          ? "olga"
          : part === ":repo"
            ? "open"
            : /^[:*]/.test(part) && !route.path.startsWith("/api/swagger")
              ? at
              : part.replace(":file", "init.js"),
      )
      .join("/");
    const answer = await call<unknown>(server, route.method, path + (row?.query ?? ""), {
      ...(route.method === "GET"
        ? {}
        : { body: "a=1", headers: { "content-type": "application/x-www-form-urlencoded" } }),
    });
    const location = answer.headers.get("location") ?? "";
    const say = (what: string) => wrong.push(`${route.method} ${path} ${what} (${answer.status} ${location})`);
    if (answer.text.includes("zanary")) say("shows what is inside");
    if (door.test(route.path)) {
      if (answer.status >= 500) say("fails");
      return;
    }
    if (route.surface === "api" && answer.status !== 403 && answer.status !== 401) say("answers");
    if (route.surface === "lfs" && ![415, 401].includes(answer.status)) say("answers");
    if (route.surface === "git" && ![400, 401].includes(answer.status)) say("answers");
    if (route.surface === "page" || route.surface === "bytes")
      if (!location.startsWith("/user/login") && answer.status !== 401 && answer.status !== 403) say("answers");
  });
  expect(wrong).toEqual([]);
});

test("B13: who signed in sees it; a restricted account only what it was given", async () => {
  const restricted = server.services.identity.byLogin("restricted");
  const secret = restricted && server.services.tokens.create(asAccount(restricted), restricted, "t", ["all"]).secret;
  for (const path of [
    "/api/v1/repos/olga/open",
    "/olga/open/raw/branch/main/README.md",
    "/olga/open/info/refs?service=git-upload-pack",
  ]) {
    expect([path, (await call<unknown>(server, "GET", path, { token: olga.token })).status]).toEqual([path, 200]);
    expect([path, (await call<unknown>(server, "GET", path, { token: secret })).status]).toEqual([path, 404]);
  }
});
