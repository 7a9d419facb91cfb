import { printDiff } from "../diff/print/print.ts";
import type { ObjectFormat } from "../objects/format.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";

/**
 * Identifies equal changes in different commits: a hash of the patch without white space, line numbers and the order of
 * files (`git patch-id --stable`).
 * @returns undefined if the trees are equal
 * @throws CorruptObject if an object is missing
 */
export function patchIdOf(store: ObjectSource, oldTree: Oid | undefined, newTree: Oid): Oid | undefined {
  if (oldTree === newTree) return undefined;
  const id = new PatchId(store.format);
  let rest = "";
  const options = { formats: new Set(["patch"] as const), renames: false, fullIndex: true };
  printDiff(store, oldTree, newTree, options, (bytes) => {
    const text = rest + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
    const end = text.lastIndexOf("\n") + 1;
    id.add(text.slice(0, end));
    rest = text.slice(end);
  });
  id.add(rest);
  return id.digest();
}

const NO_NEWLINE_LENGTH = 12;

class PatchId {
  private readonly sum: Uint8Array;
  private hash: Bun.CryptoHasher;
  private started = false;
  private ended = false;
  private binary = false;
  /** Lines of the hunk still to come on each side; -1 in a header. */
  private before = -1;
  private after = -1;
  private oids = "";

  constructor(private readonly format: ObjectFormat) {
    this.sum = new Uint8Array(format.oidBytes);
    this.hash = new Bun.CryptoHasher(format.name);
  }

  /** Adds whole lines of the patch. */
  add(text: string): void {
    for (let at = 0; at < text.length && !this.ended; ) {
      const newline = text.indexOf("\n", at);
      const end = newline < 0 ? text.length : newline + 1;
      this.line(text.slice(at, end));
      at = end;
    }
  }

  digest(): Oid | undefined {
    if (!this.started) return undefined;
    this.flush();
    return Buffer.from(this.sum).toString("hex");
  }

  private line(line: string): void {
    if (line.startsWith("\\ ") && line.length > NO_NEWLINE_LENGTH) return;
    if (!this.started && !line.startsWith("diff ")) return;
    if (this.before === -1 && this.header(line)) return;
    if (this.ended) return;
    if (this.binary) {
      if (!line.startsWith("diff ")) return;
      this.binary = false;
      this.before = -1;
      // git omits the line that ends a binary file.
      return;
    }
    if (this.before === 0 && this.after === 0) {
      const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
      if (hunk) {
        this.before = Number(hunk[1] ?? 1);
        this.after = Number(hunk[2] ?? 1);
        return;
      }
      if (!line.startsWith("diff ")) {
        this.ended = true;
        return;
      }
      this.flush();
      this.before = -1;
      this.after = -1;
    }
    const kind = line[0];
    if (kind === "-" || kind === " ") this.before--;
    if (kind === "+" || kind === " ") this.after--;
    this.started = true;
    this.hash.update(Buffer.from(line.replace(/[ \t\n\r]+/g, ""), "latin1"));
  }

  /** Processes a line of a file's header; true if nothing else of it needs to be added. */
  private header(line: string): boolean {
    if (line.startsWith("GIT binary patch") || line.startsWith("Binary files")) {
      this.binary = true;
      this.before = 0;
      this.hash.update(this.oids);
      this.flush();
      return true;
    }
    const index = /^index ([^. ]*)\.\.([^ \n]*)/.exec(line);
    if (index) {
      this.oids = `${index[1]}${index[2]}`;
      return true;
    }
    if (line.startsWith("--- ")) {
      this.before = 1;
      this.after = 1;
    } else if (!/^[A-Za-z]/.test(line)) this.ended = true;
    return false;
  }

  /** Adds the hash of a file to the sum, both taken as little-endian numbers of the hash's length. */
  private flush(): void {
    const digest = this.hash.digest();
    this.hash = new Bun.CryptoHasher(this.format.name);
    let carry = 0;
    for (let i = 0; i < this.sum.length; i++) {
      carry += this.sum[i]! + digest[i]!;
      this.sum[i] = carry & 0xff;
      carry >>= 8;
    }
  }
}
