import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { WorkerPool } from "../../../workers/pool.ts";
import { CorruptObject, ProtocolError } from "../../errors.ts";
import type { ObjectFormat } from "../../objects/format.ts";
import { errorPacket } from "../../wire/pktline.ts";
import { type RefSource, streamOf } from "../advertise.ts";
import { BodyTooLarge } from "../body.ts";
import type { ProtocolVersion } from "../protocol.ts";
import { lsRefs, parseLsRefs } from "./ls-refs.ts";
import type { NegotiationState } from "./negotiation.ts";
import { parseV2 } from "./request.ts";
import { OpenRest } from "./rest.ts";

export interface UploadPackOptions {
  readonly repoDir: string;
  readonly version: ProtocolVersion;
  /** The repository's object format. */
  readonly format: ObjectFormat;
  /** The request body, inflated. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * The refs the caller may see: others, and objects reachable only from them, are not served. Read after the request.
   */
  readonly refs: RefSource;
  readonly pool: WorkerPool;
  /** Key of the user this fetch counts against, for fair sharing of the threads. */
  readonly share?: string;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal;
  /** Called with errors that are not the client's fault. */
  onError?(error: unknown): void;
  /** Readers that take nothing for this long are disconnected; a minute by default. */
  readonly stallTimeoutMs?: number;
  readonly maxBodyBytes?: number;
  /** What earlier requests of the same connection agreed on (version 0 and 1); not sent again. */
  readonly earlier?: NegotiationState;
}

/** Default maximum size of a request; it holds only wants and haves. */
export const MAX_FETCH_BYTES = 32 * 1024 * 1024;
/** Git and the sweep at startup treat directories with this prefix as quarantines. */
const SPOOL_PREFIX = "tmp_objdir-answer-";
/** An answer is abandoned when nothing is read for this long: the client must take about a KiB a second. */
const STALL_TIMEOUT_MS = 60_000;
const MAX_LS_REFS_BYTES = 512 * 1024;

/**
 * Answers a POST to `git-upload-pack`: the stream is the response body, produced as fast as it is read. Client errors
 * are part of the answer (`ERR …`).
 * @throws BodyTooLarge when the body is longer than allowed
 */
export async function uploadPack(options: UploadPackOptions): Promise<ReadableStream<Uint8Array>> {
  const body = await collected(options.body, options.maxBodyBytes ?? MAX_FETCH_BYTES);
  // Parsing a million packets is the worker's job; a request to list refs is short.
  if (options.version === 2 && body.length <= MAX_LS_REFS_BYTES) {
    try {
      const command = parseV2(body, options.format);
      if (!command) return streamOf([].values());
      if (command.command === "ls-refs") {
        const request = parseLsRefs(command.args);
        return streamOf(lsRefs(request, options.refs.snapshot(), options.refs.head()));
      }
    } catch (error) {
      if (error instanceof ProtocolError) return streamOf([errorPacket(error.message)].values());
      throw error;
    }
  }
  // Always removed; after a crash, the sweep of quarantines removes it.
  const spoolDir = join(options.repoDir, "objects", `${SPOOL_PREFIX}${crypto.randomUUID()}`);
  const job = options.pool.start(
    "git.fetch",
    {
      repoDir: options.repoDir,
      version: options.version,
      body,
      refs: options.refs.snapshot().packets,
      head: options.refs.head(),
      ...(options.earlier ? { earlier: options.earlier } : {}),
      spoolPath: join(spoolDir, "answer"),
    },
    {
      ...(options.share === undefined ? {} : { share: options.share }),
      ...(options.signal ? { signal: options.signal } : {}),
      onNote: (damage) => options.onError?.(new CorruptObject(damage)),
    },
  );
  job.end();
  job.result.catch((error) => {
    const isAbort = error instanceof DOMException && error.name === "AbortError";
    if (!isAbort) options.onError?.(error);
  });
  const rest = job.result.then((left) => new OpenRest(left)).finally(() => remove(spoolDir));
  rest.catch(() => {});
  return continued(job.output, rest, options.stallTimeoutMs ?? STALL_TIMEOUT_MS);
}

/** Streams the worker's output, then the rest it left; readers that take nothing for `stallTimeoutMs` are cut off. */
function continued(
  output: ReadableStream<Uint8Array>,
  rest: Promise<OpenRest>,
  stallTimeoutMs: number,
): ReadableStream<Uint8Array> {
  const reader = output.getReader();
  let stall: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(stall);
    rest.then((left) => left.close()).catch(() => {});
  };
  const next = async (): Promise<Uint8Array | undefined> => {
    const step = await reader.read();
    return step.done ? (await rest).next() : step.value;
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stall);
        try {
          const piece = await next();
          if (piece === undefined) {
            close();
            controller.close();
            return;
          }
          controller.enqueue(piece);
          stall = setTimeout(() => {
            close();
            reader.cancel().catch(() => {});
            controller.error(new ProtocolError("the answer was not read"));
          }, stallTimeoutMs);
        } catch (error) {
          close();
          controller.error(error);
        }
      },
      async cancel(reason) {
        close();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function remove(directory: string): void {
  if (existsSync(directory)) rmSync(directory, { recursive: true, force: true });
}

async function collected(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw new BodyTooLarge(maxBytes);
    pieces.push(piece);
  }
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}
