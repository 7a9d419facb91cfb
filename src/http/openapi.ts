import type { TSchema } from "@sinclair/typebox";
import type { Route, RouteDoc } from "./route.ts";
import type { SubjectAccess } from "./subject.ts";

/**
 * The API document's entry for a route, built from its declaration: parameters, body, responses and who may call it.
 */
export function openApiOf(route: Route) {
  const doc = route.doc;
  if (!doc) throw new Error(`${route.path} has no documentation`);
  const names = [...route.path.matchAll(/:([A-Za-z_-]+)|(\*)/g)].map((match) => match[1] ?? "path");
  return {
    operationId: doc.id,
    tags: [doc.tag],
    summary: doc.summary,
    description: accessText(route),
    parameters: [
      ...names.map((name) => ({
        name,
        in: "path" as const,
        required: true,
        description: doc.params?.[name] ?? standardParams[name] ?? name,
        schema: { type: "string" as const },
      })),
      ...(route.query ?? []).map((query) => ({
        name: query.name,
        in: "query" as const,
        required: false,
        description: query.description,
        schema: plainSchema(query.schema),
      })),
    ],
    ...bodyOf(route, doc),
    responses: Object.fromEntries([
      ...commonAnswers(route).filter(([status]) => !(status in doc.answers)),
      ...Object.entries(doc.answers).map(([status, answer]) => [
        status,
        {
          description: answer.description,
          ...(answer.schema
            ? { content: { [answer.mediaType ?? "application/json"]: { schema: plainSchema(answer.schema) } } }
            : {}),
        },
      ]),
    ]),
  };
}

function bodyOf(route: Route, doc: RouteDoc) {
  const { textBody } = doc;
  const { body } = route;
  const schema = textBody ? { type: "string" as const, description: textBody } : body && plainSchema(body);
  if (!schema) return {};
  const content: Record<string, { schema: typeof schema }> = {
    [textBody ? "text/plain" : "application/json"]: { schema },
  };
  return { requestBody: { required: textBody !== undefined || (body?.required ?? []).length > 0, content } };
}

/** Descriptions of parameters that mean the same everywhere. */
const standardParams: Readonly<Record<string, string>> = {
  owner: "Name of the account that owns the repository.",
  org: "Name of the organization.",
  repo: "Name of the repository.",
  username: "Name of the account.",
  path: "Path inside the repository.",
};

/** A human-readable description of what a route requires of its subject. */
function subjectText(subject: SubjectAccess): string {
  const { level, standing, unit, state } = subject as {
    readonly level?: string;
    readonly standing?: string;
    readonly unit?: string;
    readonly state?: string;
  };
  const thing = subject.kind.replaceAll("-", " ");
  if (standing !== undefined) return standing === "none" ? "" : ` Requires the role ${standing} in the ${thing}.`;
  if (level === undefined) return ` Limited to the ${thing}.`;
  const place = unit === undefined ? `the ${thing}` : `the ${unit} of the ${thing}`;
  const open =
    state === "unarchived" ? ", which must not be archived" : ", which must be neither archived nor a mirror";
  return ` Requires ${level} access to ${place}${state === undefined ? "" : open}.`;
}

function accessText(route: Route): string {
  const { access } = route;
  const who = {
    anyone: "Open to everyone who may see it.",
    user: "Requires sign-in.",
    admin: "Site administrators only.",
  }[access.who];
  const subject = access.subject ? subjectText(access.subject) : "";
  const scopes =
    access.scopes.length > 0
      ? ` Token scope: ${access.scopes.map((scope) => `${route.method === "GET" ? "read" : "write"}:${scope}`).join(", ")}.`
      : "";
  return who + subject + scopes;
}

/** Error responses common to all routes with that access and body, in addition to those it documents itself. */
function commonAnswers({ access, body, doc, method }: Route): [status: string, answer: { description: string }][] {
  const answers: [string, { description: string }][] = [];
  if (access.who !== "anyone") answers.push(["401", { description: "The caller is not signed in." }]);
  if (access.who === "admin" || access.scopes.length > 0 || (access.subject && method !== "GET"))
    answers.push(["403", { description: "The caller may not do this, or the token lacks the scope." }]);
  if (access.subject) answers.push(["404", { description: "It does not exist, or the caller may not see it." }]);
  if (body || doc?.textBody) {
    answers.push(["413", { description: "The body is too large." }]);
    answers.push(["422", { description: "A value is invalid." }]);
  }
  if (access.subject && "state" in access.subject && access.subject.state)
    answers.push(["423", { description: "The repository is archived." }]);
  return answers;
}

/** A TypeBox schema as JSON, without its symbols and our own rules. */
function plainSchema(schema: TSchema): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === "field" || key === "rule" ? undefined : value)),
  ) as Record<string, unknown>;
}
