import { ProtocolError } from "../../errors.ts";
import type { ObjectFormat } from "../../objects/format.ts";
import { isOid, type Oid } from "../../objects/types.ts";
import type { RefChange } from "../../refs/types.ts";
import { lineOf, type PacketReader } from "../../wire/pktline.ts";
import type { SideBand } from "../../wire/sideband.ts";
import { checkClientFormat } from "../protocol.ts";

/** The part of a push before its pack (gitprotocol-pack, "Reference Update Request"). */
export interface PushRequest {
  readonly commands: readonly RefChange[];
  readonly features: PushFeatures;
  /** In the order received; undefined if the client sends none at all. */
  readonly pushOptions: readonly string[];
  /** The client's own shallow boundary commits. */
  readonly shallows: readonly Oid[];
}

export interface PushFeatures {
  readonly report: "none" | "v1" | "v2";
  readonly sideBand: SideBand | undefined;
  readonly quiet: boolean;
  readonly atomic: boolean;
  readonly pushOptions: boolean;
  /** The client's agent string, for logs; at most 200 characters. */
  readonly agent: string;
}

export interface PushLimits {
  readonly commands: number;
  /** Limit for atomic pushes. */
  readonly atomicCommands: number;
  readonly shallows: number;
  readonly pushOptions: number;
  readonly pushOptionBytes: number;
}

export const DEFAULT_PUSH_LIMITS: PushLimits = {
  commands: 100_000,
  atomicCommands: 100_000,
  shallows: 100_000,
  pushOptions: 100,
  pushOptionBytes: 64 * 1024,
};

/** Yields to other requests after this many commands: a hundred thousand may be buffered at once. */
const COMMANDS_A_TURN = 1_000;

const NO_FEATURES: PushFeatures = {
  report: "none",
  sideBand: undefined,
  quiet: false,
  atomic: false,
  pushOptions: false,
  agent: "",
};

/** A request that cannot be parsed, with what is known so far of how to answer it. */
export class BadPush extends ProtocolError {
  override name = "BadPush";
  constructor(
    message: string,
    readonly features: PushFeatures,
  ) {
    super(message);
  }
}

/**
 * Reads commands and push options, leaving the pack in the reader. Returns undefined if there are no commands, as in
 * the probe that clients send before a large push.
 * @throws BadPush when it is malformed, over a limit, or signed (`push-cert`), which is not supported
 */
export async function readPushRequest(
  reader: PacketReader,
  format: ObjectFormat,
  limits: PushLimits = DEFAULT_PUSH_LIMITS,
): Promise<PushRequest | undefined> {
  let features = NO_FEATURES;
  const refuse = (message: string): never => {
    throw new BadPush(message, features);
  };
  const commands: RefChange[] = [];
  const shallows: Oid[] = [];
  try {
    for (let line = await nextLine(reader); line !== undefined; line = await nextLine(reader)) {
      if (line.startsWith("push-cert")) refuse("signed pushes are not supported");
      if (line.startsWith("shallow ")) {
        const oid = line.slice("shallow ".length);
        if (!isOid(oid)) refuse("protocol error: expected a shallow id");
        if (shallows.push(oid) > limits.shallows) refuse("too many shallow lines");
        continue;
      }
      const nul = line.indexOf("\0");
      if (commands.length === 0) {
        const words =
          nul === -1
            ? []
            : line
                .slice(nul + 1)
                .trim()
                .split(" ");
        features = readFeatures(words);
        checkClientFormat(words, format);
      }
      commands.push(readCommand(nul === -1 ? line : line.slice(0, nul), format, refuse));
      if (commands.length % COMMANDS_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
      if (commands.length > limits.commands) refuse(`a push may change at most ${limits.commands} refs at once`);
      if (features.atomic && commands.length > limits.atomicCommands)
        refuse(`an atomic push may change at most ${limits.atomicCommands} refs`);
    }
    if (commands.length === 0) return undefined;
    const pushOptions = features.pushOptions ? await readPushOptions(reader, limits, refuse) : [];
    return { commands, features, pushOptions, shallows };
  } catch (error) {
    if (error instanceof ProtocolError && !(error instanceof BadPush)) throw new BadPush(error.message, features);
    throw error;
  }
}

async function nextLine(reader: PacketReader): Promise<string | undefined> {
  const packet = await reader.next();
  if (!packet || packet.kind === "flush") return undefined;
  if (packet.kind !== "data") throw new ProtocolError("unexpected packet");
  return lineOf(packet.data);
}

function readCommand(text: string, format: ObjectFormat, refuse: (message: string) => never): RefChange {
  const { oidDigits, zeroOid } = format;
  const oldOid = text.slice(0, oidDigits);
  const newOid = text.slice(oidDigits + 1, 2 * oidDigits + 1);
  const name = text.slice(2 * oidDigits + 2);
  const spaced = text[oidDigits] === " " && text[2 * oidDigits + 1] === " ";
  const isId = (oid: string) => oid.length === oidDigits && isOid(oid);
  if (!isId(oldOid) || !isId(newOid) || !spaced || name === "") return refuse("protocol error: expected old/new/ref");
  return {
    name,
    oldOid: oldOid === zeroOid ? null : oldOid,
    newOid: newOid === zeroOid ? null : newOid,
  };
}

function readFeatures(list: readonly string[]): PushFeatures {
  const words = new Set(list);
  let agent = "";
  for (const word of words) if (word.startsWith("agent=")) agent = word.slice("agent=".length, 206).toWellFormed();
  return {
    report: words.has("report-status-v2") ? "v2" : words.has("report-status") ? "v1" : "none",
    sideBand: words.has("side-band-64k") ? "side-band-64k" : undefined,
    quiet: words.has("quiet"),
    atomic: words.has("atomic"),
    pushOptions: words.has("push-options"),
    agent,
  };
}

async function readPushOptions(
  reader: PacketReader,
  limits: PushLimits,
  refuse: (message: string) => never,
): Promise<string[]> {
  const options: string[] = [];
  let bytes = 0;
  for (let line = await nextLine(reader); line !== undefined; line = await nextLine(reader)) {
    bytes += line.length;
    if (options.push(line.toWellFormed()) > limits.pushOptions || bytes > limits.pushOptionBytes)
      refuse("too many push options");
  }
  return options;
}
