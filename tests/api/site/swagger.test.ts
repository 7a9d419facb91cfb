import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Route } from "../../../src/http/route.ts";
import { allRoutes } from "../../../src/routes.ts";
import type { OpenApiDocument } from "../../../src/site/swagger/document.ts";
import type { Schema } from "../../../src/site/swagger/schemas.ts";
import { asSwagger2, settled } from "../../../src/site/swagger/schemas.ts";
import { aServer, aSession, aUser, call, type TestServer } from "../../builders.ts";

interface Swagger2 {
  readonly swagger: string;
  readonly basePath: string;
  readonly paths: Record<string, Record<string, Operation2>>;
  readonly definitions: Record<string, Schema>;
}
interface Operation2 {
  readonly operationId: string;
  readonly parameters: readonly Schema[];
  readonly responses: Record<string, { description: string; schema?: Schema }>;
}

let server: TestServer;
let openapi: OpenApiDocument;
let swagger: Swagger2;
let all: Route[];

beforeAll(async () => {
  server = await aServer();
  all = await allRoutes(server.services);
  openapi = (await call<OpenApiDocument>(server, "GET", "/openapi3.v1.json")).body;
  swagger = (await call<Swagger2>(server, "GET", "/swagger.v1.json")).body;
});
afterAll(() => server.close());

const routes = () => all.filter((route) => route.doc);
const documented = (path: string) =>
  path
    .replace("/api/v1", "")
    .replace(/:([A-Za-z_-]+)/g, "{$1}")
    .replace("*", "{path}");

test("every route of the API stands in both documents, wildcards too", () => {
  for (const route of routes()) {
    const path = documented(route.path);
    const method = route.method.toLowerCase();
    expect([path, openapi.paths[path]?.[method]?.operationId]).toEqual([path, route.doc?.id]);
    expect([path, swagger.paths[path]?.[method]?.operationId]).toEqual([path, route.doc?.id]);
  }
  // What OpenID Connect asks has a document of its own.
  const undocumented = all.filter(({ doc, path, surface }) => surface === "api" && !doc && path.startsWith("/api/"));
  expect(undocumented.map((route) => route.path)).toEqual([]);
});

test("operations have names of their own, known tags, and a summary", () => {
  const ids = routes().map((route) => route.doc?.id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  for (const tag of openapi.tags) expect([tag.name, tag.description]).not.toEqual([tag.name, tag.name]);
  for (const route of routes()) expect([route.path, route.doc?.summary.length]).not.toEqual([route.path, 0]);
});

test("every parameter is described, and those of the path are the path's", () => {
  for (const [path, operations] of Object.entries(openapi.paths)) {
    const wanted = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? "");
    for (const [method, operation] of Object.entries(operations)) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === "path");
      expect([method, path, inPath.map((parameter) => parameter.name)]).toEqual([method, path, wanted]);
      // A description that repeats the name says nothing.
      for (const { name, description } of operation.parameters)
        expect([path, name, description !== "" && description !== name]).toEqual([path, name, true]);
    }
  }
});

test("every field of every body and answer is described", () => {
  const nameless: string[] = [];
  const look = (where: string, schema: Schema) => {
    if (typeof schema["$ref"] === "string") return;
    if (typeof schema["description"] !== "string" || schema["description"] === "") nameless.push(where);
    inner(where, schema);
  };
  const inner = (where: string, schema: Schema) => {
    for (const [name, property] of Object.entries((schema["properties"] ?? {}) as Record<string, Schema>))
      look(`${where}.${name}`, property);
    const items = schema["items"] as Schema | undefined;
    if (items?.["type"] === "object") inner(`${where}[]`, items);
  };
  for (const [name, schema] of Object.entries(openapi.components.schemas)) look(name, schema);
  for (const [path, operations] of Object.entries(openapi.paths))
    for (const operation of Object.values(operations))
      for (const [status, { description, content }] of Object.entries(operation.responses)) {
        expect([path, status, description]).not.toEqual([path, status, ""]);
        for (const { schema } of Object.values(content ?? {})) inner(`${operation.operationId} ${status}`, schema);
      }
  expect(nameless).toEqual([]);
});

/** Everything under `value` that is an object. */
function* objects(value: unknown): Generator<Schema> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield value as Schema;
  for (const inner of Object.values(value)) yield* objects(inner);
}

