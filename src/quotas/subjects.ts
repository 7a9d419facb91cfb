/** The counters of an account; each byte is in exactly one. */
export const counters = [
  "publicRepos",
  "privateRepos",
  "lfs",
  "wiki",
  "issueAttachments",
  "releaseAttachments",
  "artifacts",
  "packages",
] as const;
export type Counter = (typeof counters)[number];

/** What an account uses, in bytes. */
export type Usage = Readonly<Record<Counter, number>>;

const repos = ["publicRepos", "privateRepos"] as const;
const attachments = ["issueAttachments", "releaseAttachments"] as const;

/** The subjects of rules (contract identity.md 14), and the counters that each adds up. */
const counted = {
  none: [],
  "size:all": counters,
  "size:repos:all": repos,
  "size:repos:public": ["publicRepos"],
  "size:repos:private": ["privateRepos"],
  "size:git:all": [...repos, "lfs"],
  "size:git:lfs": ["lfs"],
  "size:assets:all": [...attachments, "artifacts", "packages", "wiki"],
  "size:assets:attachments:all": attachments,
  "size:assets:attachments:issues": ["issueAttachments"],
  "size:assets:attachments:releases": ["releaseAttachments"],
  "size:assets:artifacts": ["artifacts"],
  "size:assets:packages:all": ["packages"],
  "size:assets:wiki": ["wiki"],
} as const satisfies Record<string, readonly Counter[]>;

export type Subject = keyof typeof counted;

// TypeScript types the keys of an object as strings.
export const subjects = Object.keys(counted) as readonly Subject[];

export function isSubject(text: string): text is Subject {
  return Object.hasOwn(counted, text);
}

/** The subject of a repository's content. */
export function contentSubject(isPrivate: boolean): Subject {
  return isPrivate ? "size:repos:private" : "size:repos:public";
}

/** The usage of a subject. */
export function usedOf(usage: Usage, subject: Subject): number {
  const parts: readonly Counter[] = counted[subject];
  return parts.reduce((sum, counter) => sum + usage[counter], 0);
}

/** Whether a rule on one subject applies to the other: it is the same, or a part of it. */
export function covers(wider: Subject, narrower: Subject): boolean {
  const parts: readonly Counter[] = counted[wider];
  const asked: readonly Counter[] = counted[narrower];
  return asked.length > 0 && asked.every((counter) => parts.includes(counter));
}
