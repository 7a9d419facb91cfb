import { CorruptObject, ProtocolError } from "../../errors.ts";
import type { Commits } from "../../graph/commits.ts";
import { isOid, type Oid } from "../../objects/types.ts";
import type { ObjectStore } from "../../odb/store.ts";
import { type ClosedPack, closedPacks } from "../../pack-objects/closures.ts";
import type { Outlet } from "../../pack-objects/outlet.ts";
import { type Emit, PackOutput } from "../../pack-objects/output.ts";
import { type Cuts, type PackPlan, planPack } from "../../pack-objects/plan.ts";
import { findCommit } from "../../pack-objects/tips.ts";
import { countOf, isOneStoredPack, writePack } from "../../pack-objects/writer.ts";
import { expansionsOf } from "../../refs/names.ts";
import type { Ref } from "../../refs/types.ts";
import { errorPacket, PacketList } from "../../wire/pktline.ts";
import { BAND_FATAL, BAND_PROGRESS, framedText, keepalivePacket, type SideBand } from "../../wire/sideband.ts";
import type { ProtocolVersion } from "../protocol.ts";
import type { RefLines } from "../ref-lines.ts";
import { Common } from "./common.ts";
import { type NegotiationState, negotiateV0, newNegotiation } from "./negotiation.ts";
import { objectInfo } from "./object-info.ts";
import { type FetchRequest, parseV0, parseV2, parseV2Fetch, type V2Fetch } from "./request.ts";
import { planShallow } from "./shallow.ts";
import { checkWants, Reachable } from "./wants.ts";

export interface FetchInput {
  readonly repoDir: string;
  readonly version: ProtocolVersion;
  /** The request as received, inflated. */
  readonly body: Uint8Array;
  /** The refs the caller may see; nothing else is served. */
  readonly refs: RefLines;
  /** The ref HEAD points to. */
  readonly head: string;
  /** What earlier requests of the same connection agreed on (version 0 and 1); not sent again. */
  readonly earlier?: NegotiationState;
}

/** The repository at `repoDir`, open. */
export interface OpenRepository {
  readonly store: ObjectStore;
  readonly commits: Commits;
}

/**
 * Answers one upload-pack request (version 0, 1, or a version 2 command that reads objects) by emitting bytes. Client
 * errors are answered in the protocol; other errors are reported to the client without internal details, and thrown.
 */
export async function answerFetch(
  input: FetchInput,
  { store, commits }: OpenRepository,
  emit: Emit,
  outlet?: Outlet,
): Promise<void> {
  const answer = new Answer(input, store, commits, emit, outlet);
  try {
    await answer.run();
  } catch (error) {
    await emit(answer.errorPacket(wordsFor(error)));
    if (!(error instanceof ProtocolError)) throw error;
  }
}

function wordsFor(error: unknown): string {
  if (error instanceof ProtocolError) return error.message;
  if (error instanceof CorruptObject)
    return "upload-pack: some of this repository's objects are missing or damaged on the server";
  return "upload-pack: internal error";
}

/** The answer to one round of a negotiation. */
export interface NegotiationAnswer {
  readonly bytes: Uint8Array;
  /** State for the next round; undefined: a client error was answered, and the conversation is over. */
  readonly state: NegotiationState | undefined;
}

/** Answers one round of a version 0 or 1 negotiation over a connection: wants, alone or with haves up to a flush. */
export async function answerNegotiation(
  input: FetchInput,
  { store, commits }: OpenRepository,
): Promise<NegotiationAnswer> {
  const answer = new Answer(input, store, commits, async () => {}, undefined);
  try {
    return answer.negotiate();
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return { bytes: answer.errorPacket(error.message), state: undefined };
  }
}

/** One request being answered. */
class Answer {
  private readonly closed: readonly ClosedPack[];
  private readonly reachable: Reachable;
  /** Set once the pack's section has begun: from then on errors go on the fatal band. */
  private packBand: SideBand | "none" | undefined;

  constructor(
    private readonly input: FetchInput,
    private readonly store: ObjectStore,
    private readonly commits: Commits,
    private readonly emit: Emit,
    private readonly outlet: Outlet | undefined,
  ) {
    this.closed = closedPacks(input.repoDir, store);
    this.reachable = new Reachable(store, commits, this.closed, input.refs);
  }

