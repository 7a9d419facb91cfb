import { type TSchema, Type } from "@sinclair/typebox";
import { badTime, ValidationFailed } from "../kernel/errors.ts";
import { type PageSizes, type Paging, paging } from "../kernel/paging.ts";
import { readFields, SMALL_BODY_BYTES } from "./body.ts";
import type { Call, ParameterDoc } from "./route.ts";

/**
 * The query parameters of an API route: each is declared once, with its meaning, type and parser, and the API document
 * is generated from that. Gitea clients write them loosely (contract identity.md 1.1): an invalid number or boolean
 * counts as absent; parameters that reject values say so.
 */
export interface Parameter<T> {
  readonly description: string;
  readonly schema: TSchema;
  /**
   * @param given the first value of that name; empty when absent
   * @param all all values, in order
   * @throws ValidationFailed, BadRequest
   */
  read(given: string, name: string, all: readonly string[]): T;
}

/** Empty when absent. */
export function textParam(description: string): Parameter<string> {
  return { description, schema: Type.String(), read: (given) => given };
}

/** A search query, trimmed. */
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
 * One of a set of words; undefined when absent.
 * @param what the API's name for it in errors: `sort mode`
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

/** An RFC 3339 time, in milliseconds; undefined when absent. */
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

/** The values of a request's parameters. @throws ValidationFailed, BadRequest */
export function readQuery<P extends Parameters>(parameters: P, { query }: Pick<Call, "query">): ValuesOf<P> {
  const values = Object.entries(parameters).map(([name, { read }]) => [
    name,
    read(query.get(name) ?? "", name, query.getAll(name)),
  ]);
  // Each value comes from the parameter of that name.
  return Object.fromEntries(values) as ValuesOf<P>;
}

/** Parameters in the form the API document uses. */
export function queryDocs(parameters: Parameters): ParameterDoc[] {
  return Object.entries(parameters).map(([name, { description, schema }]) => ({ name, description, schema }));
}

/** A route's documented query, and a handler that gets it typed. */
export interface TakesQuery {
  readonly query: readonly ParameterDoc[];
  handle(call: Call): Response | Promise<Response>;
}

/** Declares a route's query once: `{ method, path, …, ...asks({ ref: textParam("…") }, (call, { ref }) => …) }`. */
export function asks<P extends Parameters>(
  parameters: P,
  handle: (call: Call, values: ValuesOf<P>) => Response | Promise<Response>,
): TakesQuery {
  return { query: queryDocs(parameters), handle: (call) => handle(call, readQuery(parameters, call)) };
}

/**
 * Like `asks`, but clients may also send the parameters as a form (contract issues.md 20.1); the query string takes
 * precedence.
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

/** What the handler of a list gets. */
export interface ListCall extends Call {
  readonly paging: Paging;
}

export interface ListOptions {
  /** For lists with their own page sizes. */
  readonly sizes?: PageSizes;
  /** The name of the page size parameter; `limit` by default. */
  readonly sizeName?: string;
}

/** Like `asks`, for a paginated list: reads the page number and size in addition to its own parameters. */
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
