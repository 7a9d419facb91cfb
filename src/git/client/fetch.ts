import { type ObjectFormat, SHA1 } from "../objects/format.ts";
import type { Oid } from "../objects/types.ts";
import { AGENT, formatCapability } from "../transport/protocol.ts";
import { type Packet, PacketList, type PacketReader } from "../wire/pktline.ts";
import { type Advertisement, lineFrom, RefCollector, type RemoteRefs, readAdvertisement } from "./advertisement.ts";
import { dataBand, type OnRemoteText } from "./bands.ts";
import type { Conversation, RemoteTransport } from "./conversation.ts";
import { RemoteFailed } from "./errors.ts";

export interface FetchRequest {
  /** The objects needed. @see RemoteSource.refs */
  readonly wants: readonly Oid[];
  /** Commits present here with all their history, starting with those that the remote most likely has, too. */
  readonly haves: readonly Oid[];
  readonly onText?: OnRemoteText;
}

/** The number of commits in the first request, doubled with each further one. */
const FIRST_ROUND = 32;
const MAX_ROUND = 1_024;

/**
 * The fetch side of a repository on a remote: its refs, and packs of what is reachable from them. Uses version 2, or
 * version 0 with servers that support nothing newer.
 */
export class RemoteSource {
  private constructor(
    private readonly conversation: Conversation,
    private readonly advertisement: Advertisement,
  ) {}

  /** @throws RemoteFailed; whatever the transport throws */
  static async open(transport: RemoteTransport): Promise<RemoteSource> {
    const conversation = await transport.open("git-upload-pack", 2);
    try {
      return new RemoteSource(conversation, await readAdvertisement(conversation.greeting));
    } catch (error) {
      await conversation.close();
      throw error;
    }
  }

  get format(): ObjectFormat {
    return this.advertisement.format;
  }

  /**
   * The remote's refs, and what HEAD points to.
   * @param prefixes only refs whose names begin with one of them; a server may send more
   */
  async refs(prefixes: readonly string[] = ["refs/"]): Promise<RemoteRefs> {
    if (this.advertisement.version === 0) return this.advertisement.refs;
    const request = this.command("ls-refs").line("peel\n").line("symrefs\n");
    for (const prefix of ["HEAD", ...prefixes]) request.line(`ref-prefix ${prefix}\n`);
    return readLsRefs(await this.conversation.ask(request.flush().bytes()));
  }

  /**
   * The pack with the needed objects. It may be thin: delta bases reachable from `haves` are omitted.
   * @throws RemoteFailed if the remote refuses, or its own history is shallow
   */
  async *pack(request: FetchRequest): AsyncGenerator<Uint8Array, void, undefined> {
    yield* this.advertisement.version === 2 ? this.packV2(request) : this.packV0(request);
  }

  close(): Promise<void> {
    return this.conversation.close();
  }

  private command(name: string): PacketList {
    const list = new PacketList().line(`command=${name}\n`).line(`agent=${AGENT}\n`);
    if (this.advertisement.capabilities.has("object-format")) list.line(`${formatCapability(this.format)}\n`);
    return list.delimiter();
  }

  private async *packV2({ wants, haves, onText }: FetchRequest): AsyncGenerator<Uint8Array, void, undefined> {
    const rounds = roundsOf(haves);
    const common = new Set<Oid>();
    for (;;) {
      const round = rounds.next().value;
      const request = this.command("fetch").line("thin-pack\n").line("ofs-delta\n").line("include-tag\n");
      for (const oid of wants) request.line(`want ${oid}\n`);
      for (const oid of common) request.line(`have ${oid}\n`);
      for (const oid of round ?? []) request.line(`have ${oid}\n`);
      if (!round) request.line("done\n");
      const reader = await this.conversation.ask(request.flush().bytes());
      let section = lineFrom(await reader.next());
      if (section === "acknowledgments") {
        const isReady = await readAcknowledgments(reader, common);
        if (!isReady) continue;
        section = lineFrom(await reader.next());
      }
      while (section !== "packfile") {
        if (section === "shallow-info") throw new RemoteFailed("shallow");
        await readSection(reader);
        section = lineFrom(await reader.next());
      }
      yield* dataBand(reader, onText);
      return;
    }
  }

