import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Value, ValueErrorType } from "@sinclair/typebox/value";
import { isNewRefName } from "../git/refs/names.ts";
import { BodyTooLarge, BodyUndecodable, inflatedBody } from "../git/transport/body.ts";
import { type BodyDigest, bodyDigests, DigestCheck } from "../kernel/body-digest.ts";
import { Failure, TooLarge, ValidationFailed } from "../kernel/errors.ts";
import { isAccountName } from "../kernel/names.ts";
import { isHttpUrl } from "../kernel/web-address.ts";
import type { BodyShare } from "./body-memory.ts";
import { type ParsedJson, parseJson } from "./json.ts";
import { inSpellingOf } from "./member-names.ts";
import { readMultipart } from "./multipart.ts";

/**
 * Reads and checks request bodies. Elysia's own parsers are off: they read forms out of anything, guess types
 * and repeat submitted values in their errors (dependencies.md 17d).
 */

/** A request whose body may be read: a `Call` is one. */
export interface BodySource {
  readonly request: Request;
  /** What the body takes of the memory for all bodies. */
  readonly bodyShare: BodyShare;
}

/** The limit of requests that carry names, texts and settings, and of requests that only read. */
export const SMALL_BODY_BYTES = 1 << 20;

/**
 * The bytes of a body as they come, unzipped where it is gzipped, at most `limitBytes` of them.
 * @throws (while it is read) TooLarge, also of a body that inflates to hundreds of times its size; ValidationFailed
 *   another encoding, or not in it; Failure 408 it comes too slowly
 */
async function* bodyOf(
  { request, bodyShare }: BodySource,
  limitBytes: number,
  encoding = request.headers.get("content-encoding"),
): AsyncGenerator<Uint8Array, void> {
  const tooLarge = () => new TooLarge("request.body-too-large", { params: { limit: limitBytes } });
  if (Number(request.headers.get("content-length") ?? "0") > limitBytes) throw tooLarge();
  const digests = bodyDigests((name) => request.headers.get(name));
  if (!request.body && digests.length === 0) return;
  const sent = request.body ? arriving(request.body, bodyShare) : noBytes();
  const pieces = digests.length > 0 ? verified(sent, digests) : sent;
  try {
    yield* inflatedBody(pieces, encoding, limitBytes);
  } catch (error) {
    if (error instanceof BodyTooLarge) throw tooLarge();
    if (error instanceof Failure) throw error;
    throw new ValidationFailed(
      error instanceof BodyUndecodable ? "request.body-undecodable" : "request.body-unreadable",
    );
  }
}

async function* noBytes(): AsyncGenerator<Uint8Array, void, undefined> {}