  async run(): Promise<void> {
    if (this.input.version !== 2) return this.answerV0();
    const command = parseV2(this.input.body, this.store.format);
    if (!command) return;
    if (command.command === "fetch") return this.answerV2(parseV2Fetch(command.args));
    if (command.command === "object-info")
      return this.emit(objectInfo(command.args, this.store, (oid) => this.reachable.has(oid)));
    // Short `ls-refs` requests are answered on the main thread.
    if (command.command === "ls-refs") throw new ProtocolError("ls-refs: the request is too long");
    throw new ProtocolError(`unknown command '${command.command.slice(0, 100)}'`);
  }

  errorPacket(message: string): Uint8Array<ArrayBuffer> {
    if (this.packBand === undefined) return errorPacket(message);
    return this.packBand === "none" ? new Uint8Array(0) : framedText(BAND_FATAL, `${message}\n`, this.packBand);
  }

  private async answerV2(fetch: V2Fetch): Promise<void> {
    const wantedRefs = this.resolveWantRefs(fetch.request.wantRefs);
    const wants = [...new Set([...fetch.request.wants, ...wantedRefs.map((ref) => ref.oid)])];
    checkWants(fetch.request.wants, this.reachable);
    if (wants.length === 0 && fetch.haves.length === 0) throw new ProtocolError("upload-pack: nothing wanted");
    const common = this.commonFor(wants);
    const known = fetch.haves.filter((oid) => common.add(oid));
    const head = new PacketList();
    if (!fetch.done) {
      head.line("acknowledgments\n");
      for (const oid of new Set(known)) head.line(`ACK ${oid}\n`);
      if (known.length === 0) head.line("NAK\n");
      if (fetch.waitForDone || wants.length === 0 || !common.isEnough()) return this.emit(head.flush().bytes());
      head.line("ready\n").delimiter();
    }
    const shallow = this.planCuts(fetch.request, wants);
    if (shallow?.lines) {
      head.line("shallow-info\n");
      for (const line of shallow.lines) head.line(`${line}\n`);
      head.delimiter();
    }
    if (wantedRefs.length > 0) {
      head.line("wanted-refs\n");
      for (const ref of wantedRefs) head.line(`${ref.oid} ${ref.name}\n`);
      head.delimiter();
    }
    head.line("packfile\n");
    await this.emit(head.bytes());
    await this.sendPack(fetch.request, wants, common.oids, shallow?.plan, "side-band-64k");
    await this.emit(new PacketList().flush().bytes());
  }

  private async answerV0(): Promise<void> {
    const round = this.roundV0();
    if (!round) return;
    const { fetch, common, cuts, sends, said } = round;
    await this.emit(said);
    if (!sends) return;
    await this.sendPack(fetch.request, fetch.request.wants, common.oids, cuts, fetch.sideBand);
    if (fetch.sideBand) await this.emit(new PacketList().flush().bytes());
  }

  /** The answer to the latest round of version 0 or 1, given those before it; without a pack. @throws ProtocolError */
  negotiate(): NegotiationAnswer {
    const round = this.roundV0();
    if (!round) throw new ProtocolError("upload-pack: nothing wanted");
    return { bytes: round.said, state: { ...round.negotiation, oids: round.common.oids, isAgreed: round.sends } };
  }

  private roundV0() {
    const { earlier } = this.input;
    const fetch = parseV0(this.input.body, this.store.format);
    if (!fetch) return undefined;
    const { wants } = fetch.request;
    checkWants(wants, this.reachable);
    const shallow = this.planCuts(fetch.request, wants);
    const head = new PacketList();
    if (shallow?.lines && !earlier) {
      for (const line of shallow.lines) head.line(line);
      head.flush();
    }
    const common = this.commonFor(wants);
    for (const oid of earlier?.oids ?? []) common.add(oid);
    const negotiation = earlier ? { ...earlier } : newNegotiation();
    const sends = earlier?.isAgreed || negotiateV0(fetch, common, head, negotiation);
    return { fetch, common, cuts: shallow?.plan, negotiation, sends, said: head.bytes() };
  }

  private commonFor(wants: readonly Oid[]): Common {
    const find = (oid: Oid) => findCommit(this.store, this.commits, oid);
    return new Common(this.commits, this.commitsOf(wants), find);
  }

  private commitsOf(oids: readonly Oid[]): number[] {
    return oids.map((oid) => findCommit(this.store, this.commits, oid)).filter((found) => typeof found === "number");
  }

