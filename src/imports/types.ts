import type { User } from "../access/user.ts";

/** The kind of server to import from; all but plain git are queried for items. */
export const importServices = ["git", "github", "gitlab", "gitea", "forgejo", "gogs"] as const;
export type ImportServiceName = (typeof importServices)[number];

/** By name, or by the number that clients send for it; unknown ones mean git, which every such server supports. */
export function importServiceNamed(given: string): ImportServiceName {
  const name = NUMBERED[given] ?? given.toLowerCase();
  return importServices.find((known) => known === name) ?? "git";
}

const NUMBERED: Readonly<Record<string, ImportServiceName>> = {
  "2": "github",
  "3": "gitea",
  "4": "gitlab",
  "5": "gogs",
};

/** What can be imported besides the code. Comments are included in issues and pull requests. */
export const importParts = ["wiki", "lfs", "labels", "milestones", "issues", "pull_requests", "releases"] as const;
export type ImportPart = (typeof importParts)[number];

const GIT_PARTS: readonly ImportPart[] = ["wiki", "lfs"];
const WITHOUT_PULLS: readonly ImportPart[] = importParts.filter((part) => part !== "pull_requests");

/** The parts a kind of server can provide. */
export function partsOfService(service: ImportServiceName): readonly ImportPart[] {
  if (service === "git") return GIT_PARTS;
  // Gogs shows pull requests only on its pages.
  return service === "gogs" ? WITHOUT_PULLS : importParts;
}

/** An import request. */
export interface ImportRequest {
  /** The future owner; the caller has checked that the principal may create repositories there. */
  readonly owner: User;
  readonly name: string;
  /** With or without credentials. */
  readonly address: string;
  readonly service: ImportServiceName;
  readonly username: string;
  readonly password: string;
  /** Takes precedence over user name and password. */
  readonly token: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly parts: readonly ImportPart[];
  /** Makes the repository a pull mirror of the address. */
  readonly isMirror: boolean;
  /** A duration; empty: the default. */
  readonly interval: string;
  /** Its LFS endpoint; empty: the default of git LFS. */
  readonly lfsEndpoint: string;
  /** The caller waits for the import: if it fails, nothing is left of it. */
  readonly isAwaited: boolean;
}

/** The number of imported items of each part. */
export type ImportCounts = Readonly<Partial<Record<ImportPart, number>>>;

/** A running or failed import. */
export interface RepoImport {
  readonly repoId: number;
  readonly service: ImportServiceName;
  /** Without credentials. */
  readonly address: string;
  readonly username: string;
  readonly parts: readonly ImportPart[];
  readonly doerId: number | undefined;
  /** Completed steps, which are not repeated. */
  readonly done: readonly ImportStep[];
  readonly counts: ImportCounts;
  /** The offset added to the numbers of pull requests. */
  readonly pullOffset: number;
  /** The other server's rate limit lasts until then. */
  readonly waitsUntil: number | undefined;
  /** As written by `recordFailure`; empty: it is running. */
  readonly failure: string;
  readonly isAwaited: boolean;
  readonly createdAt: number;
}

/** What a page shows of an import. */
export interface ImportProgress {
  readonly import: RepoImport;
  /** The current step; empty: it is queued. */
  readonly step: ImportStep | "";
  /** Its progress, in the other server's words; empty: see `counts`. */
  readonly detail: string;
  /** Of the completed parts, and of the current one. */
  readonly counts: ImportCounts;
}

export type ImportStep = "code" | "about" | ImportPart;
