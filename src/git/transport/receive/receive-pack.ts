import { JobFailed, type WorkerPool } from "../../../workers/pool.ts";
import type { FsckId } from "../../object-checks/fsck.ts";
import type { ObjectFormat } from "../../objects/format.ts";
import type { ReceiveLimits } from "../../receive/limits.ts";
import { discard, newQuarantine, type Quarantined } from "../../receive/quarantine.ts";
import { isPushableRefName } from "../../refs/names.ts";
import type { RefChange } from "../../refs/types.ts";
import { errorPacket, PacketReader } from "../../wire/pktline.ts";
import { BAND_FATAL, BAND_PROGRESS, framedText, keepalivePacket } from "../../wire/sideband.ts";
import type { ReceivedPack, ReceiveInput } from "./receive.job.ts";
import { type CommandResult, formatReport } from "./report.ts";
import { BadPush, type PushFeatures, type PushLimits, type PushRequest, readPushRequest } from "./request.ts";

/** A push whose pack, if it has one, lies verified in quarantine: the host decides. */
export interface VerifiedPush {
  /** Commands that may be carried out as far as the engine can tell, in the order given. */
  readonly commands: readonly RefChange[];
  readonly pushOptions: readonly string[];
  /** All of them or none. */
  readonly atomic: boolean;
  /** To be admitted before the refs move. Undefined when nothing but deletions was asked for. */
  readonly pack: Quarantined | undefined;
  /** How the client calls itself. */
  readonly agent: string;
}

export interface PushOutcome {
  /** One for each command given. */
  readonly results: readonly CommandResult[];
}

export interface ReceivePackOptions {
  readonly repoDir: string;
  /** The repository's. */
  readonly format: ObjectFormat;
  /** The request body, inflated; over a connection what the client sends after it was told the refs. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * The body comes over a connection that the client may leave open while it waits for the report (SSH): the pack's own
   * end is the end, and a refusal is answered at once. What comes after that is the caller's to read. `return` of the
   * body's iterator must end a `next` that waits.
   */
  readonly isConnection?: boolean;
  readonly pool: WorkerPool;
  /** Answers the tips of all refs, hidden ones too, an id a line: what they lead to is known to be whole. */
  connectedTo(): string;
  /**
   * The host's first word, when the commands and options are read and the pack is not: a refusal, after which the pack
   * is read and thrown away, or undefined, and the push goes on. The host may let it wait here.
   * @throws whatever ends the request without an answer in git's protocol
   */
  begin?(request: Pick<PushRequest, "commands" | "pushOptions">): Promise<Refusal | undefined>;
  /**
   * The host's part: judge the push, admit the pack, change the refs, all or as commanded. What it `say`s is shown to
   * the person who pushes. A pack that it does not admit is discarded afterwards.
   */
  apply(push: VerifiedPush, say: (text: string) => void): Promise<PushOutcome>;
  /** Whose push it is, for a fair share of the threads. */
  readonly share?: string;
  /** Aborted when the client goes away; from `apply` on a push is carried out all the same. */
  readonly signal?: AbortSignal;
  readonly limits?: { readonly push?: PushLimits; readonly pack?: Partial<ReceiveLimits> };
  /** What `git fsck --strict` calls an error, and no object is refused for. */
  readonly accepted?: readonly FsckId[];
  /** Hears how far the pack is, also while the client cannot. */
  onProgress?(text: string): void;
  /** Hears of errors that are not the client's. */
  onError?(error: unknown): void;
  /** What the client is told of such an error (a full disk); undefined: only "internal error". */
  wordsFor?(error: unknown): string | undefined;
  /** What the person who pushes is told beside the report when an object is refused for these. */
  adviceFor?(problems: readonly string[]): string | undefined;
  /** Milliseconds without a word after which a sign of life is sent. */
  readonly keepaliveMs?: number;
}

const KEEPALIVE_MS = 5000;

/** How `ingestPack` says that a pack is sound but not whole; also git's reason after the ref. */
const MISSING_OBJECTS = "missing necessary objects";

/** After a pack was refused, so much more of it is read and thrown away, so that the client gets to read why. */
const DRAINED_BYTES = 512 * 1024 * 1024;

/**
 * Answers a POST to `git-receive-pack`. Resolves when the request is read to its end, with the response body; what
 * went wrong with the push is part of the answer.
 * @throws the error of the body stream when the client goes away while it sends; nothing is left of the push then
 */
export async function receivePack(options: ReceivePackOptions): Promise<ReadableStream<Uint8Array>> {
  const reader = new PacketReader(options.body);
  let request: PushRequest | undefined;
  try {
    request = await readPushRequest(reader, options.format, options.limits?.push);
  } catch (error) {
    if (!(error instanceof BadPush)) throw error;
    if (!options.isConnection) await drain(reader);
    return refusal(error.message, error.features);
  }
  if (!request) return streamOfOne(new Uint8Array(0));
  const refused = await options.begin?.(request);
  if (refused) {
    if (!options.isConnection) await drain(reader);
    return reportRefused(request, refused);
  }
  const push = new Push(options, request);
  await push.upload(reader);
  return push.answer();
}

