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

/** A push whose pack, if any, is in quarantine and verified; the host decides what to do with it. */
export interface VerifiedPush {
  /** Commands the engine found no fault with, in the order received. */
  readonly commands: readonly RefChange[];
  readonly pushOptions: readonly string[];
  /** All commands or none. */
  readonly atomic: boolean;
  /** Must be admitted before the refs move. Undefined if the push only deletes refs. */
  readonly pack: Quarantined | undefined;
  /** The client's agent string. */
  readonly agent: string;
}

export interface PushOutcome {
  /** One result for each command. */
  readonly results: readonly CommandResult[];
}

export interface ReceivePackOptions {
  readonly repoDir: string;
  /** The repository's object format. */
  readonly format: ObjectFormat;
  /** The request body, inflated; over a connection, what the client sends after the ref advertisement. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * The body comes over a connection that the client may keep open while it waits for the report (SSH): the end of the
   * pack ends the body, and a refusal is answered at once. Anything after that is left for the caller to read. `return`
   * of the body's iterator must end a pending `next`.
   */
  readonly isConnection?: boolean;
  readonly pool: WorkerPool;
  /** Returns the tips of all refs, hidden ones too, an id a line: everything they reach is known to be complete. */
  connectedTo(): string;
  /**
   * Called after the commands and options are read, before the pack: returns a refusal, in which case the pack is read
   * and discarded, or undefined to go on. The host may delay the push here.
   * @throws any error that should end the request without an answer in git's protocol
   */
  begin?(request: Pick<PushRequest, "commands" | "pushOptions">): Promise<Refusal | undefined>;
  /**
   * The host's part: check the push, admit the pack and change the refs, atomically or one by one as `atomic` says.
   * Text passed to `say` is shown to the pushing user. A pack that is not admitted is discarded afterwards.
   */
  apply(push: VerifiedPush, say: (text: string) => void): Promise<PushOutcome>;
  /** Key of the user this push counts against, for fair sharing of the threads. */
  readonly share?: string;
  /** Aborted when the client disconnects; once `apply` has started, the push is completed anyway. */
  readonly signal?: AbortSignal;
  readonly limits?: { readonly push?: PushLimits; readonly pack?: Partial<ReceiveLimits> };
  /** Errors of `git fsck --strict` that do not get an object refused. */
  readonly accepted?: readonly FsckId[];
  /** Called with the progress of the pack, even while the client cannot receive it. */
  onProgress?(text: string): void;
  /** Called with errors that are not the client's fault. */
  onError?(error: unknown): void;
  /** The message for the client about such an error (a full disk); undefined: just "internal error". */
  wordsFor?(error: unknown): string | undefined;
  /** Advice for the pushing user, sent beside the report when an object is refused for these problems. */
  adviceFor?(problems: readonly string[]): string | undefined;
  /** Milliseconds of silence after which a keepalive is sent. */
  readonly keepaliveMs?: number;
}

const KEEPALIVE_MS = 5000;

/** How `ingestPack`'s message begins for a sound but incomplete pack; also git's reason after the ref. */
const MISSING_OBJECTS = "missing necessary objects";

/** After a pack is refused, at most this much more of it is read and discarded, so that the client gets to read why. */
const DRAINED_BYTES = 512 * 1024 * 1024;

/**
 * Answers a POST to `git-receive-pack`. Resolves with the response body once the whole request is read; errors in the
 * push are part of the answer.
 * @throws the error of the body stream when the client disconnects while sending; nothing is left of the push then
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
 * Refuses a push before the host begins with it, in a message that git shows, unlike the body of an HTTP error.
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

/** Why a push is refused: a message to send before the report, and the reason for each ref. */
export interface Refusal {
  readonly words: string | undefined;
  reasonOf(name: string): string;
}

/** The report of a push refused as a whole. */
function reportRefused({ commands, features }: PushRequest, { words, reasonOf }: Refusal): ReadableStream<Uint8Array> {
  const { report, sideBand } = features;
  const said = sideBand && words !== undefined ? framedText(BAND_PROGRESS, words, sideBand) : new Uint8Array(0);
  const results = commands.map(({ name }): CommandResult => ({ name, ok: false, reason: reasonOf(name) }));
  return streamOfOne(Buffer.concat([said, formatReport(report, sideBand, undefined, results)]));
}

/** One push in progress. */
class Push {
  private out: ReadableStreamDefaultController<Uint8Array> | undefined;
  private readonly early: Uint8Array[] = [];
  private quarantineDir: string | undefined;
  private received: Promise<ReceivedPack> | undefined;
  /** The client disconnected. */
  private stopped = false;
  private abortJob: () => void = () => {};

  constructor(
    private readonly options: ReceivePackOptions,
    private readonly request: PushRequest,
  ) {}

  /** Streams the pack into the worker; once the worker is done, reads and discards up to a limit. */
  async upload(reader: PacketReader): Promise<void> {
    const newTips = this.request.commands.map((command) => command.newOid).filter((oid) => oid !== null);
    if (newTips.length === 0) return;
    const { repoDir, pool, share, signal, limits, accepted, isConnection = false } = this.options;
    const pieces = reader.rest();
    // A client may take minutes to prepare its pack: no thread is taken until the first bytes arrive.
    let step = await pieces.next();
    try {
      this.quarantineDir = newQuarantine(repoDir);
    } catch (error) {
      // The client gets this error in the report, after sending everything.
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
      // The job may write to the quarantine until it ends.
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
        // No effect once the pack is verified: a push that the host has begun is completed.
        this.abortJob();
      },
    });
  }

  /** Waits for the worker, lets the host decide, and returns the report. */
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

  /** Leaves out transient counters while no one can read them yet. */
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

/** Commands the engine refuses regardless of the host, by index. */
function refusedByEngine(commands: readonly RefChange[], received: ReceivedPack | undefined): Map<number, string> {
  const refused = new Map<number, string>();
  const seen = new Set<string>();
  commands.forEach((command, at) => {
    if (!isPushableRefName(command.name, command.newOid === null)) refused.set(at, "funny refname");
    else if (seen.has(command.name)) refused.set(at, "multiple updates for ref not allowed");
    else if (command.newOid !== null && command.name.startsWith("refs/heads/")) {
      // A branch must point to a commit.
      if (received?.tipTypes[command.newOid] !== "commit") refused.set(at, "failed to update ref");
    }
    seen.add(command.name);
  });
  return refused;
}

/** The fsck problems for which a pack is refused. */
function problemsOf(error: unknown): readonly string[] {
  const problems = error instanceof JobFailed ? error.fields["problems"] : undefined;
  return Array.isArray(problems) ? problems : [];
}

/** The engine's message for a bad pack; undefined for errors that should not be shown to the client. */
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