/** The pieces of a body whose hash was announced. @throws ValidationFailed at its end: it was another */
async function* verified(
  pieces: AsyncIterable<Uint8Array>,
  digests: readonly BodyDigest[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const check = new DigestCheck(digests);
  for await (const piece of pieces) {
    check.update(piece);
    yield piece;
  }
  if (!check.fits) throw new ValidationFailed("request.digest-mismatch");
}

/** The same as a stream, for who reads as it comes and keeps nothing. */
export function bodyStream(source: BodySource, limitBytes: number): ReadableStream<Uint8Array> {
  return streamOf(bodyOf(source, limitBytes));
}

/** The same as it was sent, compressed or not: for a part of a file that is stored as it comes. */
export function sentBody(source: BodySource, limitBytes: number): AsyncIterable<Uint8Array> {
  return bodyOf(source, limitBytes, null);
}

/** Pieces as a stream, which ends them when no one wants more. */
export function streamOf(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      // Not waited for: a piece may be on its way that never comes.
      cancel: () => void pieces.return().catch(() => {}),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Reads a body of at most `limitBytes`, also when it is gzipped.
 * @throws TooLarge (also of a body that inflates to hundreds of times its size); ValidationFailed; Overloaded no memory
 *   for it now; Failure 408 it came too slowly
 */
export async function readBody(source: BodySource, limitBytes: number): Promise<Uint8Array> {
  const { headers } = source.request;
  const announced = headers.has("content-encoding") ? 0 : Number(headers.get("content-length") ?? "0");
  return joined(counted(source, limitBytes), Math.min(announced, limitBytes));
}

/** The pieces as one. Where their length is announced each goes to its place as it comes: a body is in memory once. */
async function joined(pieces: AsyncIterable<Uint8Array>, announcedBytes: number): Promise<Uint8Array> {
  const rest: Uint8Array[] = [];
  let whole: Uint8Array | undefined;
  let filled = 0;
  for await (const piece of pieces) {
    if (filled === 0 && piece.byteLength < announcedBytes) whole = new Uint8Array(announcedBytes);
    if (whole && filled + piece.byteLength <= whole.byteLength) whole.set(piece, filled);
    else rest.push(piece);
    filled += piece.byteLength;
  }
  if (rest.length === 0 && whole) return whole.subarray(0, filled);
  return !whole && rest.length === 1 && rest[0] ? rest[0] : Buffer.concat(whole ? [whole, ...rest] : rest);
}

/** The same as a stream, for who reads as it comes and keeps what was read. */
export function heldBodyStream(source: BodySource, limitBytes: number): ReadableStream<Uint8Array> {
  return streamOf(counted(source, limitBytes));
}

/** The bytes of a body that stays in memory. */
async function* counted(source: BodySource, limitBytes: number): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bodyOf(source, limitBytes)) {
    source.bodyShare.take(chunk.byteLength);
    yield chunk;
  }
}

/** The pieces of a body as they come. @throws Failure 408 when it comes more slowly than a body may; at its end what `BodyShare.received` throws */
async function* arriving(
  body: ReadableStream<Uint8Array>,
  share: BodyShare,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  const begun = performance.now();
  let received = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for (;;) {
      const left = begun + share.allowedMs(received) - performance.now();
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Failure(408, "request.body-too-slow")), Math.max(0, left));
      });
      const { done, value } = await Promise.race([reader.read(), late]);
      clearTimeout(timer);
      if (done) return share.received();
      received += value.byteLength;
      yield value;
    }
  } finally {
    clearTimeout(timer);
    reader.cancel().catch(() => {});
  }
}

export type Fields = Record<string, unknown>;

/** JSON texts from here on are parsed in a worker. */
const LARGE_JSON_BYTES = 1 << 20;

/**
 * The members of a JSON object or form. An empty body is an empty object.
 * Form values are texts; `checked` turns them into what the schema wants.
 * @throws ValidationFailed `[]: …` for anything that is neither; what `readBody` throws
 */
export function readFields(source: BodySource, limitBytes: number): Promise<{ fields: Fields; fromForm: boolean }> {
  return source.bodyShare.once(() => fieldsOf(source, limitBytes));
}

async function fieldsOf(source: BodySource, limitBytes: number): Promise<{ fields: Fields; fromForm: boolean }> {
  const { request } = source;
  const contentType = request.headers.get("content-type") ?? "";
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data" && request.body)
    return { fields: await multipartFields(source, contentType, limitBytes), fromForm: true };
  const bytes = await readBody(source, limitBytes);
  if (bytes.byteLength === 0) return { fields: {}, fromForm: false };
  // curl -d without a content type says "form" and sends JSON.
  if (type === "application/x-www-form-urlencoded" && !looksLikeJson(bytes))
    return { fields: urlencodedFields(decodeText(bytes)), fromForm: true };
  if (type === "") throw new ValidationFailed("request.no-content-type");
  if (!/json$/.test(type) && type !== "application/x-www-form-urlencoded")
    throw new ValidationFailed("request.unknown-content-type");
  return { fields: await jsonFields(source, bytes), fromForm: false };
}

