import { trimEndOf } from "../../git/text-ends.ts";
import { parseRemoteAddress, type RemoteAddress, type RemoteCredentials } from "../../remotes/address.ts";

/** Where the large files of a repository on another server are asked for. */
export interface LfsEndpoint {
  /** No slash at its end. */
  readonly url: string;
  readonly credentials: RemoteCredentials | undefined;
}

/**
 * Where git LFS looks for the large files of a repository, or where someone says they are.
 * @param given empty: nobody does; else an address that `parseLfsEndpoint` took
 */
export function lfsEndpointOf(repository: RemoteAddress, given: string): LfsEndpoint {
  if (given !== "") {
    const { credentials, url } = parseLfsEndpoint(given);
    const isSame = new URL(url).origin === new URL(repository.url).origin;
    // What was given for the repository is for its own server.
    return { url, credentials: credentials ?? (isSame ? repository.credentials : undefined) };
  }
  const url = repository.url.replace(/^git:/, "https:");
  return { url: `${url.endsWith(".git") ? url : `${url}.git`}/info/lfs`, credentials: repository.credentials };
}

/** @throws ValidationFailed as `parseRemoteAddress` */
export function parseLfsEndpoint(given: string): RemoteAddress {
  // An address may be the root of a server.
  const address = parseRemoteAddress(`${trimEndOf(given.trim(), "/")}/objects/batch`, "lfs_endpoint");
  return { ...address, url: address.url.replace(/\/objects\/batch$/, "").replace(/^git:/, "https:") };
}
