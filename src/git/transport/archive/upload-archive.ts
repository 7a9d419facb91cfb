import { JobFailed, type WorkerPool } from "../../../workers/pool.ts";
import { ARCHIVE_FORMATS, type ArchiveFormat } from "../../archive/archive.ts";
import { ProtocolError } from "../../errors.ts";
import type { Oid } from "../../objects/types.ts";
import { expansionsOf } from "../../refs/names.ts";
import { FLUSH, lineOf, PacketReader, packet } from "../../wire/pktline.ts";
import { BAND_DATA, BAND_FATAL, framed, framedText } from "../../wire/sideband.ts";
import type { RefSource } from "../advertise.ts";

export interface UploadArchiveOptions {
  readonly repoDir: string;
  /** The refs the caller may see: only refs can be archived. */
  readonly refs: RefSource;
  /** The client's input. */
  readonly input: AsyncIterable<Uint8Array>;
  readonly pool: WorkerPool;
  /** Key of the user this archive counts against, for fair sharing of the threads. */
  readonly share?: string;
  readonly signal?: AbortSignal;
}

/** The arguments of an archive request (git-archive(1)). */
interface ArchiveRequest {
  /** List the formats instead of making an archive. */
  lists: boolean;
  format: ArchiveFormat;
  prefix: string;
  level: number | undefined;
  readonly rest: string[];
}

const MAX_ARGUMENTS = 1_000;
const MAX_ARGUMENT_CHARACTERS = 64 * 1024;
const BAND = "side-band-64k";

/** Answers `git archive --remote` (git-upload-archive(1)): reads arguments, yields the archive in side-band packets. */
export async function* uploadArchive(options: UploadArchiveOptions): AsyncGenerator<Uint8Array, void> {
  let request: ArchiveRequest;
  try {
    request = readArguments(await argumentsOf(new PacketReader(options.input)));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    yield* refused(error.message);
    return;
  }
  if (request.lists) {
    yield Buffer.concat([ACK, framed(BAND_DATA, Buffer.from(`${ARCHIVE_FORMATS.join("\n")}\n`), BAND), FLUSH]);
    return;
  }
  const [ref = "HEAD", ...paths] = request.rest;
  const oid = find(options.refs, ref);
  if (oid === undefined) {
    yield* refused(`no such ref: ${ref.slice(0, 200)}`);
    return;
  }
  const { repoDir, pool, share, signal } = options;
  const { format, level, prefix } = request;
  const job = pool.start(
    "git.archive",
    { repoDir, oid, format, prefix, paths, ...(level === undefined ? {} : { level }) },
    { ...(share === undefined ? {} : { share }), ...(signal ? { signal } : {}) },
  );
  job.end();
  job.result.catch(() => {});
  yield ACK;
  try {
    for await (const piece of job.output) yield framed(BAND_DATA, piece, BAND);
    await job.result;
  } catch (error) {
    if (!(error instanceof JobFailed) || error.originalName !== "NoSuchPath") throw error;
    yield framedText(BAND_FATAL, `fatal: ${error.message}\n`, BAND);
  }
  yield FLUSH;
}

const ACK = Buffer.concat([packet("ACK\n"), FLUSH]);

function* refused(words: string): Generator<Uint8Array, void> {
  yield Buffer.concat([ACK, framedText(BAND_FATAL, `fatal: ${words}\n`, BAND), FLUSH]);
}

async function argumentsOf(reader: PacketReader): Promise<string[]> {
  const given: string[] = [];
  let characters = 0;
  for (let next = await reader.next(); next && next.kind !== "flush"; next = await reader.next()) {
    const line = next.kind === "data" ? lineOf(next.data) : "";
    if (!line.startsWith("argument ")) throw new ProtocolError("'argument' token or flush expected");
    given.push(line.slice("argument ".length));
    characters += line.length;
    if (given.length > MAX_ARGUMENTS || characters > MAX_ARGUMENT_CHARACTERS)
      throw new ProtocolError("too many arguments");
  }
  return given;
}

function readArguments(given: readonly string[]): ArchiveRequest {
  const request: ArchiveRequest = { lists: false, format: "tar", prefix: "", level: undefined, rest: [] };
  let onlyNames = false;
  for (const argument of given) {
    if (onlyNames || !argument.startsWith("-")) request.rest.push(argument);
    else if (argument === "--") onlyNames = true;
    else if (argument.startsWith("--format=")) request.format = formatOf(argument.slice("--format=".length));
    else if (argument.startsWith("--prefix=")) request.prefix = argument.slice("--prefix=".length);
    else if (/^-\d$/.test(argument)) request.level = Number(argument.slice(1));
    else if (argument === "-l" || argument === "--list") request.lists = true;
    else if (argument !== "-v" && argument !== "--verbose")
      throw new ProtocolError(`unknown option ${argument.slice(0, 100)}`);
  }
  return request;
}

function formatOf(name: string): ArchiveFormat {
  const format = ARCHIVE_FORMATS.find((one) => one === name);
  if (!format) throw new ProtocolError(`Unknown archive format '${name.slice(0, 100)}'`);
  return format;
}

function find(refs: RefSource, short: string): Oid | undefined {
  const snapshot = refs.snapshot();
  if (short === "HEAD") return snapshot.find(refs.head())?.oid;
  for (const name of expansionsOf(short)) {
    const ref = snapshot.find(name);
    if (ref) return ref.oid;
  }
  return undefined;
}
