import { ProtocolError } from "../../errors.ts";
import { FLUSH, packet } from "../../wire/pktline.ts";
import { gathered } from "../advertise.ts";
import type { RefSnapshot } from "../ref-snapshot.ts";

/** Version 2's `ls-refs` (gitprotocol-v2, "ls-refs"). */
export interface LsRefsRequest {
  readonly peel: boolean;
  readonly symrefs: boolean;
  readonly unborn: boolean;
  readonly prefixes: readonly string[];
}

/** Above this number prefixes are ignored and every ref is listed, which the protocol allows. */
const MAX_PREFIXES = 4096;

/** @throws ProtocolError on an argument that the command does not support */
export function parseLsRefs(args: readonly string[]): LsRefsRequest {
  const request = { peel: false, symrefs: false, unborn: false, prefixes: [] as string[] };
  for (const arg of args) {
    if (arg === "peel") request.peel = true;
    else if (arg === "symrefs") request.symrefs = true;
    else if (arg === "unborn") request.unborn = true;
    else if (arg.startsWith("ref-prefix ")) request.prefixes.push(arg.slice("ref-prefix ".length));
    else throw new ProtocolError(`unexpected line: '${arg}'`);
  }
  if (request.prefixes.length > MAX_PREFIXES) request.prefixes = [];
  return request;
}

/**
 * The answer, in pieces of at least 64 KiB.
 * @param head the ref HEAD points to, whether or not it exists
 */
export function lsRefs(
  request: LsRefsRequest,
  refs: RefSnapshot,
  head: string,
): Generator<Uint8Array, void, undefined> {
  return gathered(pieces(request, refs, head));
}

function* pieces(request: LsRefsRequest, refs: RefSnapshot, head: string): Generator<Uint8Array> {
  const prefixes = request.prefixes.length === 0 ? [""] : request.prefixes;
  if (prefixes.some((prefix) => "HEAD".startsWith(prefix))) {
    const born = refs.find(head);
    const symref = request.symrefs ? ` symref-target:${head}` : "";
    if (born) yield packet(`${born.oid} HEAD${symref}\n`);
    else if (request.unborn) yield packet(`unborn HEAD${symref}\n`);
  }
  yield* refs.packetsBelow(prefixes, request.peel ? "peeled" : "plain");
  yield FLUSH;
}
