import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { isNewRefName } from "../git/refs/names.ts";
import { Failure, TooLarge, ValidationFailed } from "../kernel/errors.ts";
import { isHttpUrl } from "../kernel/web-address.ts";
import { readMultipart } from "./multipart.ts";

/**
 * Reads and checks request bodies. Elysia's own parsers are off: they read forms out of anything, guess types
 * and repeat submitted values in their errors (dependencies.md 17d).
 */

/** The bytes of a body, unzipped where it is gzipped. @throws ValidationFailed another encoding */
export function bodyOf(request: Request): ReadableStream<Uint8Array> {
  const stream: ReadableStream<Uint8Array> = request.body ?? new Blob([]).stream();
  const encoding = request.headers.get("content-encoding")?.toLowerCase() ?? "identity";
  if (encoding === "gzip" || encoding === "x-gzip")
    return stream.pipeThrough(new DecompressionStream("gzip") as TransformStream<Uint8Array, Uint8Array>);
  if (encoding !== "identity") throw new ValidationFailed(`[]: Unsupported Content-Encoding ${encoding}`);
  return stream;
}

function limited(stream: ReadableStream<Uint8Array>, limitBytes: number): ReadableStream<Uint8Array> {
  let size = 0;
  return stream.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > limitBytes) throw new TooLarge(`the body is larger than ${limitBytes} bytes`);
        controller.enqueue(chunk);
      },
    }),
  );
}

/** Reads a body of at most `limitBytes`, also when it is gzipped. @throws TooLarge; ValidationFailed */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array> {
  const declared = Number(request.headers.get("content-length") ?? "0");
  if (declared > limitBytes) throw new TooLarge(`the body is larger than ${limitBytes} bytes`);
  if (!request.body) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of bodyOf(request)) {
      size += chunk.byteLength;
      if (size > limitBytes) throw new TooLarge(`the body is larger than ${limitBytes} bytes`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new ValidationFailed("[]: the body could not be read");
  }
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}

export type Fields = Record<string, unknown>;

/**
 * The members of a JSON object or form. An empty body is an empty object.
 * Form values are texts; `checked` turns them into what the schema wants.
 * @throws ValidationFailed `[]: …` for anything that is neither
 */
export async function readFields(request: Request, limitBytes: number): Promise<{ fields: Fields; fromForm: boolean }> {
  const contentType = request.headers.get("content-type") ?? "";
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data" && request.body)
    return { fields: await multipartFields(request, contentType, limitBytes), fromForm: true };
  const bytes = await readBody(request, limitBytes);
  if (bytes.byteLength === 0) return { fields: {}, fromForm: false };
  const text = decodeText(bytes);
  // curl -d without a content type says "form" and sends JSON.
  const looksLikeJson = /^\s*[{[]/.test(text);
  if (type === "application/x-www-form-urlencoded" && !looksLikeJson)
    return { fields: formFields(new URLSearchParams(text)), fromForm: true };
  if (type === "") throw new ValidationFailed("[]: Empty Content-Type");
  if (!/json$/.test(type) && type !== "application/x-www-form-urlencoded")
    throw new ValidationFailed("[]: Unsupported Content-Type");
  return { fields: parseObject(text), fromForm: false };
}

/** @throws ValidationFailed not UTF-8: nothing is stored that was not sent */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ValidationFailed("[]: the body is not UTF-8");
  }
}

/** In JSON that `stringify` made, which escapes surrogates only when they stand alone. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i;

function parseObject(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ValidationFailed("[]: the body is not valid JSON");
  }
  // Half a surrogate pair is no character: neither git nor the database can keep it.
  if (/\\ud[89a-f]/i.test(text) && LONE_SURROGATE.test(JSON.stringify(value)))
    throw new ValidationFailed("[]: the body is not valid Unicode");
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value))
    throw new ValidationFailed("[]: the body must be a JSON object");
  // A null prototype, so that `__proto__` is a key like any other (security rule F13).
  return Object.assign(Object.create(null) as Fields, value);
}

function formFields(params: Iterable<readonly [string, string]>): Fields {
  const fields = Object.create(null) as Fields;
  for (const [key, value] of params) {
    const before = fields[key];
    if (before === undefined) fields[key] = value;
    else fields[key] = Array.isArray(before) ? [...before, value] : [before, value];
  }
  return fields;
}

/** The fields of a form that may also hold files; those are read past. */
async function multipartFields(request: Request, contentType: string, limitBytes: number): Promise<Fields> {
  const limits = { maxFiles: 20, maxFileBytes: limitBytes, maxFieldBytes: limitBytes };
  const nothing = { [Symbol.dispose]: () => {} };
  using form = await readMultipart(limited(bodyOf(request), limitBytes), contentType, limits, async ({ bytes }) => {
    for await (const _ of bytes);
    return nothing;
  });
  return formFields(form.fields);
}

