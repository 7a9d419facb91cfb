import { ProtocolError } from "../../errors.ts";
import type { ObjectFormat } from "../../objects/format.ts";
import { isOid, type Oid } from "../../objects/types.ts";
import { type ObjectFilter, parseFilter } from "../../pack-objects/filter.ts";
import { lineOf, type Packet, packetsOf } from "../../wire/pktline.ts";
import type { SideBand } from "../../wire/sideband.ts";
import { checkClientFormat } from "../protocol.ts";

/** How deep a history is requested: depth in commits, `since` in seconds since 1970. */
export interface DeepenRequest {
  readonly depth: number | undefined;
  /** Whether depth counts from the client's current boundary instead of the wants. */
  readonly relative: boolean;
  readonly since: number | undefined;
  /** Refs, by short name, whose history is excluded. */
  readonly not: readonly string[];
}

/** A fetch request, in any protocol version. */
export interface FetchRequest {
  readonly wants: readonly Oid[];
  readonly wantRefs: readonly string[];
  /** The client's shallow boundary commits. */
  readonly shallows: readonly Oid[];
  /** Undefined: the history keeps its depth. */
  readonly deepen: DeepenRequest | undefined;
  readonly filter: ObjectFilter | undefined;
  readonly includeTag: boolean;
  readonly ofsDelta: boolean;
  readonly thinPack: boolean;
  readonly noProgress: boolean;
}

/** The depth that `--unshallow` requests. */
export const INFINITE_DEPTH = 0x7fffffff;

/** Maximum lines of one kind in a request; the lazy fetch for a whole checkout wants every blob in it. */
const MAX_WANTS = 500_000;
const MAX_HAVES = 200_000;
const MAX_SHALLOWS = 200_000;

/** Collects the argument lines common to protocols 0 and 2. */
export class FetchArguments {
  readonly wants = new Set<Oid>();
  readonly wantRefs = new Set<string>();
  readonly haves: Oid[] = [];
  private readonly shallows = new Set<Oid>();
  private depth: number | undefined;
  private since: number | undefined;
  private readonly not: string[] = [];
  private filter: ObjectFilter | undefined;
  relative = false;

  want(oid: string): void {
    this.wants.add(checkedOid("want", oid));
    if (this.wants.size > MAX_WANTS) throw new ProtocolError("too many wants");
  }

  have(oid: string): void {
    this.haves.push(checkedOid("have", oid));
    if (this.haves.length > MAX_HAVES) throw new ProtocolError("too many haves");
  }

  wantRef(name: string): void {
    this.wantRefs.add(name);
    if (this.wantRefs.size > MAX_WANTS) throw new ProtocolError("too many wants");
  }

  /** Handles a line about depth or filter; returns false for any other. @throws ProtocolError */
  take(line: string): boolean {
    const space = line.indexOf(" ");
    const word = space === -1 ? line : line.slice(0, space);
    const value = space === -1 ? "" : line.slice(space + 1);
    switch (word) {
      case "shallow":
        this.shallows.add(checkedOid("shallow", value));
        if (this.shallows.size > MAX_SHALLOWS) throw new ProtocolError("too many shallow lines");
        return true;
      case "deepen":
        this.depth = checkedNumber(line, value);
        if (this.depth === 0) this.depth = undefined;
        return true;
      case "deepen-since":
        this.since = checkedNumber(line, value);
        return true;
      case "deepen-not":
        this.not.push(value);
        if (this.not.length > 1000) throw new ProtocolError("too many deepen-not lines");
        return true;
      case "filter":
        this.filter = parseFilter(value);
        return true;
      default:
        return false;
    }
  }

  finish(words: Pick<FetchRequest, "includeTag" | "ofsDelta" | "thinPack" | "noProgress">): FetchRequest {
    const byRule = this.since !== undefined || this.not.length > 0;
    if (this.depth !== undefined && byRule)
      throw new ProtocolError("git upload-pack: deepen and deepen-since (or deepen-not) cannot be used together");
    const deepen = { depth: this.depth, relative: this.relative, since: this.since, not: this.not };
    return {
      wants: [...this.wants],
      wantRefs: [...this.wantRefs],
      shallows: [...this.shallows],
      deepen: this.depth !== undefined || byRule ? deepen : undefined,
      filter: this.filter,
      ...words,
    };
  }
}

function checkedOid(word: string, text: string): Oid {
  if (isOid(text)) return text;
  const line = `${word} ${text}`.slice(0, 100);
  throw new ProtocolError(`git upload-pack: protocol error, expected to get object ID, not '${line}'`);
}

function checkedNumber(line: string, value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new ProtocolError(`invalid line: '${line.slice(0, 100)}'`);
  return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
}