/**
 * Answers a push that the host cannot even begin with, in words that git shows: the body of an HTTP error it does not.
 * @throws the error of the body stream
 */
export async function refusePush(
  body: AsyncIterable<Uint8Array>,
  format: ObjectFormat,
  words: string,
  { isConnection = false, limits }: { readonly isConnection?: boolean; readonly limits?: PushLimits } = {},
): Promise<ReadableStream<Uint8Array>> {
  const reader = new PacketReader(body);
  try {
    const request = await readPushRequest(reader, format, limits);
    if (!isConnection) await drain(reader);
    return request ? refusal(words, request.features) : streamOfOne(new Uint8Array(0));
  } catch (error) {
    if (!(error instanceof BadPush)) throw error;
    if (!isConnection) await drain(reader);
    return refusal(words, error.features);
  }
}

/** Why a push is refused: what is said before the report, and the reason of each ref. */
export interface Refusal {
  readonly words: string | undefined;
  reasonOf(name: string): string;
}

/** The report of a push of which nothing is done. */
function reportRefused({ commands, features }: PushRequest, { words, reasonOf }: Refusal): ReadableStream<Uint8Array> {
  const { report, sideBand } = features;
  const said = sideBand && words !== undefined ? framedText(BAND_PROGRESS, words, sideBand) : new Uint8Array(0);
  const results = commands.map(({ name }): CommandResult => ({ name, ok: false, reason: reasonOf(name) }));
  return streamOfOne(Buffer.concat([said, formatReport(report, sideBand, undefined, results)]));
}

/** One push on its way. */
class Push {
  private out: ReadableStreamDefaultController<Uint8Array> | undefined;
  private readonly early: Uint8Array[] = [];
  private quarantineDir: string | undefined;
  private received: Promise<ReceivedPack> | undefined;
  /** The client went away. */
  private stopped = false;
  private abortJob: () => void = () => {};

  constructor(
    private readonly options: ReceivePackOptions,
    private readonly request: PushRequest,
  ) {}

  /** Streams the pack into the worker; reads on, up to a limit, when the worker has had enough. */
  async upload(reader: PacketReader): Promise<void> {
    const newTips = this.request.commands.map((command) => command.newOid).filter((oid) => oid !== null);
    if (newTips.length === 0) return;
    const { repoDir, pool, share, signal, limits, accepted, isConnection = false } = this.options;
    const pieces = reader.rest();
    // A client may look for what to send for minutes: no thread waits for it meanwhile.
    let step = await pieces.next();
    try {
      this.quarantineDir = newQuarantine(repoDir);
    } catch (error) {
      // The client hears it in the report, once it has sent everything.
      this.received = Promise.reject(error);
      this.received.catch(() => {});
      if (!isConnection) await drain(reader);
      return;
    }
    const input: ReceiveInput = {
      repoDir,
      quarantineDir: this.quarantineDir,
      newTips: [...new Set(newTips)],
      connectedTo: this.options.connectedTo(),
      limits: limits?.pack ?? {},
      packEndsItself: isConnection,
      accepted: accepted ?? [],
    };
    const job = pool.start("git.receive", input, {
      lane: "pushes",
      ...(share === undefined ? {} : { share }),
      onNote: (note) => this.sayProgress(note),
      ...(signal ? { signal } : {}),
    });
    this.abortJob = () => job.abort();
    this.received = job.result;
    let isOver = false;
    const over = () => {
      isOver = true;
      if (isConnection) reader.cancel().catch(() => {});
    };
    job.result.then(isConnection ? over : () => {}, over);
    let surplusBytes = 0;
    try {
      for (; !step.done; step = await pieces.next()) {
        const piece = step.value;
        if (isOver) surplusBytes += piece.byteLength;
        else await job.send(piece.byteLength === piece.buffer.byteLength ? piece : piece.slice());
        if (surplusBytes > DRAINED_BYTES) break;
      }
    } catch (error) {
      job.abort();
      // Until it has ended it may write there.
      await job.result.catch(() => {});
      this.discard();
      throw error;
    }
    job.end();
  }

