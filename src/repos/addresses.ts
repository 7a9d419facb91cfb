import type { Links } from "../kernel/links.ts";
import type { SeenRepo } from "./types.ts";

/** Where a repository is cloned from by SSH. */
export function sshAddress(links: Links, owner: string, name: string): string {
  return `git@${sshHost(links)}:${owner}/${name}.git`;
}

function sshHost(links: Links): string {
  // An IPv6 address keeps its brackets, which scp-like addresses need as well.
  return /^[a-z]+:\/\/(\[[^\]]*\]|[^/:]+)/i.exec(links.rootUrl)?.[1] ?? "localhost";
}

/** Address of a repository's page, without a slash at its end. */
export function repoPage(seen: SeenRepo, links: Links): string {
  return `${links.rootUrl}${seen.owner.login}/${seen.repo.name}`;
}

/** API address of a repository, without a slash at its end. */
export function repoAddress(seen: SeenRepo, links: Links): string {
  return `${links.rootUrl}api/v1/repos/${seen.owner.login}/${seen.repo.name}`;
}
