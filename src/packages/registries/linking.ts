import { atLeast } from "../../access/levels.ts";
import { Forbidden } from "../../kernel/errors.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import type { SeenPackages } from "../types.ts";

/**
 * The repository of this site that a package names as its own; undefined if none, or hidden from the publisher.
 * @throws Forbidden if the publisher may not publish packages for it
 */
export function repositoryNamed(
  { links, repos }: Pick<Services, "links" | "repos">,
  { principal }: SeenPackages,
  address: string,
): SeenRepo | undefined {
  const url = address.replace(/^git\+/, "");
  if (!url.startsWith(links.rootUrl)) return undefined;
  const [owner, name] = url
    .slice(links.rootUrl.length)
    .replace(/\.git$/, "")
    .split("/");
  if (!owner || !name) return undefined;
  const seen = repos.seeNamed(principal, [[owner, name]]).get(`${owner}/${name}`.toLowerCase());
  if (seen && !atLeast(seen.access.on("packages"), "write")) throw new Forbidden("packages.link-not-allowed");
  return seen;
}