/** A protocol 2 command with its capabilities and arguments. */
export interface V2Command {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Parses a version 2 request; returns undefined if it is only a flush.
 * @throws ProtocolError when it is malformed
 */
export function parseV2(body: Uint8Array, format: ObjectFormat): V2Command | undefined {
  const args: string[] = [];
  const words: string[] = [];
  let command: string | undefined;
  let inArguments = false;
  for (const packet of packetsOf(body)) {
    if (packet.kind === "flush") break;
    if (packet.kind === "delimiter") {
      if (inArguments) throw new ProtocolError("unexpected delimiter");
      inArguments = true;
      continue;
    }
    if (packet.kind !== "data") throw new ProtocolError("unexpected packet");
    const line = lineOf(packet.data);
    if (inArguments) args.push(line);
    else if (line.startsWith("command=")) {
      if (command !== undefined) throw new ProtocolError(`command '${line.slice(8)}' requested after '${command}'`);
      command = line.slice("command=".length);
    } else words.push(line);
  }
  if (command === undefined) {
    if (args.length > 0 || inArguments) throw new ProtocolError("no command requested");
    return undefined;
  }
  checkClientFormat(words, format);
  return { command, args };
}

export interface V2Fetch {
  readonly request: FetchRequest;
  readonly haves: readonly Oid[];
  readonly done: boolean;
  readonly waitForDone: boolean;
  readonly sidebandAll: boolean;
}

/** @throws ProtocolError when an argument is unknown or malformed */
export function parseV2Fetch(args: readonly string[]): V2Fetch {
  const fetch = new FetchArguments();
  const words = new Set<string>();
  const known = new Set([
    "done",
    "thin-pack",
    "no-progress",
    "include-tag",
    "ofs-delta",
    "wait-for-done",
    "sideband-all",
  ]);
  for (const arg of args) {
    if (arg.startsWith("want ")) fetch.want(arg.slice(5));
    else if (arg.startsWith("have ")) fetch.have(arg.slice(5));
    else if (arg.startsWith("want-ref ")) fetch.wantRef(arg.slice(9));
    else if (arg === "deepen-relative") fetch.relative = true;
    else if (known.has(arg)) words.add(arg);
    else if (!fetch.take(arg)) throw new ProtocolError(`unexpected line: '${arg.slice(0, 200)}'`);
  }
  return {
    request: fetch.finish({
      includeTag: words.has("include-tag"),
      ofsDelta: words.has("ofs-delta"),
      thinPack: words.has("thin-pack"),
      noProgress: words.has("no-progress"),
    }),
    haves: fetch.haves,
    done: words.has("done"),
    waitForDone: words.has("wait-for-done"),
    sidebandAll: words.has("sideband-all"),
  };
}

export type AckMode = "plain" | "multi_ack" | "multi_ack_detailed";

export interface V0Fetch {
  readonly request: FetchRequest;
  /** The negotiation as received: the client's haves, `flush` where it waits for an answer, and `done` at the end. */
  readonly rounds: readonly (Oid | "flush" | "done")[];
  readonly ackMode: AckMode;
  readonly noDone: boolean;
  readonly sideBand: SideBand | undefined;
}

/**
 * Parses a version 0 or 1 request; returns undefined if it wants nothing.
 * @throws ProtocolError when it is malformed
 */
export function parseV0(body: Uint8Array, format: ObjectFormat): V0Fetch | undefined {
  const packets = packetsOf(body);
  const fetch = new FetchArguments();
  const words = new Set<string>();
  for (let line = nextLine(packets); line !== undefined; line = nextLine(packets)) {
    if (fetch.take(line)) continue;
    const [word, oid = "", ...features] = line.split(" ");
    if (word !== "want")
      throw new ProtocolError(
        `git upload-pack: protocol error, expected to get object ID, not '${line.slice(0, 100)}'`,
      );
    fetch.want(oid);
    for (const feature of features) words.add(feature);
  }
  if (fetch.wants.size === 0) return undefined;
  // In these versions git's clients accept the server's format and do not state their own.
  checkClientFormat(words, format, format);
  fetch.relative = words.has("deepen-relative");
  return {
    request: fetch.finish({
      includeTag: words.has("include-tag"),
      ofsDelta: words.has("ofs-delta"),
      thinPack: words.has("thin-pack"),
      noProgress: words.has("no-progress"),
    }),
    rounds: roundsOf(packets),
    ackMode: words.has("multi_ack_detailed") ? "multi_ack_detailed" : words.has("multi_ack") ? "multi_ack" : "plain",
    noDone: words.has("no-done") && words.has("multi_ack_detailed"),
    sideBand: words.has("side-band-64k") ? "side-band-64k" : words.has("side-band") ? "side-band" : undefined,
  };
}

/** The next line of a section; undefined at the flush that ends it. */
function nextLine(packets: Iterator<Packet>): string | undefined {
  const step = packets.next();
  if (step.done || step.value.kind === "flush") return undefined;
  if (step.value.kind !== "data") throw new ProtocolError("unexpected packet");
  return lineOf(step.value.data);
}

function roundsOf(packets: Iterable<Packet>): (Oid | "flush" | "done")[] {
  const rounds: (Oid | "flush" | "done")[] = [];
  for (const packet of packets) {
    if (packet.kind === "flush") {
      rounds.push("flush");
      continue;
    }
    if (packet.kind !== "data") throw new ProtocolError("unexpected packet");
    const line = lineOf(packet.data);
    if (line === "done") {
      rounds.push("done");
      return rounds;
    }
    if (!line.startsWith("have "))
      throw new ProtocolError(`git upload-pack: expected SHA1 list, got '${line.slice(0, 100)}'`);
    rounds.push(checkedOid("have", line.slice(5)));
    if (rounds.length > MAX_HAVES) throw new ProtocolError("too many haves");
  }
  return rounds;
}