/**
 * Checks the members against a schema in the order it declares them, and answers those it knows; null means absent.
 * A property may carry `field` (the name errors use, by default the key in CamelCase) and `rule` (`GitRefName`, …) to check its text.
 * @throws ValidationFailed `[Field]: Required | MaxSize | In | …`, or `[]: …` for a wrong type
 */
export function checked<T extends TObject>(schema: T, given: { fields: Fields; fromForm: boolean }): Static<T> {
  const result: Fields = Object.create(null) as Fields;
  const required = new Set(schema.required ?? []);
  for (const [key, property] of Object.entries<TSchema>(schema.properties)) {
    const raw = given.fields[key] ?? undefined;
    const field = typeof property["field"] === "string" ? property["field"] : camelCase(key);
    if (raw === undefined) {
      if (required.has(key)) throw new ValidationFailed(`[${field}]: Required`, key);
      continue;
    }
    const value = given.fromForm ? fromText(property, raw) : raw;
    checkValue(property, value, key, field, required.has(key));
    result[key] = value;
  }
  return result as Static<T>;
}

export async function readChecked<T extends TObject>(
  schema: T,
  request: Request,
  limitBytes: number,
): Promise<Static<T>> {
  return checked(schema, await readFields(request, limitBytes));
}

function checkValue(property: TSchema, value: unknown, key: string, field: string, required: boolean): void {
  const size = typeof value === "string" ? [...value].length : 0;
  if (property["type"] === "string" && typeof value === "string") {
    if (required && value === "" && property["minLength"] !== 0)
      throw new ValidationFailed(`[${field}]: Required`, key);
    if (typeof property["maxLength"] === "number" && size > property["maxLength"])
      throw new ValidationFailed(`[${field}]: MaxSize`, key);
    if (typeof property["minLength"] === "number" && size < property["minLength"])
      throw new ValidationFailed(`[${field}]: MinSize`, key);
    const rule = textRules[String(property["rule"])];
    if (rule && value !== "" && !rule(value)) throw new ValidationFailed(`[${field}]: ${property["rule"]}`, key);
    return;
  }
  if (Value.Check(property, value)) return;
  if (typeof value === "string" && Array.isArray(property["anyOf"])) throw new ValidationFailed(`[${field}]: In`, key);
  throw new ValidationFailed(`[]: ${key} must be ${typeName(property)}`, key);
}

/** Rules a schema's text may name with `rule`. */
const textRules: Record<string, (text: string) => boolean> = {
  Email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  Url: isHttpUrl,
  GitRefName: isNewRefName,
};

function fromText(property: TSchema, raw: unknown): unknown {
  if (Array.isArray(raw)) return property["type"] === "array" ? raw : fromText(property, raw.at(-1));
  if (typeof raw !== "string") return raw;
  switch (property["type"]) {
    case "boolean":
      return /^(1|t|true|on)$/i.test(raw);
    case "integer":
    case "number":
      return raw.trim() === "" ? undefined : Number(raw);
    case "array":
      return [raw];
    default:
      return raw;
  }
}

function typeName(property: TSchema): string {
  if (property["type"] === "array") return "a list";
  if (property["type"] === "object") return "an object";
  if (property["type"] === "integer") return "a whole number";
  if (property["type"] === "boolean") return "true or false";
  return property["type"] === "string" ? "a text" : "of another type";
}

function camelCase(key: string): string {
  return key
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
