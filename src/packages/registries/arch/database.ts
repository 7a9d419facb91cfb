import type { ArchFacts } from "./facts.ts";

/** Arch databases, and what is recorded of packages for them (contract packages.md 9.20). */

export const DATABASE = "packages.db";
export const DATABASE_SIGNATURE = `${DATABASE}.sig`;
/** The architecture of packages that every other includes. */
export const ANY = "any";

/** File properties. */
export const Property = {
  repository: "arch.repository",
  architecture: "arch.architecture",
  /** The package's own metadata, packed. */
  metadata: "arch.metadata",
  /** In base64. */
  signature: "arch.signature",
} as const;

/** Composite key of files and databases. */
export const keyOf = (repository: string, architecture: string): string => `${repository}|${architecture}`;

export const repositoryOf = (key: string): string => key.slice(0, key.lastIndexOf("|"));

/** A line of the input of `packages.archDatabase`, as JSON. */
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
