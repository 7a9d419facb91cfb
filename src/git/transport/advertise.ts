import type { ObjectFormat } from "../objects/format.ts";
import type { Ref, RefStore } from "../refs/types.ts";
import { FLUSH, packet } from "../wire/pktline.ts";
import {
  AGENT,
  formatCapability,
  type ProtocolVersion,
  RECEIVE_CAPABILITIES,
  type Service,
  UPLOAD_CAPABILITIES,
  v2Capabilities,
} from "./protocol.ts";

/** The part of a ref store that reading needs. */
export type RefReader = Pick<RefStore, "list" | "resolve" | "head">;

export interface AdvertiseOptions {
  readonly service: Service;
  readonly version: ProtocolVersion;
  readonly refs: RefReader;
  /** The repository's; clients of another are told so and go no further. */
  readonly format: ObjectFormat;
  /** Begin with `# service=…` and a flush, as smart HTTP does and SSH does not. */
  readonly http: boolean;
}

/**
 * The answer to `info/refs?service=…`: refs and capabilities in protocol 0 and 1, capabilities alone in 2.
 * Receive-pack has no version 2. Comes in pieces of some 64 KiB.
 */
export function* advertise(options: AdvertiseOptions): Generator<Uint8Array, void, undefined> {
  const { service, refs, format } = options;
  const version = service === "git-receive-pack" && options.version === 2 ? 0 : options.version;
  if (options.http) {
    yield packet(`# service=${service}\n`);
    yield FLUSH;
  }
  if (version === 2) {
    yield packet("version 2\n");
    for (const line of v2Capabilities(format)) yield packet(`${line}\n`);
    yield FLUSH;
    return;
  }
  if (version === 1) yield packet("version 1\n");
  yield* gathered(service === "git-upload-pack" ? uploadRefs(refs, format) : receiveRefs(refs.list(), format));
}

function* uploadRefs(refs: RefReader, format: ObjectFormat): Generator<Uint8Array> {
  const all = refs.list();
  const headName = refs.head();
  const head = refs.resolve(headName);
  const symbolic = head ? [`symref=HEAD:${headName}`] : [];
  let capabilities = `\0${[...UPLOAD_CAPABILITIES, formatCapability(format), ...symbolic, `agent=${AGENT}`].join(" ")}`;
  const line = (oid: string, name: string) => {
    const bytes = packet(`${oid} ${name}${capabilities}\n`);
    capabilities = "";
    return bytes;
  };
  if (all.length === 0) yield line(format.zeroOid, "capabilities^{}");
  if (head) yield line(head.oid, "HEAD");
  for (const ref of all) {
    yield line(ref.oid, ref.name);
    if (ref.peeled) yield line(ref.peeled, `${ref.name}^{}`);
  }
  yield FLUSH;
}

function* receiveRefs(all: readonly Ref[], format: ObjectFormat): Generator<Uint8Array> {
  let capabilities = `\0${[...RECEIVE_CAPABILITIES, formatCapability(format), `agent=${AGENT}`].join(" ")}`;
  if (all.length === 0) yield packet(`${format.zeroOid} capabilities^{}${capabilities}\n`);
  for (const ref of all) {
    yield packet(`${ref.oid} ${ref.name}${capabilities}\n`);
    capabilities = "";
  }
  yield FLUSH;
}

const PIECE_BYTES = 64 * 1024;

/** Many small pieces joined into few. */
export function* gathered(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void, undefined> {
  let held: Uint8Array[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    held.push(piece);
    bytes += piece.byteLength;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(held);
}

/** A pull stream of what an iterator yields; stops it when the reader goes away. */
export function streamOf(pieces: Iterator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const step = pieces.next();
        if (step.done) controller.close();
        else controller.enqueue(step.value);
      },
      cancel() {
        pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
