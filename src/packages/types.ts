import type { Level } from "../access/levels.ts";
import type { Principal } from "../access/principal.ts";
import type { User } from "../access/user.ts";

/** The types of packages there are, with the names people know them by (contract packages.md 1.2). */
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

// The keys of an object are typed as texts.
export const packageTypes = Object.keys(typeNames) as readonly PackageType[];

export function isPackageType(text: string): text is PackageType {
  return Object.hasOwn(typeNames, text);
}

/** The packages of an account as one principal sees them. */
export interface SeenPackages {
  readonly principal: Principal;
  readonly owner: User;
  /** `read` to see them, `write` to publish and delete; above that for whoever administers the owner. */
  readonly level: Level;
  /** A visitor who asks for what others see is asked who they are: clients of registries send credentials only then. */
  readonly challenges: boolean;
}

export interface Package {
  readonly id: number;
  readonly ownerId: number;
  readonly repoId: number | undefined;
  readonly type: PackageType;
  /** As it was first spelled. */
  readonly name: string;
  readonly isInternal: boolean;
}

/** A version with the package it is of. */
export interface PackageVersion {
  readonly id: number;
  readonly package: Package;
  readonly creatorId: number | undefined;
  readonly version: string;
  readonly isInternal: boolean;
  /** What the registry of the type read, as JSON; undefined: nothing. */
  readonly metadata: string | undefined;
  readonly downloadCount: number;
  readonly createdAt: number;
}

/** What one content is, by its hashes in lower-case hexadecimal. */
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
  /** Its downloads are counted. */
  readonly isLead: boolean;
  readonly createdAt: number;
}

/** What properties are of. */
export type PropertySubject = "package" | "version" | "file";

export interface Property {
  readonly name: string;
  readonly value: string;
}

/** A received content, held until it is disposed of. */
export interface ReceivedContent extends ContentHashes, Disposable {
  /** Where it can be read. */
  readonly path: string;
}
