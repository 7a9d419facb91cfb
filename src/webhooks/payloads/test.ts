import { verify } from "../../content/commits/describe.ts";
import { NotFound } from "../../kernel/errors.ts";
import { repoPage } from "../../repos/addresses.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { testCommitPayload } from "./commits.ts";
import { personOf, repoOf, seenBy } from "./common.ts";

/** A fictitious push of one commit (contract webhooks.md 1.7). @throws NotFound the commit is gone */
export async function testPayload(services: Services, asked: SeenRepo, ref: string, oid: string): Promise<object> {
  const { commits, links, signatures } = services;
  const seen = seenBy(services, asked.repo.id);
  const read = seen && commits.read(seen, oid);
  if (!seen || !read) throw new NotFound();
  const verifications = await verify({ signatures }, seen, [read]);
  const commit = testCommitPayload(services, seen, read, verifications.get(oid));
  const person = personOf(services, asked.principal.user?.id);
  return {
    ref,
    before: oid,
    after: oid,
    compare_url: `${repoPage(seen, links)}/compare/${oid}...${oid}`,
    commits: [commit],
    total_commits: 1,
    head_commit: commit,
    repository: repoOf(services, seen),
    pusher: person,
    sender: person,
  };
}
