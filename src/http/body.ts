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
 * Reads and validates request bodies. Elysia's own parsers are disabled: they treat anything as a form, guess types and
 * echo submitted values in their errors (dependencies.md 17d).
 */

/** A request whose body can be read, such as a `Call`. */
export interface BodySource {
  readonly request: Request;
  /** The body's share of the memory for all bodies. */
  readonly bodyShare: BodyShare;
}

/** The body limit for requests that carry names, texts and settings, and for read-only requests. */
export const SMALL_BODY_BYTES = 1 << 20;

/**
 * The bytes of a body as they arrive, decompressed if gzipped, at most `limitBytes` of them.
 * @throws (while it is read) TooLarge, also if a body inflates to hundreds of times its size; ValidationFailed if it
 *   has another encoding or is not validly encoded; Failure 408 if it arrives too slowly
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

/** Passes on the chunks of a body whose hash was announced. @throws ValidationFailed at the end, if the hash differs */
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

/** The body as a stream, for callers that process it as it arrives and keep nothing. */
export function bodyStream(source: BodySource, limitBytes: number): ReadableStream<Uint8Array> {
  return streamOf(bodyOf(source, limitBytes));
}

/** The body exactly as sent, compressed or not: for a part of a file that is stored as it arrives. */
export function sentBody(source: BodySource, limitBytes: number): AsyncIterable<Uint8Array> {
  return bodyOf(source, limitBytes, null);
}

/** Turns chunks into a stream; cancelling the stream ends the generator. */
export function streamOf(pieces: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      // Not awaited: the pending chunk may never arrive.
      cancel: () => void pieces.return().catch(() => {}),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Reads a body of at most `limitBytes`, decompressing it if gzipped.
 * @throws TooLarge (also if a body inflates to hundreds of times its size); ValidationFailed; Overloaded if there is no
 *   memory for it now; Failure 408 if it arrived too slowly
 */
export async function readBody(source: BodySource, limitBytes: number): Promise<Uint8Array> {
  const { headers } = source.request;
  const announced = headers.has("content-encoding") ? 0 : Number(headers.get("content-length") ?? "0");
  return joined(counted(source, limitBytes), Math.min(announced, limitBytes));
}

/**
 * Concatenates the chunks. If their length was announced, each is written straight to its place, so that memory holds
 * only one copy.
 */
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

/** The body as a stream, for callers that process it as it arrives and keep what they read. */
export function heldBodyStream(source: BodySource, limitBytes: number): ReadableStream<Uint8Array> {
  return streamOf(counted(source, limitBytes));
}

/** The bytes of a body that stays in memory, counted against its share. */
async function* counted(source: BodySource, limitBytes: number): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bodyOf(source, limitBytes)) {
    source.bodyShare.take(chunk.byteLength);
    yield chunk;
  }
}

/**
 * The chunks of a body as they arrive.
 * @throws Failure 408 if it arrives more slowly than allowed; at its end whatever `BodyShare.received` throws
 */
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

/** JSON texts of this size or more are parsed in a worker. */
const LARGE_JSON_BYTES = 1 << 20;

/**
 * The members of a JSON object or form. An empty body is an empty object.
 * Form values are strings; `checked` converts them to what the schema expects.
 * @throws ValidationFailed `[]: …` if it is neither; what `readBody` throws
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
  // `curl -d` without a content type declares a form but often sends JSON.
  if (type === "application/x-www-form-urlencoded" && !looksLikeJson(bytes))
    return { fields: urlencodedFields(decodeText(bytes)), fromForm: true };
  if (type === "") throw new ValidationFailed("request.no-content-type");
  if (!/json$/.test(type) && type !== "application/x-www-form-urlencoded")
    throw new ValidationFailed("request.unknown-content-type");
  return { fields: await jsonFields(source, bytes), fromForm: false };
}

/**
 * The members of a JSON object, for protocols that define the body as one whatever content type the client sends.
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

/** Whether the first non-blank byte starts a list or an object. */
function looksLikeJson(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d));
  return first === 0x7b || first === 0x5b;
}

/** @throws ValidationFailed if it is not UTF-8: nothing may be stored that was not sent */
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

/** @throws ValidationFailed if there are more fields than a form may have */
function urlencodedFields(text: string): Fields {
  let separators = 0;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", at + 1))
    if (++separators >= MAX_FORM_FIELDS) throw tooManyFields();
  return formFields(new URLSearchParams(text));
}

const tooManyFields = () => new ValidationFailed("request.too-many-fields", { params: { limit: MAX_FORM_FIELDS } });

/** Collects fields of the same name into a list. */
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

/** The fields of a form that may also contain files; the files are skipped. */
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
 * Validates the members against a schema in the order it declares them and returns those it knows, matching names
 * case-insensitively; null means absent, unless the schema defines what it means (`Type.Null()` in a union).
 * A property may have `field` (the name used in errors, by default the key in CamelCase) and `rule` (`GitRefName`, …)
 * to validate its text.
 * Forms may also spell a key as `field` in snake_case (contract identity.md 1.1): `new_name` for `new_username`.
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

/** The error for a value that breaks a rule. @param label the API's name for the field: `DefaultBranch` */
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
  // For a nested value the error names the exact position: `external_tracker.external_tracker_url`, `files.3.path`.
  const first = Value.Errors(property, value).First();
  const name = first ? `${key}${first.path.replaceAll("/", ".")}` : key;
  const code = first && brokenRules[first.type];
  if (code !== undefined) throw refused(code, name, labelAt(first?.path ?? "", first?.schema, field));
  throw wrongType(name, typeName(first?.schema ?? property));
}

const wrongType = (name: string, type: string) =>
  new ValidationFailed("value.wrong-type", { field: name, params: { name, type } });

/** The position of an integer too large to be represented exactly, here or nested; undefined if there is none. */
function inexactNumber(value: unknown, place: string): string | undefined {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value) ? place : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, nested] of Object.entries(value)) {
    const found = inexactNumber(nested, `${place}.${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Rules that a nested value can break while having the right type. */
const brokenRules: Readonly<Partial<Record<ValueErrorType, string>>> = {
  [ValueErrorType.ObjectRequiredProperty]: "value.required",
  [ValueErrorType.StringMaxLength]: "value.too-long",
  [ValueErrorType.ArrayMaxItems]: "value.too-long",
};

/** The API's name for the member at a path within a field: `Path` for `files/3/path`, `Emails` for `emails/0`. */
function labelAt(path: string, schema: TSchema | undefined, field: string): string {
  if (typeof schema?.["field"] === "string") return schema["field"];
  const last = path.split("/").findLast((name) => name !== "" && !/^\d+$/.test(name));
  return last === undefined ? field : camelCase(last);
}

/** Whether a text has more than that many characters, counting code points. Examines no more than it must. */
export function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  if (text.length > 2 * characters) return true;
  return [...text].length > characters;
}

/** Rules that a schema's text can refer to by `rule`. */
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
