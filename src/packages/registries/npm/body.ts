import { bodyStream } from "../../../http/body.ts";
import { parseJson } from "../../../http/json.ts";
import type { Call } from "../../../http/route.ts";
import { BadRequest, TooLarge } from "../../../kernel/errors.ts";
import { isObject, type JsonObject } from "../../../kernel/json.ts";
import type { ReceivedContent } from "../../types.ts";

/**
 * The body that npm publishes: a JSON object in which one member, `_attachments.<file>.data`, is the whole tarball in
 * base64. That string is extracted and written to disk as it arrives; the rest is parsed as JSON.
 */
export interface SentPackument extends Disposable {
  readonly document: JsonObject;
  /** undefined if it was missing, or not base64. */
  readonly tarball: ReceivedContent | undefined;
  readonly hasAttachments: boolean;
}

/** Limit for the document without attachments: texts, names and versions. */
const MAX_DOCUMENT_BYTES = 16 << 20;
const LARGE_JSON_BYTES = 1 << 20;
const MAX_BODY_BYTES = Number.MAX_SAFE_INTEGER / 4;

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

/** @throws BadRequest if it is no JSON object; TooLarge; errors of `receive` */
export async function readPackument(
  call: Call,
  receive: (bytes: AsyncIterable<Uint8Array>) => Promise<ReceivedContent>,
): Promise<SentPackument> {
  const reader = new PackumentReader(bodyStream(call, MAX_BODY_BYTES), (count) => call.bodyShare.take(count), receive);
  try {
    const bytes = await reader.read();
    const parsed = bytes.byteLength > LARGE_JSON_BYTES ? await call.bodyShare.parseLarge(bytes) : parseJson(bytes);
    if ("problem" in parsed || !isObject(parsed.value)) throw new BadRequest("packages.npm-invalid");
    const { tarball } = reader;
    return {
      document: parsed.value,
      tarball,
      hasAttachments: parsed.value["_attachments"] !== undefined,
      [Symbol.dispose]: () => tarball?.[Symbol.dispose](),
    };
  } catch (error) {
    reader.tarball?.[Symbol.dispose]();
    throw error;
  }
}

/** One level of the document: for an object, with the member being read. */
interface Level {
  readonly isObject: boolean;
  key: string;
  expectsKey: boolean;
}

class PackumentReader {
  tarball: ReceivedContent | undefined;
  private readonly iterator: AsyncIterator<Uint8Array>;
  private chunk: Uint8Array = new Uint8Array(0);
  private at = 0;
  private readonly kept: Uint8Array[] = [];
  private keptBytes = 0;
  private readonly levels: Level[] = [];

  constructor(
    source: AsyncIterable<Uint8Array>,
    private readonly count: (bytes: number) => void,
    private readonly receive: (bytes: AsyncIterable<Uint8Array>) => Promise<ReceivedContent>,
  ) {
    this.iterator = source[Symbol.asyncIterator]();
  }

  /** The document with an empty string in place of the tarball. */
  async read(): Promise<Uint8Array> {
    let text: number[] | undefined;
    let escaped = false;
    for (let start = 0; ; ) {
      if (this.at === this.chunk.byteLength) {
        this.keep(start);
        if (!(await this.next())) break;
        start = 0;
      }
      const byte = this.chunk[this.at++] ?? 0;
      if (text) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) {
          this.ended(text);
          text = undefined;
          continue;
        }
        // The names that matter here are short.
        if (text.length < 64) text.push(byte);
        continue;
      }
      if (byte === QUOTE) {
        if (this.isTarball()) {
          this.keep(start);
          await this.take();
          start = this.at - 1;
        } else text = [];
      } else this.structure(byte);
    }
    return Buffer.concat(this.kept);
  }

  private structure(byte: number): void {
    const level = this.levels.at(-1);
    if (byte === OPEN || byte === OPEN_LIST)
      this.levels.push({ isObject: byte === OPEN, key: "", expectsKey: byte === OPEN });
    else if (byte === CLOSE || byte === CLOSE_LIST) this.levels.pop();
    else if (byte === COLON && level) level.expectsKey = false;
    else if (byte === COMMA && level?.isObject) level.expectsKey = true;
  }

  private ended(text: readonly number[]): void {
    const level = this.levels.at(-1);
    if (level?.expectsKey) level.key = Buffer.from(text).toString();
  }

  /** Whether the string that begins here is `_attachments.<file>.data`. */
  private isTarball(): boolean {
    const [root, attachments, file] = this.levels;
    return (
      this.levels.length === 3 &&
      root?.key === "_attachments" &&
      attachments?.isObject === true &&
      file?.key === "data" &&
      !file.expectsKey
    );
  }

  /** Receives the string that begins here; of several, only the first. */
  private async take(): Promise<void> {
    if (this.tarball) {
      for await (const _ of this.encoded());
      return;
    }
    try {
      this.tarball = await this.receive(decoded(this.encoded()));
    } catch (error) {
      if (!(error instanceof NotBase64)) throw error;
      throw new BadRequest("packages.npm-attachment");
    }
  }

  /** The string up to its closing quote, which is consumed. */
  private async *encoded(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const end = this.chunk.indexOf(QUOTE, this.at);
      const part = this.chunk.subarray(this.at, end < 0 ? this.chunk.byteLength : end);
      this.at = end < 0 ? this.chunk.byteLength : end + 1;
      if (part.byteLength > 0) yield part;
      if (end >= 0) return;
      if (!(await this.next())) throw new BadRequest("packages.npm-invalid");
    }
  }

  private async next(): Promise<boolean> {
    const { done, value } = await this.iterator.next();
    if (done) return false;
    this.chunk = value;
    this.at = 0;
    return true;
  }

  /** Adds what was read since `start` to the document. */
  private keep(start: number): void {
    const part = this.chunk.slice(start, this.at);
    this.count(part.byteLength);
    this.keptBytes += part.byteLength;
    if (this.keptBytes > MAX_DOCUMENT_BYTES)
      throw new TooLarge("request.body-too-large", { params: { limit: MAX_DOCUMENT_BYTES } });
    this.kept.push(part);
  }
}

class NotBase64 extends Error {
  override name = "NotBase64";
}

/** @throws NotBase64 */
async function* decoded(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = "";
  for await (const part of source) {
    const sent = rest + Buffer.from(part).toString("latin1");
    // A slash may be escaped as `\\/`, and the two characters split between pieces.
    const isCut = sent.endsWith("\\");
    const text = (isCut ? sent.slice(0, -1) : sent).replaceAll("\\/", "/");
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new NotBase64();
    const whole = Math.max(0, text.length - (text.length % 4) - (text.endsWith("=") ? 4 : 0));
    rest = text.slice(whole) + (isCut ? "\\" : "");
    if (whole > 0) yield Buffer.from(text.slice(0, whole), "base64");
  }
  if (!/^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(rest)) throw new NotBase64();
  if (rest !== "") yield Buffer.from(rest, "base64");
}
