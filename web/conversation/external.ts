import type { SeenRepo } from "../../src/repos/types.ts";

/** The URL of an issue in an external tracker; undefined when issues are kept here. */
export function externalIssueAddress({ owner, repo }: SeenRepo, index: string): string | undefined {
  const tracker = repo.settings.externalTracker;
  if (!tracker) return undefined;
  const values: Readonly<Record<string, string>> = { user: owner.login, repo: repo.name, index };
  return tracker.format.replace(/\{(user|repo|index)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
