import { decodeName, encodeName } from "../objects/names.ts";
import { type CommitToPrint, compileFormat, type PrettyContext } from "../pretty/format.ts";

const START = Buffer.from("$Format:");
const DOLLAR = 0x24;

/** Expands `$Format:%H$` and the like in files marked `export-subst` (gitattributes(5), "Creating an archive"). */
export class Substitution {
  private describesLeft = 1;

  constructor(
    private readonly commit: CommitToPrint,
    private readonly context: PrettyContext,
  ) {}

  apply(data: Uint8Array): Uint8Array {
    const source = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
    const pieces: Uint8Array[] = [];
    let from = 0;
    for (let at = source.indexOf(START); at >= 0; at = source.indexOf(START, from)) {
      const end = source.indexOf(DOLLAR, at + START.length);
      if (end < 0) break;
      const format = decodeName(source, at + START.length, end);
      pieces.push(source.subarray(from, at), encodeName(this.expand(format)));
      from = end + 1;
    }
    if (pieces.length === 0) return data;
    pieces.push(source.subarray(from));
    return Buffer.concat(pieces);
  }

  /** Describing a commit is expensive, so git does it once per archive; further ones are left as they are. */
  private expand(format: string): string {
    const { describe } = this.context;
    const context: PrettyContext = {
      ...this.context,
      // git does not look up notes here.
      notes: () => undefined,
      describe: (oid, options) => {
        if (this.describesLeft-- <= 0 || !describe) return undefined;
        return describe(oid, options);
      },
    };
    return compileFormat(`format:${format}`).print(this.commit, context);
  }
}
