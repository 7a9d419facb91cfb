import type { ObjectFormat } from "../objects/format.ts";
import type { Oid } from "../objects/types.ts";
import type { RefChange, RefResult } from "../refs/types.ts";
import { AGENT, formatCapability } from "../transport/protocol.ts";
import { PacketList, PacketReader } from "../wire/pktline.ts";
import { type Advertisement, lineFrom, type RemoteRefs, readAdvertisement } from "./advertisement.ts";
import { dataBand, type OnRemoteText } from "./bands.ts";
import type { Conversation, RemoteTransport } from "./conversation.ts";
import { RemoteFailed, wordsOfRemote } from "./errors.ts";

export interface RemotePush {
  /** The ref updates to make, based on the refs that the remote has announced. */
  readonly changes: readonly RefChange[];
  /** All or none; refused if the remote does not support it. */
  readonly atomic?: boolean;
  readonly options?: readonly string[];
  /**
   * The pack with the objects needed. Not called if there are only deletions.
   * @param ofsDelta whether delta bases may be given by their offset in the pack
   */
  pack(ofsDelta: boolean): AsyncIterable<Uint8Array>;
  readonly onText?: OnRemoteText;
}

/** The push side of a repository on a remote. */
export class RemoteTarget {
  private constructor(
    private readonly conversation: Conversation,
    private readonly advertisement: Advertisement,
  ) {}

  /** @throws RemoteFailed; whatever the transport throws */
  static async open(transport: RemoteTransport): Promise<RemoteTarget> {
    const conversation = await transport.open("git-receive-pack", 0);
    try {
      return new RemoteTarget(conversation, await readAdvertisement(conversation.greeting));
    } catch (error) {
      await conversation.close();
      throw error;
    }
  }

  get format(): ObjectFormat {
    return this.advertisement.format;
  }

  /** The remote's current refs. */
  get refs(): RemoteRefs {
    return this.advertisement.refs;
  }

  /**
   * Requests the updates, of which there must be at least one.
   * @returns one result per update, in their order, with the remote's reason if it refused
   * @throws RemoteFailed if the push as a whole failed
   */
  async push(push: RemotePush): Promise<RefResult[]> {
    const offered = (name: string) => this.advertisement.capabilities.has(name);
    const options = push.options ?? [];
    const deletes = push.changes.some(({ newOid }) => newOid === null);
    if (push.atomic && !offered("atomic")) throw new RemoteFailed("refused", "it cannot change several refs at once");
    if (options.length > 0 && !offered("push-options")) throw new RemoteFailed("refused", "it takes no push options");
    if (deletes && !offered("delete-refs")) throw new RemoteFailed("refused", "it deletes no refs");
    const hasBands = offered("side-band-64k");
    const words = [
      ...["report-status", "side-band-64k"].filter(offered),
      ...(push.atomic ? ["atomic"] : []),
      ...(options.length > 0 ? ["push-options"] : []),
      ...(offered("object-format") ? [formatCapability(this.format)] : []),
      ...(offered("agent") ? [`agent=${AGENT}`] : []),
    ];
    const reader = await this.conversation.ask(this.request(push, words.join(" ")));
    if (!offered("report-status")) {
      for await (const _ of hasBands ? dataBand(reader, push.onText) : reader.rest());
      return push.changes.map(({ name }) => ({ name, ok: true }));
    }
    const report = hasBands ? new PacketReader(dataBand(reader, push.onText)) : reader;
    const results = await readReport(report, push.changes);
    await report.cancel();
    return results;
  }

  close(): Promise<void> {
    return this.conversation.close();
  }

  private async *request(push: RemotePush, words: string): AsyncGenerator<Uint8Array, void, undefined> {
    const none = this.format.zeroOid;
    const lines = new PacketList();
    push.changes.forEach(({ name, oldOid, newOid }, at) => {
      const line = `${oldOid ?? none} ${newOid ?? none} ${name}`;
      lines.line(at === 0 ? `${line}\0 ${words}` : line);
    });
    lines.flush();
    if (push.options && push.options.length > 0) {
      for (const option of push.options) lines.line(option);
      lines.flush();
    }
    yield lines.bytes();
    const isNeeded = push.changes.some(({ newOid }) => newOid !== null);
    if (isNeeded) yield* push.pack(this.advertisement.capabilities.has("ofs-delta"));
  }
}

/** @throws RemoteFailed if the pack was not accepted, or there is no report */
async function readReport(reader: PacketReader, changes: readonly RefChange[]): Promise<RefResult[]> {
  const unpack = lineFrom(await reader.next());
  if (unpack !== "unpack ok") throw new RemoteFailed("refused", wordsOfRemote(Buffer.from(unpack)));
  const told = new Map<string, RefResult>();
  for (let packet = await reader.next(); packet?.kind === "data"; packet = await reader.next()) {
    const line = lineFrom(packet);
    const [word, name = ""] = line.split(" ", 2);
    if (word === "ok") told.set(name, { name, ok: true });
    else if (word === "ng")
      told.set(name, { name, ok: false, reason: wordsOfRemote(Buffer.from(line.slice(4 + name.length))) });
  }
  return changes.map(({ name }) => told.get(name) ?? { name, ok: false, reason: "the other server did not tell" });
}

/**
 * The ids that the remote has announced: what is reachable from those present here can be omitted from a pack for it.
 */
export function hadBy(refs: RemoteRefs): Oid[] {
  return [...new Set(refs.refs.flatMap(({ oid, peeled }) => (peeled === undefined ? [oid] : [oid, peeled])))];
}
