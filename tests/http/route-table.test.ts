import { afterAll, beforeAll, expect, test } from "bun:test";
import { Elysia } from "elysia";
import type { Route } from "../../src/http/route.ts";
import { RouteTable } from "../../src/http/route-table.ts";
import { RouteGroups } from "../../src/routes.ts";
import { aServer, type TestServer } from "../builders.ts";
import { newSeed, random } from "../random.ts";

let server: TestServer;
let groups: RouteGroups;
let routes: readonly Route[];
beforeAll(async () => {
  server = await aServer();
  groups = new RouteGroups(server.services);
  routes = await groups.all();
});
afterAll(() => server.close());

test("an address is for the declaration that Elysia's own router would choose", async () => {
  const elysia = new Elysia({ systemRouter: false, normalize: false });
  // Its router takes one name of a parameter at one place, where clients of packages ask for several things.
  for (const { method, path } of routes.filter((route) => !route.path.startsWith("/api/packages/")))
    elysia.route(method, path, () => path, { config: {} });
  const table = RouteTable.of(routes);
  const chance = random(newSeed());
  const one = <T>(of: readonly T[]): T => of[Math.floor(chance() * of.length)]!;
  const words = [...new Set(routes.flatMap(({ path }) => path.split("/")))].filter((word) => !/^[:*]/.test(word));
  const address = (): string => {
    const segments = one(routes)
      .path.split("/")
      .map((segment) =>
        /^[:*]/.test(segment) || chance() < 0.1 ? one([...words, "ada", "x.git", "%C3%A9"]) : segment,
      );
    if (chance() < 0.2) segments.splice(Math.floor(chance() * segments.length), 1);
    if (chance() < 0.3) segments.push(one(["", ...words]));
    return `/${segments.filter((segment, at) => segment !== "" || at === segments.length - 1).join("/")}`;
  };
  const wrong: unknown[] = [];
  for (let round = 0; round < 3000; round++) {
    const path = address();
    // What is no owner's stands below /api in our table only.
    if (path.startsWith("/api/")) continue;
    const method = one(routes).method;
    const answer = await elysia.handle(new Request(`http://localhost${path}`, { method }));
    const expected = answer.status === 404 ? undefined : await answer.text();
    const found = table.find(method, path)?.path;
    if (found !== expected) wrong.push({ method, path, found, expected });
  }
  expect(wrong).toEqual([]);
});

test("no one's page answers below /api", () => {
  const table = RouteTable.of(routes);
  expect(table.find("GET", "/api/v1")).toBeUndefined();
  expect(table.find("GET", "/api/v1/no/such")).toBeUndefined();
  expect(table.find("GET", "/api/")).toBeUndefined();
  expect(table.find("GET", "/api/v1/version")?.path).toBe("/api/v1/version");
});

test("a group is loaded by the first request for one of its routes, and no other", async () => {
  const loaded: string[] = [];
  const table = RouteTable.indexed(await groups.index(), (group) => {
    loaded.push(group);
    return groups.load(group);
  });
  const version = table.find("GET", "/api/v1/version")!;
  expect((await table.routeOf(version))?.path).toBe("/api/v1/version");
  expect(table.routeOf(version)).not.toBeInstanceOf(Promise);
  expect(loaded).toEqual(["health"]);
  expect([...(await table.methodsAt("/api/v1/user/starred/ada/engine"))].sort()).toEqual([
    "DELETE",
    "GET",
    "HEAD",
    "PUT",
  ]);
  expect(new Set(loaded)).toEqual(new Set(["health", "stars"]));
});

test("a route that its group's index does not know is an error, not a way in", async () => {
  const [first] = routes;
  const table = RouteTable.indexed(
    RouteTable.index(new Map([["some", [{ method: "GET", path: "/known" }]]])),
    async () => [first!],
  );
  await expect(table.routeOf(table.find("GET", "/known")!)).rejects.toThrow("stands in no index");
});

test("one way in cannot be declared twice", () => {
  const [first] = routes;
  expect(() => RouteTable.of([first!, first!])).toThrow("declared twice");
});
