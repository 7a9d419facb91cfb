import { GitError } from "../errors.ts";
import { type ObjectFormat, SHA1, SHA256 } from "../objects/format.ts";
import { type Oid, readOid } from "../objects/types.ts";
import { trimEndOf } from "../text-ends.ts";

/**
 * A bundle is a pack with a header that lists its refs and the objects that the receiver must have (gitformat-bundle):
 *
 *     # v2 git bundle                  or v3
 *     @object-format=sha256            v3 only: capabilities that a reader must support, also `filter`
 *     -<oid> <comment>                 must be present already, with everything reachable from it
 *     <oid> <ref>
 *     an empty line, then the pack, which is thin if there are prerequisites
 */
export interface BundleHeader {
  readonly version: 2 | 3;
  readonly format: ObjectFormat;
  /** The filter used to omit objects, in the syntax of `--filter`; undefined if none were. */
  readonly filter: string | undefined;
  readonly prerequisites: readonly { readonly oid: Oid; readonly comment: string }[];
  /** Names as latin1 text, one character per byte. */
  readonly refs: readonly { readonly oid: Oid; readonly name: string }[];
}

/** The file is not a readable bundle. The message is git's, with `%` for the file's name. */
export class BadBundle extends GitError {
  override name = "BadBundle";
}

/** A repository has at most some hundred thousand refs; a line holds a ref or the subject of a commit. */
const MAX_HEADER_BYTES = 256 * 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;

/** The bytes of a header, including the empty line that ends it. */
export function formatBundleHeader(header: BundleHeader): Uint8Array {
  const lines = [`# v${header.version} git bundle`];
  if (header.version === 3) lines.push(`@object-format=${header.format.name}`);
  if (header.filter !== undefined) lines.push(`@filter=${header.filter}`);
  for (const { oid, comment } of header.prerequisites) lines.push(`-${oid} ${comment}`);
  for (const { oid, name } of header.refs) lines.push(`${oid} ${name}`);
  return Buffer.from(`${lines.join("\n")}\n\n`, "latin1");
}

/** Supplies the lines of a header; undefined at the end of the file. Latin1, without the line ending. */
export type LineSource = () => string | undefined;

/**
 * Parses the header up to its empty line.
 * @throws BadBundle
 */
export function readBundleHeader(nextLine: LineSource): BundleHeader {
  const signature = nextLine();
  const version = signature === "# v2 git bundle" ? 2 : signature === "# v3 git bundle" ? 3 : undefined;
  if (version === undefined) throw new BadBundle("'%' does not look like a v2 or v3 bundle file");
  let format = SHA1;
  let filter: string | undefined;
  const prerequisites: { oid: Oid; comment: string }[] = [];
  const refs: { oid: Oid; name: string }[] = [];
  for (let line = nextLine(); line !== undefined && line !== ""; line = nextLine()) {
    const text = trimEndOf(line, " \t\n\v\f\r");
    if (version === 3 && text.startsWith("@")) {
      const equals = text.indexOf("=");
      const key = equals < 0 ? text.slice(1) : text.slice(1, equals);
      const value = text.slice(equals + 1);
      if (equals >= 0 && key === "object-format") format = formatNamed(value);
      else if (equals >= 0 && key === "filter") filter = value;
      else throw new BadBundle(`unknown capability '${text.slice(1, 200)}'`);
      continue;
    }
    const isPrerequisite = text.startsWith("-");
    const from = isPrerequisite ? 1 : 0;
    const oid = readOid(text.slice(from, from + format.oidDigits));
    const rest = text.slice(from + format.oidDigits);
    if (oid?.length !== format.oidDigits || !(rest === "" ? isPrerequisite : /^[ \t]/.test(rest)))
      throw new BadBundle(`unrecognized header: ${text.slice(0, 200)} (${text.length})`);
    if (isPrerequisite) prerequisites.push({ oid, comment: rest.slice(1) });
    else refs.push({ oid, name: rest.slice(1) });
  }
  return { version, format, filter, prerequisites, refs };
}

/** Splits the beginning of a file into lines; `used` is the offset of what follows. */
export class HeaderLines {
  private buffered = Buffer.alloc(0);
  private at = 0;
  private ended = false;
  used = 0;

  /** `read` fills a buffer and returns the number of bytes read, 0 at the end. */
  constructor(private readonly read: (into: Uint8Array) => number) {}

  /** @throws BadBundle if a line or the header is too long */
  readonly next: LineSource = () => {
    for (;;) {
      const lf = this.buffered.indexOf(0x0a, this.at);
      if (lf >= 0 || this.ended) {
        const start = this.at;
        this.at = lf < 0 ? this.buffered.length : lf + 1;
        this.used += this.at - start;
        // Text without a line ending is not a line, and git stops there.
        return lf < 0 ? undefined : this.buffered.toString("latin1", start, lf);
      }
      if (this.buffered.length - this.at > MAX_LINE_BYTES || this.used > MAX_HEADER_BYTES)
        throw new BadBundle("'%' does not look like a v2 or v3 bundle file");
      const piece = Buffer.alloc(64 * 1024);
      const got = this.read(piece);
      if (got === 0) this.ended = true;
      this.buffered = Buffer.concat([this.buffered.subarray(this.at), piece.subarray(0, got)]);
      this.at = 0;
    }
  };
}

function formatNamed(name: string): ObjectFormat {
  for (const format of [SHA1, SHA256]) if (format.name === name) return format;
  throw new BadBundle(`unrecognized bundle hash algorithm: ${name.slice(0, 100)}`);
}
