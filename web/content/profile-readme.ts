import type { User } from "../../src/access/user.ts";
import type { Call } from "../../src/http/route.ts";
import type { WebServices } from "../area.ts";
import { languageOfCall } from "../language.ts";
import type { ReadmeContent } from "./readme.tsx";
import { readmeOf } from "./readmes.ts";
import { Sources } from "./sources.ts";

/**
 * An account's profile text: the README of its repository `name`, on the default branch, as far as the caller may read
 * it (contract identity.md 8.10 and 12.5).
 */
export async function profileReadme(
  services: WebServices,
  call: Call,
  owner: User,
  name: string,
): Promise<ReadmeContent | undefined> {
  const repo = services.repos.find(owner, name);
  const seen = repo && services.repos.seeById(call.principal, repo.id);
  if (!seen || seen.access.on("code") === "none") return undefined;
  const at = services.revisions.head(seen);
  if (!at) return undefined;
  const sources = sourcesOf(services);
  const files = await services.files.list(seen, sources.root(seen, at.commit), { sizes: false });
  const ref = { kind: "branch", name: seen.repo.defaultBranch } as const;
  return readmeOf(sources, { seen, at, ref, path: "" }, files, languageOfCall(call).code);
}

/** One per server; what it renders is cached within the process's budget. */
const made = new WeakMap<WebServices, Sources>();
function sourcesOf(services: WebServices): Sources {
  const cached = made.get(services);
  if (cached) return cached;
  const sources = new Sources(services);
  made.set(services, sources);
  return sources;
}
