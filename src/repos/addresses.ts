import type { Links } from "../kernel/links.ts";
import type { SeenRepo } from "./types.ts";

const SSH_PORT = 22;

/**
 * Where a repository is cloned from by SSH (contract repositories.md 3.3).
 * @param ending of its address
 */
export function sshAddress({ ssh }: Links, owner: string, name: string, ending = ".git"): string {
  const path = `${owner}/${name}${ending}`;
  const host = `${ssh.user}@${ssh.host}`;
  // Only an address with its scheme can say a port.
  return ssh.port === SSH_PORT ? `${host}:${path}` : `ssh://${host}:${ssh.port}/${path}`;
}

/** Address of a repository's page, without a slash at its end. */
export function repoPage(seen: SeenRepo, links: Links): string {
  return `${links.rootUrl}${seen.owner.login}/${seen.repo.name}`;
}

/** API address of a repository, without a slash at its end. */
export function repoAddress(seen: SeenRepo, links: Links): string {
  return `${links.rootUrl}api/v1/repos/${seen.owner.login}/${seen.repo.name}`;
}
