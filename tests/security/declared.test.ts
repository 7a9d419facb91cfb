import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeApp } from "../../src/server.ts";
import { aServer, type TestServer } from "../builders.ts";

/** Every handler stands in a declaration, or the server does not start (security rules, section 0). */

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

test("Elysia has one handler, and what it is for stands in a declaration", async () => {
  const app = await makeApp(server.house);
  expect(() => app.requireDeclared()).not.toThrow();
  expect(app.elysia.routes.map(({ method, path }) => `${method} ${path}`)).toEqual(["ALL /*"]);
});

test("a handler that someone puts into the router by himself keeps the server from starting", async () => {
  const app = await makeApp(server.house);
  app.elysia.route("GET", "/back-door", () => "hello", { config: {} });
  expect(() => app.requireDeclared()).toThrow("handlers that no declaration knows: GET /back-door");
});
