import { issuePage } from "../issues/addresses.ts";
import type { PullRequestMetaResource } from "../issues/resource.ts";
import type { SeenIssue } from "../issues/types.ts";
import { rfc3339 } from "../kernel/clock.ts";
import type { Links } from "../kernel/links.ts";
import type { PullService } from "./service.ts";
import { isMerged } from "./types.ts";
import { isDraft } from "./values.ts";

/** The pull request part of item resources. */
export function pullMetas(
  { links, pulls }: { readonly links: Links; readonly pulls: PullService },
  items: readonly SeenIssue[],
): Map<number, PullRequestMetaResource> {
  const times = pulls.mergeTimes(items);
  return new Map(
    items.flatMap((item) => {
      const { id, isPull, title } = item.issue;
      if (!isPull) return [];
      const mergedAt = times.get(id);
      const meta = {
        merged: isMerged({ mergedAt }),
        merged_at: mergedAt === undefined ? null : rfc3339(mergedAt),
        draft: isDraft(title),
        html_url: issuePage(item, links),
      };
      return [[id, meta]];
    }),
  );
}
