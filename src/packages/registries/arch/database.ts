import type { ArchFacts } from "./facts.ts";

/** Databases of Arch, and what is noted of packages for them (contract packages.md 9.20). */

export const DATABASE = "packages.db";
export const DATABASE_SIGNATURE = `${DATABASE}.sig`;
/** The architecture of what every other has, too. */
export const ANY = "any";

/** Of a file. */
export const Property = {
  repository: "arch.repository",
  architecture: "arch.architecture",
  /** What the package says of itself, packed. */
  metadata: "arch.metadata",
  /** In base64. */
  signature: "arch.signature",
} as const;

/** Tells files of one name apart, and databases. */
export const keyOf = (repository: string, architecture: string): string => `${repository}|${architecture}`;

export const repositoryOf = (key: string): string => key.slice(0, key.lastIndexOf("|"));

/** What a line of the input of `packages.archDatabase` is, as JSON. */
export interface DatabasePackage {
  readonly name: string;
  readonly version: string;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly md5: string;
  readonly sha256: string;
  /** In base64. */
  readonly signature?: string;
  readonly metadata: ArchFacts["metadata"];
  /** Packed. */
  readonly facts: string;
}
