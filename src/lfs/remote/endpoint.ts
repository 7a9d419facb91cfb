import { trimEndOf } from "../../git/text-ends.ts";
import { parseRemoteAddress, type RemoteAddress, type RemoteCredentials } from "../../remotes/address.ts";

/** The LFS endpoint of a repository on another server. */
export interface LfsEndpoint {
  /** Without a trailing slash. */
  readonly url: string;
  readonly credentials: RemoteCredentials | undefined;
}

/**
 * The default LFS endpoint of a repository, or the one given.
 * @param given empty: the default; otherwise an address accepted by `parseLfsEndpoint`
 */
export function lfsEndpointOf(repository: RemoteAddress, given: string): LfsEndpoint {
  if (given !== "") {
    const { credentials, url } = parseLfsEndpoint(given);
    const isSame = new URL(url).origin === new URL(repository.url).origin;
    // The repository's credentials are only for its own server.
    return { url, credentials: credentials ?? (isSame ? repository.credentials : undefined) };
  }
  const url = repository.url.replace(/^git:/, "https:");
  return { url: `${url.endsWith(".git") ? url : `${url}.git`}/info/lfs`, credentials: repository.credentials };
}

/** @throws ValidationFailed as `parseRemoteAddress` */
export function parseLfsEndpoint(given: string): RemoteAddress {
  // The address may be the root of a server.
  const address = parseRemoteAddress(`${trimEndOf(given.trim(), "/")}/objects/batch`, "lfs_endpoint");
  return { ...address, url: address.url.replace(/\/objects\/batch$/, "").replace(/^git:/, "https:") };
}
