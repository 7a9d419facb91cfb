import { type TSchema, Type } from "@sinclair/typebox";
import { badTime, ValidationFailed } from "../kernel/errors.ts";
import { type PageSizes, type Paging, paging } from "../kernel/paging.ts";
import { readFields, SMALL_BODY_BYTES } from "./body.ts";
import type { Call, ParameterDoc } from "./route.ts";

/**
 * What a route of the API takes in its query: each parameter is named once, with its meaning, its type and how it is
 * read, and the API document follows. Clients of Gitea write them loosely (contract identity.md 1.1): what is no number
 * or no truth value counts as absent; what is refused says so.
 */
export interface Parameter<T> {
  readonly description: string;
  readonly schema: TSchema;
  /**
   * @param given the first value of that name; empty when absent
   * @param all of them, in their order
   * @throws ValidationFailed, BadRequest
   */
  read(given: string, name: string, all: readonly string[]): T;
}

/** Empty when absent. */
export function textParam(description: string): Parameter<string> {
  return { description, schema: Type.String(), read: (given) => given };
}

/** Words to look for: blanks around them say nothing. */
export function searchParam(description: string): Parameter<string> {
  return { description, schema: Type.String(), read: (given) => given.trim() };
}

/** A parameter that may be given several times. */
export function textsParam(description: string): Parameter<readonly string[]> {
  return { description, schema: Type.Array(Type.String()), read: (_first, _name, all) => all };
}

export function numberParam(description: string): Parameter<number | undefined> {
  return {
    description,
    schema: Type.Integer(),
    read: (given) => (/^-?\d{1,15}$/.test(given) ? Number(given) : undefined),
  };
}

export function flagParam(description: string): Parameter<boolean | undefined>;
export function flagParam(description: string, whenAbsent: boolean): Parameter<boolean>;
export function flagParam(description: string, whenAbsent?: boolean): Parameter<boolean | undefined> {
  return {
    description,
    schema: Type.Boolean(whenAbsent === undefined ? {} : { default: whenAbsent }),
    read: (given) => (given === "" ? whenAbsent : /^(1|t|true|on)$/i.test(given)),
  };
}

/**
 * One of some words; undefined when absent.
 * @param what the API calls it in its refusal: `sort mode`
 */
export function choiceParam<T extends string>(
  description: string,
  choices: readonly T[],
  what: string,
): Parameter<T | undefined> {
  return {
    description,
    schema: Type.String({ enum: [...choices] }),
    read: (given, name) => {
      if (given === "") return undefined;
      const found = choices.find((choice) => choice === given);
      if (found !== undefined) return found;
      const params = { what, given: JSON.stringify(given) };
      throw new ValidationFailed("list.bad-parameter", { field: name, params });
    },
  };
}

/** A time as RFC 3339, in milliseconds; undefined when absent. */
export function timeParam(description: string): Parameter<number | undefined> {
  return {
    description,
    schema: Type.String({ format: "date-time" }),
    read: (given, name) => {
      if (given === "") return undefined;
      const time = RFC_3339.test(given) ? Date.parse(given) : Number.NaN;
      if (!Number.isFinite(time)) throw badTime(name, given);
      return time;
    },
  };
}

const RFC_3339 = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;

export type Parameters = Readonly<Record<string, Parameter<unknown>>>;
export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer T> ? T : never;
};

/** The values of parameters in a request. @throws ValidationFailed, BadRequest */
export function readQuery<P extends Parameters>(parameters: P, { query }: Pick<Call, "query">): ValuesOf<P> {
  const values = Object.entries(parameters).map(([name, { read }]) => [
    name,
    read(query.get(name) ?? "", name, query.getAll(name)),
  ]);
  // Each value is what the parameter of its name reads.
  return Object.fromEntries(values) as ValuesOf<P>;
}

/** Parameters as the API document has them. */
export function queryDocs(parameters: Parameters): ParameterDoc[] {
  return Object.entries(parameters).map(([name, { description, schema }]) => ({ name, description, schema }));
}

/** The query of a route, documented, and a handler that gets it typed. */
export interface TakesQuery {
  readonly query: readonly ParameterDoc[];
  handle(call: Call): Response | Promise<Response>;
}

/** Names the query of a route once: `{ method, path, …, ...asks({ ref: textParam("…") }, (call, { ref }) => …) }`. */
export function asks<P extends Parameters>(
  parameters: P,
  handle: (call: Call, values: ValuesOf<P>) => Response | Promise<Response>,
): TakesQuery {
  return { query: queryDocs(parameters), handle: (call) => handle(call, readQuery(parameters, call)) };
}

/**
 * The same where clients may also send the parameters as a form (contract issues.md 20.1); what stands in the address
 * comes first.
 */
export function asksInForm<P extends Parameters>(
  parameters: P,
  handle: (call: Call, values: ValuesOf<P>) => Response | Promise<Response>,
): TakesQuery {
  return {
    query: queryDocs(parameters),
    handle: async (call) => handle(call, readQuery(parameters, { query: await withForm(call) })),
  };
}

async function withForm(call: Call): Promise<URLSearchParams> {
  const query = new URLSearchParams(call.query);
  const type = call.request.headers.get("content-type") ?? "";
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(type)) return query;
  const { fields, fromForm } = await readFields(call, SMALL_BODY_BYTES);
  for (const [name, given] of fromForm ? Object.entries(fields) : [])
    for (const value of Array.isArray(given) ? given : [given])
      if (typeof value === "string") query.append(name, value);
  return query;
}

/** What the handler of a list is given. */
export interface ListCall extends Call {
  readonly paging: Paging;
}

export interface ListOptions {
  /** Of a list whose pages are not as large as everywhere. */
  readonly sizes?: PageSizes;
  /** What the parameter of the page's size is called; `limit` unless said otherwise. */
  readonly sizeName?: string;
}

/** The same for a list that comes in pages: which page is asked for, and how large, is read beside its own parameters. */
export function lists<P extends Parameters>(
  parameters: P,
  handle: (call: ListCall, values: ValuesOf<P>) => Response | Promise<Response>,
  { sizes, sizeName = "limit" }: ListOptions = {},
): TakesQuery {
  const size = sizes === undefined ? "limited by the server's maximum" : `at most ${sizes.largest}`;
  return {
    query: [
      ...queryDocs(parameters),
      { name: "page", description: "Page number, starting at 1.", schema: Type.Integer({ minimum: 1 }) },
      { name: sizeName, description: `Page size; ${size}.`, schema: Type.Integer() },
    ],
    handle: (call) => {
      const slice = paging(call.query.get("page"), call.query.get(sizeName), sizes ?? call.pageSizes);
      return handle({ ...call, paging: slice }, readQuery(parameters, call));
    },
  };
}