test("both documents use only their own words, and every reference leads somewhere", () => {
  const foreign3 = ["const", "patternProperties", "$id", "field", "rule", "x-nullable"];
  const foreign2 = ["const", "patternProperties", "$id", "field", "rule", "nullable", "anyOf", "oneOf", "content"];
  for (const [document, foreign, prefix, named] of [
    [openapi, foreign3, "#/components/schemas/", openapi.components.schemas],
    [swagger, foreign2, "#/definitions/", swagger.definitions],
  ] as const) {
    for (const part of objects(document)) {
      const isNames = Object.values(part).every((value) => typeof value === "object");
      if (!isNames) expect(Object.keys(part).filter((key) => foreign.includes(key))).toEqual([]);
      if (typeof part["$ref"] === "string") {
        expect(part["$ref"]).toStartWith(prefix);
        expect(Object.keys(named)).toContain(part["$ref"].slice(prefix.length));
      }
      if (part["type"] === "array") expect(part["items"]).toBeDefined();
      expect(part["type"]).not.toBe("null");
    }
  }
  expect([openapi.openapi, swagger.swagger, swagger.basePath]).toEqual(["3.0.3", "2.0", "/api/v1"]);
  for (const operations of Object.values(swagger.paths))
    for (const operation of Object.values(operations)) {
      expect(operation.parameters.filter((parameter) => parameter["in"] === "body").length).toBeLessThanOrEqual(1);
      for (const parameter of operation.parameters)
        if (parameter["in"] !== "body") expect(parameter["type"]).toBeString();
      expect(Object.keys(operation.responses).length).toBeGreaterThan(0);
    }
});

test("schemas are put into each form's words", () => {
  const named = new Map<string, Schema>();
  const schema: Schema = {
    $id: "Thing",
    type: "object",
    properties: {
      kind: {
        anyOf: [
          { const: "a", type: "string" },
          { const: "b", type: "string" },
        ],
        description: "k",
      },
      maybe: { anyOf: [{ type: "string" }, { type: "null" }], description: "m" },
      other: { anyOf: [{ $id: "Other", type: "object" }, { type: "null" }] },
      sizes: { type: "object", patternProperties: { "^.*$": { type: "integer" } } },
    },
  };
  expect(settled(schema, named)).toEqual({ $ref: "#/components/schemas/Thing" });
  expect(named.get("Thing")).toEqual({
    type: "object",
    properties: {
      kind: { type: "string", enum: ["a", "b"], description: "k" },
      maybe: { type: "string", nullable: true, description: "m" },
      other: { nullable: true, allOf: [{ $ref: "#/components/schemas/Other" }] },
      sizes: { type: "object", additionalProperties: { type: "integer" } },
    },
  });
  expect(asSwagger2(named.get("Thing") ?? {})).toMatchObject({
    properties: { maybe: { "x-nullable": true }, other: { allOf: [{ $ref: "#/definitions/Other" }] } },
  });
  expect(() => settled({ $id: "Thing", type: "string" }, named)).toThrow("two different schemas are called Thing");
});

test("the page brings its own script and style, and nothing inline", async () => {
  const page = await call(server, "GET", "/api/swagger");
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers.get("content-security-policy")).toContain("script-src 'self'");
  expect(page.text).not.toMatch(/<script>|<style|https?:\/\/|onload=/);
  for (const [, file] of page.text.matchAll(/(?:src|href)="(swagger\/[^"]+)"/g)) {
    const asset = await call(server, "GET", `/api/${file}`);
    expect([file, asset.status]).toEqual([file, 200]);
    expect(asset.headers.get("content-type")).toMatch(/^text\/(javascript|css); charset=utf-8$/);
    expect(asset.text.length).toBeGreaterThan(100);
  }
  expect((await call(server, "GET", "/api/swagger/..%2fpackage.json")).status).toBe(404);
});

test("the old address of the page leads to it, and so does the footer of every page", async () => {
  const old = await call(server, "GET", "/api/v1/swagger");
  expect([old.status, old.headers.get("location")]).toEqual([303, "/api/swagger"]);
  const { user } = await aUser(server);
  for (const credentials of [{}, { cookie: await aSession(server, user) }]) {
    const { text } = await call(server, "GET", "/", { headers: { accept: "text/html" }, ...credentials });
    const footer = /<footer[\s\S]*<\/footer>/.exec(text)?.[0] ?? "";
    expect(footer).toContain('href="/api/swagger"');
  }
});

test("it can be switched off", async () => {
  await using quiet = await aServer({ "api.swagger": false });
  const home = await call(quiet, "GET", "/", { headers: { accept: "text/html" } });
  expect(home.text).not.toContain("/api/swagger");
  for (const path of ["/api/swagger", "/api/v1/swagger", "/swagger.v1.json", "/openapi3.v1.json", "/api/swagger/ui.js"])
    expect([path, (await call(quiet, "GET", path)).status]).toEqual([path, 404]);
});
