import { openApiOf } from "../../http/openapi.ts";
import type { Route } from "../../http/route.ts";
import { API_VERSION } from "../../version.ts";
import { type Schema, settled } from "./schemas.ts";
import { inSlices } from "./slices.ts";

/** The parts of an OpenAPI 3.0 document that we use. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly securitySchemes: Readonly<Record<string, Schema>>;
  };
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export const API_PREFIX = "/api/v1";

const tagDescriptions: Readonly<Record<string, string>> = {
  activitypub: "Actors of this site as other servers see them.",
  admin: "Administration of the whole site.",
  issue: "Issues and everything that belongs to them.",
  miscellaneous: "The server itself, templates and rendering.",
  notification: "Notification threads of the authenticated user.",
  organization: "Organizations and their teams.",
  package: "Packages.",
  repository: "Repositories and their content.",
  settings: "Site settings that clients need to know.",
  user: "Accounts and everything that belongs to them.",
};

/** Ways to authenticate, by their OpenAPI names. */
const securitySchemes: Readonly<Record<string, Schema>> = {
  AuthorizationHeaderToken: {
    type: "apiKey",
    in: "header",
    name: "Authorization",
    description: 'An access token after the word "token" and a space.',
  },
  BasicAuth: {
    type: "http",
    scheme: "basic",
    description: "Name and password, or an access token in place of either.",
  },
  Token: {
    type: "apiKey",
    in: "query",
    name: "token",
    description: "An access token in the address. Addresses end up in logs: prefer the header.",
  },
};

/**
 * The API document of these routes in OpenAPI 3.0. @elysiajs/swagger collects the routes; `finish` corrects what it
 * omits or cannot express (wildcards, named schemas).
 */
export async function openApiDocument(routes: readonly Route[], rootUrl: string): Promise<OpenApiDocument> {
  const documented = routes.filter((route) => route.doc && route.path.startsWith(API_PREFIX));
  return finish(await collected(documented.filter((route) => !route.path.includes("*"))), documented, rootUrl);
}

export const apiUrl = (rootUrl: string): string => `${rootUrl.replace(/\/$/, "")}${API_PREFIX}`;

type Paths = Record<string, Record<string, Operation>>;

/** The plugin's output for the routes. It inspects an app's routes, so it gets an app of declarations only. */
async function collected(routes: readonly Route[]): Promise<Paths> {
  const [{ Elysia }, { swagger }] = await Promise.all([import("elysia"), import("@elysiajs/swagger")]);
  const found: Paths = {};
  for await (const slice of inSlices(routes)) {
    const app = new Elysia().use(swagger({ path: "/document", excludeStaticFile: false }));
    for (const route of slice)
      app.route(route.method, route.path, () => "", { config: {}, parse: "none", detail: openApiOf(route) });
    const answer = await app.handle(new Request("http://localhost/document/json"));
    const { paths } = (await answer.json()) as { paths: Paths };
    for (const [path, operations] of Object.entries(paths)) found[path] = { ...found[path], ...operations };
  }
  return found;
}

async function finish(found: Paths, documented: readonly Route[], rootUrl: string): Promise<OpenApiDocument> {
  const named = new Map<string, Schema>();
  const paths: Record<string, Record<string, Operation>> = {};
  for await (const slice of inSlices(documented))
    for (const route of slice) {
      const path = route.path.replace(/:([A-Za-z_-]+)/g, "{$1}").replace("*", "{path}");
      const method = route.method.toLowerCase();
      const operation = found[path]?.[method] ?? (openApiOf(route) as Operation);
      const below = path.slice(API_PREFIX.length);
      paths[below] = { ...paths[below], [method]: withNamedSchemas(operation, named) };
    }
  const used = [...new Set(documented.flatMap((route) => (route.doc ? [route.doc.tag] : [])))].sort();
  return {
    openapi: "3.0.3",
    info: {
      title: "Hearth API",
      version: API_VERSION,
      description: "The API of this Hearth server, in the dialect of Gitea and Forgejo.",
    },
    servers: [{ url: apiUrl(rootUrl), description: "This server." }],
    tags: used.map((name) => ({ name, description: tagDescriptions[name] ?? name })),
    paths: sorted(paths),
    components: { schemas: sorted(Object.fromEntries(named)), securitySchemes },
    security: [{ AuthorizationHeaderToken: [] }, { BasicAuth: [] }, { Token: [] }, {}],
  };
}

function withNamedSchemas(operation: Operation, named: Map<string, Schema>): Operation {
  const content = (given: Content): Content =>
    Object.fromEntries(Object.entries(given).map(([type, { schema }]) => [type, { schema: settled(schema, named) }]));
  const { requestBody } = operation;
  return {
    ...operation,
    parameters: operation.parameters.map((parameter) => ({
      ...parameter,
      schema: settled(parameter.schema, named),
    })),
    ...(requestBody ? { requestBody: { ...requestBody, content: content(requestBody.content) } } : {}),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, answer]) => [
        status,
        { ...answer, ...(answer.content ? { content: content(answer.content) } : {}) },
      ]),
    ),
  };
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
