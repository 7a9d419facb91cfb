import { formatNamed, type ObjectFormat, SHA1 } from "../objects/format.ts";
import { decodeName } from "../objects/names.ts";
import { isOid, type Oid } from "../objects/types.ts";
import { isRefName } from "../refs/names.ts";
import type { Packet, PacketReader } from "../wire/pktline.ts";
import { RemoteFailed, wordsOfRemote } from "./errors.ts";

export interface RemoteRef {
  /** Full name, or `HEAD`. */
  readonly name: string;
  readonly oid: Oid;
  /** The object that an annotated tag finally points to. */
  readonly peeled?: Oid;
}

/** What a service announces before the first request. */
export interface Advertisement {
  readonly version: 0 | 2;
  /** `agent=git/2.39` is stored as `agent` → [`git/2.39`]; `symref` may occur several times. */
  readonly capabilities: ReadonlyMap<string, readonly string[]>;
  readonly format: ObjectFormat;
  /** Version 0 only; in version 2 they must be requested. */
  readonly refs: RemoteRefs;
}

export interface RemoteRefs {
  /** Refs whose names git would accept, in the order given, without `HEAD`. */
  readonly refs: readonly RemoteRef[];
  /** The ref that HEAD points to, if the server says so. */
  readonly head: string | undefined;
  /** The number of refs left out because their names are invalid. */
  readonly skipped: number;
  /** Whether the server's own history is shallow. */
  readonly isShallow: boolean;
}

/** If a server has more refs, reading stops. */
export const MAX_REMOTE_REFS = 1_000_000;

/** @throws RemoteFailed if it is not a git advertisement, or a refusal */
export async function readAdvertisement(reader: PacketReader): Promise<Advertisement> {
  let packet = await reader.next();
  if (textOf(packet)?.startsWith("# service=")) {
    // Smart HTTP first names the service (gitprotocol-http), followed by a flush.
    while (packet?.kind === "data") packet = await reader.next();
    packet = await reader.next();
  }
  let line = textOf(packet);
  if (line === "version 2") return readCapabilities(reader);
  if (line === "version 1") {
    packet = await reader.next();
    line = textOf(packet);
  }
  return readRefs(reader, packet);
}

async function readCapabilities(reader: PacketReader): Promise<Advertisement> {
  const words: string[] = [];
  for (;;) {
    const packet = await reader.next();
    if (packet?.kind === "flush") break;
    words.push(lineFrom(packet));
  }
  const capabilities = capabilitiesOf(words);
  return {
    version: 2,
    capabilities,
    format: formatOf(capabilities),
    refs: { refs: [], head: undefined, skipped: 0, isShallow: false },
  };
}

async function readRefs(reader: PacketReader, first: Packet | undefined): Promise<Advertisement> {
  const found = new RefCollector();
  let capabilities: ReadonlyMap<string, readonly string[]> | undefined;
  let isShallow = false;
  for (let packet = first; packet?.kind !== "flush"; packet = await reader.next()) {
    let line = lineFrom(packet);
    if (!capabilities) {
      const [own = "", words = ""] = line.split("\0", 2);
      line = own;
      capabilities = capabilitiesOf(words.split(" "));
    }
    if (line.startsWith("shallow ")) {
      isShallow = true;
      continue;
    }
    const space = line.indexOf(" ");
    const oid = line.slice(0, space);
    const name = line.slice(space + 1);
    if (space < 0 || !isOid(oid)) throw new RemoteFailed("broken", "a line of its list of refs");
    // `capabilities^{}` is the placeholder in an empty repository.
    if (/^0+$/.test(oid)) continue;
    if (name.endsWith("^{}")) found.peel(name.slice(0, -3), oid);
    else found.add(name, oid);
  }
  capabilities ??= new Map();
  const symrefs = (capabilities.get("symref") ?? []).map((pair) => pair.split(":", 2));
  const head = symrefs.find(([from]) => from === "HEAD")?.[1];
  const refs = { refs: found.refs(), head: head ?? found.guessHead(), skipped: found.skipped, isShallow };
  return { version: 0, capabilities, format: formatOf(capabilities), refs };
}

/** Collects refs as they are announced. */
export class RefCollector {
  private readonly found = new Map<string, RemoteRef>();
  private headOid: Oid | undefined;
  skipped = 0;

  /** @throws RemoteFailed if there are too many */
  add(name: string, oid: Oid): void {
    if (name === "HEAD") this.headOid = oid;
    else if (name.startsWith("refs/") && isRefName(name)) this.found.set(name, { name, oid });
    else this.skipped++;
    if (this.found.size + this.skipped > MAX_REMOTE_REFS) throw new RemoteFailed("too-many-refs");
  }

  peel(name: string, peeled: Oid): void {
    const ref = this.found.get(name);
    if (ref) this.found.set(name, { ...ref, peeled });
  }

  refs(): RemoteRef[] {
    return [...this.found.values()];
  }

  /**
   * Servers from before 2013 do not say what HEAD points to: guess a branch with the same commit, preferring `master`.
   */
  guessHead(): string | undefined {
    if (this.headOid === undefined) return undefined;
    const same = this.refs().filter(({ name, oid }) => name.startsWith("refs/heads/") && oid === this.headOid);
    return (same.find(({ name }) => name === "refs/heads/master") ?? same[0])?.name;
  }
}

function capabilitiesOf(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const word of words) {
    if (word === "") continue;
    const equals = word.indexOf("=");
    const name = equals < 0 ? word : word.slice(0, equals);
    const values = found.get(name) ?? [];
    if (equals >= 0) values.push(word.slice(equals + 1));
    found.set(name, values);
  }
  return found;
}

function formatOf(capabilities: ReadonlyMap<string, readonly string[]>): ObjectFormat {
  const name = capabilities.get("object-format")?.[0];
  if (name === undefined) return SHA1;
  const format = formatNamed(name);
  if (!format) throw new RemoteFailed("object-format", name.slice(0, 20));
  return format;
}

/** The text of a data packet without its line feed; undefined for other packets and at the end. */
function textOf(packet: Packet | undefined): string | undefined {
  return packet?.kind === "data" ? decodeName(packet.data).replace(/\n$/, "") : undefined;
}

/** @throws RemoteFailed if it is not a line, or is a refusal */
export function lineFrom(packet: Packet | undefined): string {
  const line = textOf(packet);
  if (packet?.kind !== "data" || line === undefined)
    throw new RemoteFailed("broken", packet ? "a list that ends too early" : "the answer breaks off");
  if (line.startsWith("ERR ")) throw new RemoteFailed("refused", wordsOfRemote(packet.data.subarray(4)));
  return line;
}
