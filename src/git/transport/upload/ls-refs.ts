import { ProtocolError } from "../../errors.ts";
import type { Ref } from "../../refs/types.ts";
import { gathered, type RefReader } from "../advertise.ts";
import { FLUSH, packet } from "../pktline.ts";

/** Version 2's `ls-refs` (gitprotocol-v2, "ls-refs"). */
export interface LsRefsRequest {
  readonly peel: boolean;
  readonly symrefs: boolean;
  readonly unborn: boolean;
  readonly prefixes: readonly string[];
}

/** More prefixes than this are not worth matching: everything is listed, which the protocol allows. */
const MOST_PREFIXES = 4096;

/** @throws ProtocolError on an argument that the command does not have */
export function parseLsRefs(args: readonly string[]): LsRefsRequest {
  const request = { peel: false, symrefs: false, unborn: false, prefixes: [] as string[] };
  for (const arg of args) {
    if (arg === "peel") request.peel = true;
    else if (arg === "symrefs") request.symrefs = true;
    else if (arg === "unborn") request.unborn = true;
    else if (arg.startsWith("ref-prefix ")) request.prefixes.push(arg.slice("ref-prefix ".length));
    else throw new ProtocolError(`unexpected line: '${arg}'`);
  }
  if (request.prefixes.length > MOST_PREFIXES) request.prefixes = [];
  return request;
}

/** The answer, in pieces of some 64 KiB. The work is in the ref store's `list`; the rest is text. */
export function lsRefs(request: LsRefsRequest, refs: RefReader): Generator<Uint8Array, void, undefined> {
  return gathered(lines(request, refs));
}

function* lines(request: LsRefsRequest, refs: RefReader): Generator<Uint8Array> {
  const { prefixes } = request;
  const wanted = prefixes.length === 0 ? () => true : beginningWith(prefixes);
  if (wanted("HEAD")) {
    const target = refs.head();
    const head = refs.resolve(target);
    const symref = request.symrefs ? ` symref-target:${target}` : "";
    if (head) yield packet(`${head.oid} HEAD${symref}\n`);
    else if (request.unborn) yield packet(`unborn HEAD${symref}\n`);
  }
  for (const ref of listed(refs, prefixes)) {
    if (!wanted(ref.name)) continue;
    yield packet(`${ref.oid} ${ref.name}${request.peel && ref.peeled ? ` peeled:${ref.peeled}` : ""}\n`);
  }
  yield FLUSH;
}

/** Whether a name begins with one of them, found without looking at each: thousands may be asked for, of as many refs. */
function beginningWith(prefixes: readonly string[]): (name: string) => boolean {
  const sorted: string[] = [];
  for (const prefix of [...prefixes].sort()) {
    const last = sorted.at(-1);
    if (last === undefined || !prefix.startsWith(last)) sorted.push(prefix);
  }
  // None begins with another, so only the last one that is not behind the name can be its beginning.
  return (name) => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! <= name) low = middle + 1;
      else high = middle;
    }
    return low > 0 && name.startsWith(sorted[low - 1]!);
  };
}

/** The refs that may match: the store need not list more than what begins as all prefixes do. */
function listed(refs: RefReader, prefixes: readonly string[]): Ref[] {
  if (prefixes.length === 0) return refs.list();
  // Prefixes such as HEAD name no ref of the store, and would leave nothing in common with `refs/heads/`.
  const [first, ...others] = prefixes.filter((prefix) => "refs/".startsWith(prefix) || prefix.startsWith("refs/"));
  if (first === undefined) return [];
  let common = first;
  for (const prefix of others) while (!prefix.startsWith(common)) common = common.slice(0, -1);
  return refs.list(common);
}
