import { API_PREFIX, type Content, type OpenApiDocument, type Operation } from "./document.ts";
import { asSwagger2, type Schema } from "./schemas.ts";
import { inSlices } from "./slices.ts";

/** The document in Swagger 2.0, from which clients of Gitea are generated. */
export async function swagger2Document(document: OpenApiDocument, rootUrl: string): Promise<Schema> {
  const paths: Record<string, Record<string, Schema>> = {};
  for await (const slice of inSlices(Object.entries(document.paths)))
    for (const [path, operations] of slice) paths[path] = mapped(operations, operation2);
  return {
    swagger: "2.0",
    info: document.info,
    ...placeOfApi(rootUrl),
    consumes: ["application/json"],
    produces: ["application/json"],
    tags: document.tags,
    paths,
    definitions: mapped(document.components.schemas, asSwagger2),
    securityDefinitions: mapped(document.components.securitySchemes, (scheme) =>
      scheme["type"] === "http" ? { type: "basic", description: scheme["description"] } : scheme,
    ),
    security: document.security,
  };
}

/** The location of the API on a server at that address, in the document's form. */
export function placeOfApi(rootUrl: string) {
  const root = new URL(rootUrl);
  return {
    host: root.host,
    schemes: [root.protocol.replace(":", "")],
    basePath: `${root.pathname.replace(/\/$/, "")}${API_PREFIX}`,
  };
}

function operation2(operation: Operation): Schema {
  const { requestBody, responses, parameters, ...rest } = operation;
  const produces = [...new Set(Object.values(responses).flatMap((answer) => Object.keys(answer.content ?? {})))];
  return {
    ...rest,
    ...(requestBody ? { consumes: Object.keys(requestBody.content) } : {}),
    ...(produces.length > 0 ? { produces } : {}),
    parameters: [
      ...parameters.map(({ schema, ...parameter }) => ({ ...parameter, ...asSwagger2(schema) })),
      ...(requestBody ? [bodyParameter(requestBody)] : []),
    ],
    responses: mapped(responses, ({ description, content }) => {
      const schema = firstSchema(content);
      return schema ? { description, schema: asSwagger2(schema) } : { description };
    }),
  };
}

function bodyParameter(body: NonNullable<Operation["requestBody"]>): Schema {
  const schema = firstSchema(body.content) ?? {};
  const description = typeof schema["description"] === "string" ? schema["description"] : "The body of the request.";
  return { name: "body", in: "body", required: body.required ?? false, description, schema: asSwagger2(schema) };
}

function firstSchema(content: Content | undefined): Schema | undefined {
  return Object.values(content ?? {})[0]?.schema;
}

function mapped<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