  private async *packV0({ wants, haves, onText }: FetchRequest): AsyncGenerator<Uint8Array, void, undefined> {
    const { capabilities, refs } = this.advertisement;
    if (refs.isShallow) throw new RemoteFailed("shallow");
    const offered = (name: string) => capabilities.has(name);
    const sideBand = offered("side-band-64k") ? "side-band-64k" : offered("side-band") ? "side-band" : undefined;
    const inRounds = offered("multi_ack_detailed");
    const words = [
      ...(inRounds ? ["multi_ack_detailed"] : []),
      ...(sideBand ? [sideBand] : []),
      ...["thin-pack", "ofs-delta", "include-tag"].filter(offered),
      ...(offered("agent") ? [`agent=${AGENT}`] : []),
      ...(this.format === SHA1 ? [] : [formatCapability(this.format)]),
    ];
    const wanted = new PacketList();
    wants.forEach((oid, at) => {
      wanted.line(at === 0 ? `want ${oid} ${words.join(" ")}\n` : `want ${oid}\n`);
    });
    const wantLines = wanted.flush().bytes();

    const rounds = roundsOf(inRounds ? haves : haves.slice(0, MAX_ROUND));
    const common = new Set<Oid>();
    const { isStateless } = this.conversation;
    let isReady = !inRounds;
    for (let first = true; ; first = false) {
      const round = isReady && inRounds ? undefined : rounds.next().value;
      const request = new PacketList();
      if (first || isStateless) request.raw(wantLines);
      if (isStateless) for (const oid of common) request.line(`have ${oid}\n`);
      for (const oid of round ?? []) request.line(`have ${oid}\n`);
      const isLast = !round || !inRounds;
      if (isLast) request.line("done\n");
      else request.flush();
      const reader = await this.conversation.ask(request.bytes());
      isReady = await readAcks(reader, common);
      if (!isLast) continue;
      yield* sideBand ? dataBand(reader, onText) : reader.rest();
      return;
    }
  }
}

/** Growing parts of the list, so that close relatives are found at once and distant ones in a few requests. */
function* roundsOf(haves: readonly Oid[]): Generator<readonly Oid[], undefined, undefined> {
  let size = FIRST_ROUND;
  for (let at = 0; at < haves.length; ) {
    yield haves.slice(at, at + size);
    at += size;
    size = Math.min(size * 2, MAX_ROUND);
  }
}

async function readLsRefs(reader: PacketReader): Promise<RemoteRefs> {
  const found = new RefCollector();
  let head: string | undefined;
  for (let packet = await reader.next(); packet?.kind !== "flush"; packet = await reader.next()) {
    const [oid = "", name = "", ...attributes] = lineFrom(packet).split(" ");
    if (oid === "unborn") continue;
    if (!/^[0-9a-f]{40,64}$/.test(oid) || name === "") throw new RemoteFailed("broken", "a line of its list of refs");
    found.add(name, oid);
    for (const attribute of attributes) {
      if (attribute.startsWith("peeled:")) found.peel(name, attribute.slice("peeled:".length));
      if (name === "HEAD" && attribute.startsWith("symref-target:")) head = attribute.slice("symref-target:".length);
    }
  }
  return { refs: found.refs(), head: head ?? found.guessHead(), skipped: found.skipped, isShallow: false };
}

/** Version 2: records which commits are common. @returns whether a pack follows */
async function readAcknowledgments(reader: PacketReader, common: Set<Oid>): Promise<boolean> {
  let isReady = false;
  for (;;) {
    const packet = await reader.next();
    if (packet?.kind === "flush") return false;
    if (packet?.kind === "delimiter") return isReady;
    const [word, oid] = lineFrom(packet).split(" ");
    if (word === "ready") isReady = true;
    else if (word === "ACK" && oid !== undefined) common.add(oid);
  }
}

async function readSection(reader: PacketReader): Promise<void> {
  let packet: Packet | undefined;
  do packet = await reader.next();
  while (packet?.kind === "data");
  if (packet?.kind !== "delimiter") throw new RemoteFailed("broken", "the answer ends before its pack");
}

/** Version 0: reads acknowledgements up to the last one. @returns whether the remote knows enough */
async function readAcks(reader: PacketReader, common: Set<Oid>): Promise<boolean> {
  let isReady = false;
  for (;;) {
    const line = lineFrom(await reader.next());
    if (line === "NAK") return isReady;
    const [word, oid, state] = line.split(" ");
    if (word !== "ACK" || oid === undefined) throw new RemoteFailed("broken", "an acknowledgement");
    if (state === undefined) return isReady;
    common.add(oid);
    if (state === "ready") isReady = true;
  }
}
