import { rfc3339 } from "../../kernel/clock.ts";
import type { Services } from "../../services.ts";
import type { StatusSource } from "../sources.ts";
import { commitAt, pushedCommitPayloads } from "./commits.ts";
import { personOf, repoOf, seenBy } from "./common.ts";

/** A check's result for a commit (contract webhooks.md 6.13). undefined: it is gone */
export async function statusPayload(services: Services, source: StatusSource): Promise<object | undefined> {
  const seen = seenBy(services, source.repoId);
  const status = seen && services.statuses.find(seen, source.commit, source.number);
  const read = seen && commitAt(services, seen, source.commit);
  if (!seen || !status || !read) return undefined;
  const [commit] = await pushedCommitPayloads(services, seen, [read]);
  const { rootUrl } = services.links;
  return {
    commit,
    context: status.context,
    created_at: rfc3339(status.createdAt),
    description: status.description,
    id: status.number,
    repository: repoOf(services, seen),
    sender: personOf(services, source.userId),
    sha: status.commit,
    state: status.state,
    target_url: status.targetUrl.startsWith("/") ? rootUrl + status.targetUrl.slice(1) : status.targetUrl,
    updated_at: rfc3339(status.createdAt),
  };
}