/**
 * The members of a JSON object where a protocol says that there is one, whatever the client calls it.
 * @throws ValidationFailed `[]: …` for anything else; what `readBody` throws
 */
export function readJsonFields(source: BodySource, limitBytes: number): Promise<{ fields: Fields; fromForm: boolean }> {
  return source.bodyShare.once(async () => {
    const bytes = await readBody(source, limitBytes);
    return { fields: bytes.byteLength === 0 ? {} : await jsonFields(source, bytes), fromForm: false };
  });
}

async function jsonFields({ bodyShare }: BodySource, bytes: Uint8Array): Promise<Fields> {
  return objectOf(bytes.byteLength > LARGE_JSON_BYTES ? await bodyShare.parseLarge(bytes) : parseJson(bytes));
}

/** Whether the first byte that is no blank begins a list or an object. */
function looksLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
  return first === 0x7b || first === 0x5b;
}

/** @throws ValidationFailed not UTF-8: nothing is stored that was not sent */
function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ValidationFailed("request.body-not-utf8");
  }
}

function objectOf(parsed: ParsedJson): Fields {
  if ("problem" in parsed) throw new ValidationFailed(parsed.problem);
  const { value } = parsed;
  if (value === null) return {};
  if (typeof value !== "object" || Array.isArray(value)) throw new ValidationFailed("request.json-no-object");
  // A null prototype, so that `__proto__` is a key like any other (security rule F13).
  return Object.assign(Object.create(null) as Fields, value);
}

/** More fields than any form has. */
const MAX_FORM_FIELDS = 1000;

/** @throws ValidationFailed more fields than a form may have */
function urlencodedFields(text: string): Fields {
  let separators = 0;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1))
    if (++separators >= MAX_FORM_FIELDS) throw tooManyFields();
  return formFields(new URLSearchParams(text));
}

const tooManyFields = () => new ValidationFailed("request.too-many-fields", { params: { limit: MAX_FORM_FIELDS } });

/** Fields of one name are gathered into a list. */
function formFields(params: Iterable<readonly [string, string]>): Fields {
  const fields = Object.create(null) as Record<string, string | string[]>;
  let count = 0;
  for (const [key, value] of params) {
    if (++count > MAX_FORM_FIELDS) throw tooManyFields();
    const before = fields[key];
    if (before === undefined) fields[key] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[key] = [before, value];
  }
  return fields;
}

/** The fields of a form that may also hold files; those are read past. */
async function multipartFields(source: BodySource, contentType: string, limitBytes: number): Promise<Fields> {
  const limits = { maxFiles: 20, maxFileBytes: limitBytes, maxFieldBytes: limitBytes };
  const nothing = { [Symbol.dispose]: () => {} };
  using form = await readMultipart(heldBodyStream(source, limitBytes), contentType, limits, async ({ bytes }) => {
    for await (const _ of bytes);
    return nothing;
  });
  return formFields(form.fields);
}

/**
 * Checks the members against a schema in the order it declares them, and answers those it knows, in whatever letter case
 * they were named; null means absent, unless the schema says what it means (`Type.Null()` in a union).
 * A property may carry `field` (the name errors use, by default the key in CamelCase) and `rule` (`GitRefName`, …) to check its text.
 * Forms may spell a key as `field` in snake_case, too (contract identity.md 1.1): `new_name` for `new_username`.
 * @throws ValidationFailed `[Field]: Required | MaxSize | In | …`, or `[]: …` for a wrong type
 */
