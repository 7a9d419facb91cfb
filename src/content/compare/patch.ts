import type { Services } from "../../services.ts";
import { patchAnswer } from "../history/patch.ts";
import type { Comparison } from "./service.ts";

/** A comparison as text: the change as a single diff, or its commits as mails. */
export async function comparisonPatch(
  services: Pick<Services, "commits" | "pool" | "storage">,
  { base, head, from, commits }: Comparison,
  form: "diff" | "patch",
): Promise<Response> {
  const { repo } = head.seen;
  if (form === "diff") {
    // Unrelated histories have nothing in common to start from.
    const to = head.at.commit;
    const isElsewhere = from === base.at.commit && base.seen.repo.id !== repo.id;
    const fromDir = isElsewhere ? services.storage.dirOf(base.seen.repo.id) : undefined;
    return patchAnswer(services, repo, { kind: "diff", from: from ?? to, to, fromDir });
  }
  // Merges have no patch of their own; mails are sorted oldest first.
  const plain = services.commits.readAll(head.seen, commits).filter(({ commit }) => commit.parents.length < 2);
  return patchAnswer(services, repo, { kind: "mails", commits: plain.map(({ oid }) => oid).reverse() });
}
