import type { Links } from "../kernel/links.ts";

/** Where a repository is cloned from by SSH. */
export function sshAddress(links: Links, owner: string, name: string): string {
  return `git@${sshHost(links)}:${owner}/${name}.git`;
}

function sshHost(links: Links): string {
  // An IPv6 address keeps its brackets, which scp-like addresses need as well.
  return /^[a-z]+:\/\/(\[[^\]]*\]|[^/:]+)/i.exec(links.rootUrl)?.[1] ?? "localhost";
}
