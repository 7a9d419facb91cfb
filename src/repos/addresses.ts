import type { Links } from "../kernel/links.ts";
import type { SeenRepo } from "./types.ts";

const SSH_PORT = 22;

/** A repository's SSH clone address (contract repositories.md 3.3). @param ending suffix of the address */
export function sshAddress({ ssh }: Links, owner: string, name: string, ending = ".git"): string {
  const path = `${owner}/${name}${ending}`;
  const host = `${ssh.user}@${ssh.host}`;
  // The scp-like form cannot carry a port.
  return ssh.port === SSH_PORT ? `${host}:${path}` : `ssh://${host}:${ssh.port}/${path}`;
}

/** Address of a repository's page, without a trailing slash. */
export function repoPage(seen: SeenRepo, links: Links): string {
  return `${links.rootUrl}${seen.owner.login}/${seen.repo.name}`;
}

/** API address of a repository, without a trailing slash. */
export function repoAddress(seen: SeenRepo, links: Links): string {
  return `${links.rootUrl}api/v1/repos/${seen.owner.login}/${seen.repo.name}`;
}
