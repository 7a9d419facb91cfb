import type { User } from "../access/user.ts";

/** What kind of server a repository is brought in from; all that is not asked for its items is asked for its git alone. */
export const importServices = ["git", "github", "gitlab", "gitea", "forgejo", "gogs"] as const;
export type ImportServiceName = (typeof importServices)[number];

/** By name, or by the number that clients send for it; what is not known is git, as every such server has it. */
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

/** What can be brought besides the code. Comments come with issues and pull requests. */
export const importParts = ["wiki", "lfs", "labels", "milestones", "issues", "pull_requests", "releases"] as const;
export type ImportPart = (typeof importParts)[number];

const GIT_PARTS: readonly ImportPart[] = ["wiki", "lfs"];
const WITHOUT_PULLS: readonly ImportPart[] = importParts.filter((part) => part !== "pull_requests");

/** What a kind of server has to bring. */
export function partsOfService(service: ImportServiceName): readonly ImportPart[] {
  if (service === "git") return GIT_PARTS;
  // Gogs tells of pull requests on its pages only.
  return service === "gogs" ? WITHOUT_PULLS : importParts;
}

/** What someone asks for. */
export interface ImportRequest {
  /** Whose it is to be; that the principal may make repositories there is decided already. */
  readonly owner: User;
  readonly name: string;
  /** With credentials, or without. */
  readonly address: string;
  readonly service: ImportServiceName;
  readonly username: string;
  readonly password: string;
  /** Comes before user name and password. */
  readonly token: string;
  readonly description: string;
  readonly isPrivate: boolean;
  readonly parts: readonly ImportPart[];
  /** It follows the address from then on. */
  readonly isMirror: boolean;
  /** As a duration is written; empty: the usual one. */
  readonly interval: string;
  /** Where its large files are; empty: where git LFS looks for them. */
  readonly lfsEndpoint: string;
  /** Whoever asks waits for it: when it fails, nothing is left of it. */
  readonly isAwaited: boolean;
}

/** How many of each part are here. */
export type ImportCounts = Readonly<Partial<Record<ImportPart, number>>>;

/** An import that is under way, or failed. */
export interface RepoImport {
  readonly repoId: number;
  readonly service: ImportServiceName;
  /** Without credentials. */
  readonly address: string;
  readonly username: string;
  readonly parts: readonly ImportPart[];
  readonly doerId: number | undefined;
  /** Steps that need not be done again. */
  readonly done: readonly ImportStep[];
  readonly counts: ImportCounts;
  /** What is added to the numbers of pull requests. */
  readonly pullOffset: number;
  /** The other server wants no requests before that. */
  readonly waitsUntil: number | undefined;
  /** As `recordFailure` has it; empty: it is under way. */
  readonly failure: string;
  readonly isAwaited: boolean;
  readonly createdAt: number;
}

/** What a page shows of one. */
export interface ImportProgress {
  readonly import: RepoImport;
  /** What it is doing; empty: it waits for its turn. */
  readonly step: ImportStep | "";
  /** How far that is, in the other server's words; empty: `counts` says it. */
  readonly detail: string;
  /** Of the parts that are done, and of the one that is under way. */
  readonly counts: ImportCounts;
}

export type ImportStep = "code" | "about" | ImportPart;