export function checked<T extends TObject>(schema: T, given: { fields: Fields; fromForm: boolean }): Static<T> {
  const result: Fields = Object.create(null) as Fields;
  const required = new Set(schema.required ?? []);
  const fields: Fields = inSpellingOf(schema, given.fields);
  for (const [key, property] of Object.entries<TSchema>(schema.properties)) {
    const field = typeof property["field"] === "string" ? property["field"] : camelCase(key);
    const named = fields[key];
    const raw = named === undefined && given.fromForm ? fields[snakeCase(field)] : named;
    if (raw === undefined) {
      if (required.has(key)) throw refused("value.required", key, field);
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
  source: BodySource,
  limitBytes: number,
): Promise<Static<T>> {
  return checked(schema, await readFields(source, limitBytes));
}

/** A value that breaks a rule. @param label what the API calls the field: `DefaultBranch` */
function refused(code: string, key: string, label: string): ValidationFailed {
  return new ValidationFailed(code, { field: key, params: { name: label } });
}

function checkValue(property: TSchema, value: unknown, key: string, field: string, required: boolean): void {
  if (property["type"] === "string" && typeof value === "string") {
    if (required && value === "" && property["minLength"] !== 0) throw refused("value.required", key, field);
    if (typeof property["maxLength"] === "number" && isLonger(value, property["maxLength"]))
      throw refused("value.too-long", key, field);
    if (typeof property["minLength"] === "number" && !isLonger(value, property["minLength"] - 1))
      throw refused("value.too-short", key, field);
    const rule = textRules[String(property["rule"])];
    if (rule && value !== "" && !rule.holds(value)) throw refused(rule.code, key, field);
    return;
  }
  if (Value.Check(property, value)) {
    const inexact = inexactNumber(value, key);
    if (inexact !== undefined) throw wrongType(inexact, "a whole number below 2^53");
    return;
  }
  if (typeof value === "string" && Array.isArray(property["anyOf"])) throw refused("value.not-allowed", key, field);
  // Of a nested value the place is named that is wrong: `external_tracker.external_tracker_url`, `files.3.path`.
  const first = Value.Errors(property, value).First();
  const name = first ? `${key}${first.path.replaceAll("/", ".")}` : key;
  const code = first && brokenRules[first.type];
  if (code !== undefined) throw refused(code, name, labelAt(first?.path ?? "", first?.schema, field));
  throw wrongType(name, typeName(first?.schema ?? property));
}

const wrongType = (name: string, type: string) =>
  new ValidationFailed("value.wrong-type", { field: name, params: { name, type } });

/** The place of a whole number that is too large to be kept exactly, here or in what is nested; undefined: there is none. */
function inexactNumber(value: unknown, place: string): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value) ? place : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, nested] of Object.entries(value)) {
    const found = inexactNumber(nested, `${place}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Rules that a nested value breaks without being of a wrong type. */
const brokenRules: Readonly<Partial<Record<ValueErrorType, string>>> = {
  [ValueErrorType.ObjectRequiredProperty]: "value.required",
  [ValueErrorType.StringMaxLength]: "value.too-long",
  [ValueErrorType.ArrayMaxItems]: "value.too-long",
};

/** What the API calls the member at a path within a field: `Path` of `files/3/path`, `Emails` of `emails/0`. */
function labelAt(path: string, schema: TSchema | undefined, field: string): string {
  if (typeof schema?.["field"] === "string") return schema["field"];
  const last = path.split("/").findLast((name) => name !== "" && !/^\d+$/.test(name));
  return last === undefined ? field : camelCase(last);
}

/** Whether a text has more than so many characters; one beyond the basic plane counts once. Examines no more than it must. */
export function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  if (text.length > 2 * characters) return true;
  return [...text].length > characters;
}

/** Rules a schema's text may name with `rule`. */
const textRules: Readonly<Record<string, { readonly code: string; holds(text: string): boolean }>> = {
  Email: { code: "value.not-an-address", holds: (text) => /^[^@\s]+@[^@\s]+$/.test(text) },
  Url: { code: "value.not-a-url", holds: isHttpUrl },
  AccountName: { code: "value.not-an-account-name", holds: isAccountName },
  GitRefName: { code: "value.not-a-ref-name", holds: isNewRefName },
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

const snakeCase = (field: string): string => field.replace(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
