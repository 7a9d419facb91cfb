import { ProtocolError } from "../../errors.ts";
import type { ObjectSource } from "../../objects/source.ts";
import { isOid, type Oid } from "../../objects/types.ts";
import { PacketList } from "../../wire/pktline.ts";

const MAX_OIDS = 10_000;

/**
 * Version 2's `object-info` (gitprotocol-v2): sizes of objects. An unreachable id is answered without a size, like one
 * that does not exist.
 * @throws ProtocolError on an argument that the command does not support
 */
export function objectInfo(
  args: readonly string[],
  store: ObjectSource,
  mayHave: (oid: Oid) => boolean,
): Uint8Array<ArrayBuffer> {
  const oids: Oid[] = [];
  let wantsSize = false;
  for (const arg of args) {
    if (arg === "size") wantsSize = true;
    else if (arg.startsWith("oid ") && isOid(arg.slice(4))) oids.push(arg.slice(4));
    else throw new ProtocolError(`object-info: unexpected line: '${arg.slice(0, 100)}'`);
    if (oids.length > MAX_OIDS) throw new ProtocolError("object-info: too many ids");
  }
  const out = new PacketList();
  if (wantsSize) out.line("size");
  for (const oid of oids) {
    const size = wantsSize && mayHave(oid) ? store.header(oid)?.sizeBytes : undefined;
    out.line(size === undefined ? `${oid} ` : `${oid} ${size}`);
  }
  return out.flush().bytes();
}