  private resolveWantRefs(names: readonly string[]): Ref[] {
    return names.map((name) => {
      const target = name === "HEAD" ? this.input.head : name;
      const ref = this.input.refs.named(target);
      if (!ref) throw new ProtocolError(`unknown ref ${name.slice(0, 200)}`);
      return { name, oid: ref.oid };
    });
  }

  /** Works out the cuts of the history, with the lines to send if the client asked to change its depth. */
  private planCuts(
    request: FetchRequest,
    wants: readonly Oid[],
  ): { readonly plan: Cuts; readonly lines?: string[] } | undefined {
    const clientShallows = this.commitsOf(request.shallows);
    if (!request.deepen) {
      if (clientShallows.length === 0) return undefined;
      const cut = new Set(clientShallows);
      return { plan: { oldCut: cut, newCut: cut, alsoWanted: [], alsoHad: [] } };
    }
    const plan = planShallow(
      {
        commits: this.commits,
        wants: this.commitsOf(wants),
        clientShallows,
        resolveRef: (short) => this.resolveCommit(short),
        isReachable: (commit) => this.reachable.hasCommit(commit),
      },
      request.deepen,
    );
    const lines = [...plan.shallow.map((oid) => `shallow ${oid}`), ...plan.unshallow.map((oid) => `unshallow ${oid}`)];
    return { plan, lines };
  }

  private resolveCommit(short: string): number | undefined {
    for (const name of expansionsOf(short)) {
      const ref = this.input.refs.named(name);
      if (ref) return findCommit(this.store, this.commits, ref.oid) ?? undefined;
    }
    if (!isOid(short) || !this.reachable.has(short)) return undefined;
    return findCommit(this.store, this.commits, short) ?? undefined;
  }

  private async sendPack(
    request: FetchRequest,
    wants: readonly Oid[],
    haves: readonly Oid[],
    cuts: Cuts | undefined,
    sideBand: SideBand | undefined,
  ): Promise<void> {
    this.packBand = sideBand ?? "none";
    const progress = new Progress(this.emit, sideBand, request.noProgress);
    const plan = this.planWith(request, wants, haves, cuts, progress);
    await progress.say(`Enumerating objects: ${countOf(plan.contents)}, done.\n`);
    const output = new PackOutput(this.emit, sideBand, this.store.format, {
      hashed: !isOneStoredPack(plan.contents),
      outlet: this.outlet,
    });
    const options = { ofsDelta: request.ofsDelta, thin: request.thinPack };
    const counts = await writePack(plan.catalog, plan.contents, options, output);
    await output.finish();
    await progress.say(
      `Total ${counts.objects} (delta ${counts.deltas}), reused ${counts.reused} (delta ${counts.deltas}), pack-reused 0\n`,
    );
  }

  private planWith(
    request: FetchRequest,
    wants: readonly Oid[],
    haves: readonly Oid[],
    cuts: Cuts | undefined,
    progress: Progress,
  ): PackPlan {
    const followTags: { oid: Oid; peeled: Oid }[] = [];
    if (request.includeTag) followTags.push(...this.input.refs.tags());
    return planPack(
      {
        store: this.store,
        commits: this.commits,
        closed: this.closed,
        onProgress: (objects) => progress.counted(objects),
      },
      { wants, haves, filter: request.filter, cuts, followTags, mayCopyPacks: request.ofsDelta },
    );
  }
}

/** Progress text for the user, which also keeps the connection alive while objects are counted. */
class Progress {
  private last = performance.now();

  constructor(
    private readonly emit: Emit,
    private readonly sideBand: SideBand | undefined,
    private readonly quiet: boolean,
  ) {}

  async say(text: string): Promise<void> {
    if (this.sideBand && !this.quiet) await this.emit(framedText(BAND_PROGRESS, text, this.sideBand));
  }

  /** Called from synchronous code, so it posts without waiting, and rarely. */
  counted(objects: number): void {
    const now = performance.now();
    if (!this.sideBand || now - this.last < (this.quiet ? 5000 : 1000)) return;
    this.last = now;
    const sign = this.quiet
      ? keepalivePacket()
      : framedText(BAND_PROGRESS, `Enumerating objects: ${objects}\r`, this.sideBand);
    this.emit(sign).catch(() => {});
  }
}