  answer(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.out = controller;
        for (const bytes of this.early.splice(0)) controller.enqueue(bytes);
        const keepaliveMs = this.options.keepaliveMs ?? KEEPALIVE_MS;
        const keepalive = setInterval(() => this.keepAlive(), keepaliveMs);
        this.conclude()
          .then(
            (report) => {
              this.send(report);
              if (!this.stopped) controller.close();
            },
            (error) => {
              if (!this.stopped) controller.error(error);
            },
          )
          .finally(() => clearInterval(keepalive));
      },
      cancel: () => {
        this.stopped = true;
        // Without effect once the pack is verified: what the host carries out is carried out whole.
        this.abortJob();
      },
    });
  }

  /** Waits for the worker, lets the host decide, and answers the report. */
  private async conclude(): Promise<Uint8Array> {
    const { commands, features } = this.request;
    const report = (unpackError: string | undefined, results: readonly CommandResult[]) =>
      formatReport(features.report, features.sideBand, unpackError, results);
    const refuseAll = (reason: string) => commands.map(({ name }): CommandResult => ({ name, ok: false, reason }));
    try {
      const received = await this.received;
      return report(undefined, await this.carryOut(received, refuseAll));
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      const ownWords = wordsOf(error);
      if (ownWords === undefined) this.options.onError?.(error);
      const advice = this.options.adviceFor?.(problemsOf(error));
      if (advice !== undefined) this.say(advice);
      const words = ownWords ?? this.options.wordsFor?.(error);
      if (!words?.startsWith(MISSING_OBJECTS)) return report(words ?? "internal error", refuseAll("unpacker error"));
      const isShallow = this.request.shallows.length > 0;
      return report(undefined, refuseAll(isShallow ? "shallow update not allowed" : MISSING_OBJECTS));
    } finally {
      this.discard();
    }
  }

  private async carryOut(
    received: ReceivedPack | undefined,
    refuseAll: (reason: string) => CommandResult[],
  ): Promise<CommandResult[]> {
    const { commands, pushOptions } = this.request;
    const { atomic, agent } = this.request.features;
    const refused = refusedByEngine(commands, received);
    const refusal = (reason: string) => (name: string) => ({ name, ok: false as const, reason });
    if (atomic && refused.size > 0)
      return commands.map(({ name }, at) => refusal(refused.get(at) ?? "atomic transaction failed")(name));
    const accepted = commands.filter((_, at) => !refused.has(at));
    const pack = received?.quarantined;
    let outcome: PushOutcome = { results: [] };
    try {
      const push: VerifiedPush = { commands: accepted, pushOptions, atomic, pack, agent };
      if (accepted.length > 0) outcome = await this.options.apply(push, (text) => this.say(text));
    } catch (error) {
      this.options.onError?.(error);
      const words = this.options.wordsFor?.(error);
      if (words !== undefined) this.say(`error: ${words}`);
      return refuseAll(words ?? "internal server error");
    }
    const byName = new Map(outcome.results.map((result) => [result.name, result]));
    return commands.map(({ name }, at): CommandResult => {
      const reason = refused.get(at);
      if (reason !== undefined) return refusal(reason)(name);
      return byName.get(name) ?? refusal("failed to update ref")(name);
    });
  }

  private say(text: string): void {
    const { sideBand } = this.request.features;
    if (sideBand) this.send(framedText(BAND_PROGRESS, text, sideBand));
  }

  /** Counters that pass while no one can read them yet are left out. */
  private sayProgress(note: string): void {
    this.options.onProgress?.(note);
    if (this.request.features.quiet || (!this.out && note.endsWith("\r"))) return;
    this.say(note);
  }

  private keepAlive(): void {
    if (this.request.features.sideBand) this.send(keepalivePacket());
  }

  private send(bytes: Uint8Array): void {
    if (this.stopped) return;
    if (this.out) this.out.enqueue(bytes);
    else this.early.push(bytes);
  }

  private discard(): void {
    if (this.quarantineDir !== undefined) discard({ quarantineDir: this.quarantineDir });
  }
}

/** Commands that are refused whatever the host thinks, by their place. */
function refusedByEngine(commands: readonly RefChange[], received: ReceivedPack | undefined): Map<number, string> {
  const refused = new Map<number, string>();
  const seen = new Set<string>();
  commands.forEach((command, at) => {
    if (!isPushableRefName(command.name, command.newOid === null)) refused.set(at, "funny refname");
    else if (seen.has(command.name)) refused.set(at, "multiple updates for ref not allowed");
    else if (command.newOid !== null && command.name.startsWith("refs/heads/")) {
      // A branch can only stand on a commit.
      if (received?.tipTypes[command.newOid] !== "commit") refused.set(at, "failed to update ref");
    }
    seen.add(command.name);
  });
  return refused;
}

/** What fsck has against the object for which a pack is refused. */
function problemsOf(error: unknown): readonly string[] {
  const problems = error instanceof JobFailed ? error.fields["problems"] : undefined;
  return Array.isArray(problems) ? problems : [];
}

/** The engine's own words for a bad pack; undefined for an error that is none of the client's business. */
function wordsOf(error: unknown): string | undefined {
  const spoken = ["BadPack", "ProtocolError", "ObjectTooLarge"];
  return error instanceof JobFailed && spoken.includes(error.originalName) ? error.message : undefined;
}

function refusal(message: string, features: PushFeatures): ReadableStream<Uint8Array> {
  if (!features.sideBand) return streamOfOne(errorPacket(message));
  return streamOfOne(framedText(BAND_FATAL, `${message}\n`, features.sideBand));
}

function streamOfOne(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes.byteLength > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}

async function drain(reader: PacketReader): Promise<void> {
  let bytes = 0;
  for await (const piece of reader.rest()) {
    bytes += piece.byteLength;
    if (bytes > DRAINED_BYTES) break;
  }
}
