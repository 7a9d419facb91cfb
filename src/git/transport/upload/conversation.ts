import { ProtocolError } from "../../errors.ts";
import { errorPacket } from "../../wire/pktline.ts";
import { SectionReader } from "../../wire/sections.ts";
import { advertise } from "../advertise.ts";
import type { NegotiationState } from "./negotiation.ts";
import { MAX_FETCH_BYTES, type UploadPackOptions, uploadPack } from "./upload-pack.ts";

export interface UploadConversation extends Omit<UploadPackOptions, "body" | "maxBodyBytes"> {
  /** What the client sends. */
  readonly input: AsyncIterable<Uint8Array>;
}

/**
 * Upload-pack over a connection (SSH): the refs, then an answer to each request, produced as fast as it is read.
 * Version 2 requests are independent; in version 0 and 1 they are rounds of one negotiation, whose state is kept here
 * between jobs that answer one round each, so that a slow client does not hold a thread.
 * @throws any error from reading the input
 */
export async function* uploadPackConversation(options: UploadConversation): AsyncGenerator<Uint8Array, void> {
  const { version, refs, format } = options;
  yield* advertise({ service: "git-upload-pack", version, refs, format, http: false });
  const sections = new SectionReader(options.input, MAX_FETCH_BYTES);
  try {
    if (version === 2) yield* commands(options, sections);
    else yield* negotiation(options, sections);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    yield errorPacket(error.message);
  }
}

async function* commands(options: UploadConversation, sections: SectionReader): AsyncGenerator<Uint8Array, void> {
  for (;;) {
    const bytes = (await sections.next())?.bytes;
    // A lone flush ends the conversation (gitprotocol-v2, "Request").
    if (bytes === undefined || bytes.length <= FLUSH_BYTES) return;
    yield* await uploadPack({ ...options, body: once(bytes) });
  }
}

const FLUSH_BYTES = 4;

async function* negotiation(options: UploadConversation, sections: SectionReader): AsyncGenerator<Uint8Array, void> {
  const wants = (await sections.next())?.bytes;
  if (wants === undefined || wants.length <= FLUSH_BYTES) return;
  let state: NegotiationState | undefined;
  // Shallow boundaries are sent before the client sends its haves.
  if (asksForDepth(wants)) {
    const told = await negotiate(options, wants, undefined);
    yield told.bytes;
    if (told.state === undefined) return;
    state = told.state;
  }
  for (;;) {
    const round = await sections.next({ doneEnds: true });
    if (round === undefined) return;
    const body = Buffer.concat([wants, round.bytes]);
    if (round.end === "done") return yield* await uploadPack({ ...options, body: once(body), ...earlier(state) });
    const told = await negotiate(options, body, state);
    yield told.bytes;
    state = told.state;
    if (state === undefined) return;
    if (state.isAgreed) return yield* await uploadPack({ ...options, body: once(wants), ...earlier(state) });
  }
}

function negotiate(options: UploadConversation, body: Uint8Array, state: NegotiationState | undefined) {
  const { repoDir, version, refs, pool, share, signal } = options;
  return pool.run(
    "git.negotiate",
    { repoDir, version, body, refs: refs.snapshot().packets, head: refs.head(), ...earlier(state) },
    { lane: "bulk", ...(share === undefined ? {} : { share }), ...(signal ? { signal } : {}) },
  );
}

const earlier = (state: NegotiationState | undefined) => (state ? { earlier: state } : {});

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Whether any packet begins with `deepen`; capabilities of that name are preceded by a space. */
function asksForDepth(bytes: Uint8Array): boolean {
  const wants = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = wants.indexOf("deepen"); at >= 0; at = wants.indexOf("deepen", at + 1))
    if (/^[0-9a-f]{4}$/i.test(wants.toString("latin1", at - 4, at))) return true;
  return false;
}
