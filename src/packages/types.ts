import type { Level } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";

/** All package types, with their display names (contract packages.md 1.2). */
export const typeNames = {
  alpine: "Alpine",
  arch: "Arch",
  cargo: "Cargo",
  chef: "Chef",
  composer: "Composer",
  conan: "Conan",
  conda: "Conda",
  container: "Container",
  cran: "CRAN",
  debian: "Debian",
  generic: "Generic",
  go: "Go",
  helm: "Helm",
  maven: "Maven",
  npm: "npm",
  nuget: "NuGet",
  pub: "Pub",
  pypi: "PyPI",
  rpm: "RPM",
  rubygems: "RubyGems",
  swift: "Swift",
  terraform: "Terraform State",
  vagrant: "Vagrant",
} as const;
export type PackageType = keyof typeof typeNames;

// Object keys are typed as strings.
export const packageTypes = Object.keys(typeNames) as readonly PackageType[];

export function isPackageType(text: string): text is PackageType {
  return Object.hasOwn(typeNames, text);
}

/** The packages of an account as one principal may see them. */
export interface SeenPackages {
  readonly principal: Principal;
  readonly owner: User;
  /** `read` to see them, `write` to publish and delete; higher for those who administer the owner. */
  readonly level: Level;
  /** Challenges anonymous callers for credentials when they request hidden packages: registry clients wait for that. */
  readonly challenges: boolean;
}

export interface Package {
  readonly id: number;
  readonly ownerId: number;
  readonly repoId: number | undefined;
  readonly type: PackageType;
  /** In its original spelling. */
  readonly name: string;
  readonly isInternal: boolean;
}

/** A version with its package. */
export interface PackageVersion {
  readonly id: number;
  readonly package: Package;
  readonly creatorId: number | undefined;
  readonly version: string;
  readonly isInternal: boolean;
  /** The metadata its registry parsed, as JSON; undefined if none. */
  readonly metadata: string | undefined;
  readonly downloadCount: number;
  readonly createdAt: number;
}

/** The hashes of a content, in lower-case hexadecimal. */
export interface ContentHashes {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly md5: string;
  readonly sha1: string;
  readonly sha512: string;
}

export interface PackageFile extends ContentHashes {
  readonly id: number;
  readonly versionId: number;
  readonly name: string;
  readonly compositeKey: string;
  /** Whether its downloads are counted. */
  readonly isLead: boolean;
  readonly createdAt: number;
}

/** What a property belongs to. */
export type PropertySubject = "package" | "version" | "file";

export interface Property {
  readonly name: string;
  readonly value: string;
}

/** A received content, held until disposed of. */
export interface ReceivedContent extends ContentHashes, Disposable {
  /** The path to read it from. */
  readonly path: string;
}
