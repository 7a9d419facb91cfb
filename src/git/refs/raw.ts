import { isOid, type Oid } from "../objects/types.ts";
import { readLooseNames, readPackedRefs, readText } from "./files.ts";
import { compareRefNames } from "./names.ts";

/** The value stored under a ref's name. */
export type RawRef =
  | { readonly kind: "oid"; readonly oid: Oid }
  | { readonly kind: "symbolic"; readonly target: string }
  | { readonly kind: "missing" }
  /** A file that contains neither. */
  | { readonly kind: "broken" };

/** How deep git follows symbolic refs. */
export const MAX_SYMBOLIC = 5;

/** Individual refs of a repository as stored, including symbolic ones, `HEAD` and the like. */
export class RawRefs {
  constructor(private readonly gitDir: string) {}

  pathOf(name: string): string {
    return `${this.gitDir}/${name}`;
  }

  read(name: string): RawRef {
    const text = readText(this.pathOf(name))?.trim();
    if (text === undefined) {
      const packed = readPackedRefs(this.gitDir).refs.find((ref) => ref.name === name);
      return packed ? { kind: "oid", oid: packed.oid } : { kind: "missing" };
    }
    if (text.startsWith("ref:")) return { kind: "symbolic", target: text.slice(4).trim() };
    return isOid(text) ? { kind: "oid", oid: text } : { kind: "broken" };
  }

  /** Follows symbolic refs from the name to an id; undefined when there is none. */
  resolve(name: string): Oid | undefined {
    let at = name;
    for (let depth = 0; depth <= MAX_SYMBOLIC; depth++) {
      const found = this.read(at);
      if (found.kind !== "symbolic") return found.kind === "oid" ? found.oid : undefined;
      at = found.target;
    }
    return undefined;
  }

  /** The names of all refs below `refs/`, symbolic and broken ones included, sorted. */
  names(): string[] {
    const packed = readPackedRefs(this.gitDir).refs.map((ref) => ref.name);
    return [...new Set([...packed, ...readLooseNames(this.gitDir)])].sort(compareRefNames);
  }
}
