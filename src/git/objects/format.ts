import type { Oid } from "./types.ts";

/**
 * How a repository names its objects: by SHA-1 (20 bytes) or SHA-256 (32 bytes). All objects of a repository share one
 * format, set in its config (`extensions.objectformat`, gitformat-index and hash-function-transition).
 */
export interface ObjectFormat {
  readonly name: "sha1" | "sha256";
  readonly oidBytes: number;
  /** Length of an id in hexadecimal digits. */
  readonly oidDigits: number;
  /** The all-zero id, which stands for no object. */
  readonly zeroOid: Oid;
  /** The id of the empty tree. */
  readonly emptyTree: Oid;
}

export const SHA1: ObjectFormat = {
  name: "sha1",
  oidBytes: 20,
  oidDigits: 40,
  zeroOid: "0".repeat(40),
  emptyTree: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
};

export const SHA256: ObjectFormat = {
  name: "sha256",
  oidBytes: 32,
  oidDigits: 64,
  zeroOid: "0".repeat(64),
  emptyTree: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** The format with that name (`sha1`, `sha256`); undefined for any other name. */
export function formatNamed(name: string): ObjectFormat | undefined {
  return [SHA1, SHA256].find((format) => format.name === name);
}

/** The format of an id, determined by its length. */
export function formatOf(oid: Oid): ObjectFormat {
  return oid.length === SHA256.oidDigits ? SHA256 : SHA1;
}
