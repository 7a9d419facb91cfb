import { type Static, Type } from "@sinclair/typebox";
import { text, time, yesNo } from "../http/fields.ts";
import { rfc3339 } from "../kernel/clock.ts";
import type { Links } from "../kernel/links.ts";
import { repoAddress } from "../repos/addresses.ts";
import type { SeenRepo } from "../repos/types.ts";

export const WatchResource = Type.Object(
  {
    subscribed: yesNo("Whether the account is subscribed."),
    ignored: yesNo("Always false."),
    reason: Type.Null({ description: "Always null." }),
    created_at: time("When the repository was created."),
    url: text("API address of this subscription."),
    repository_url: text("API address of the repository."),
  },
  { $id: "WatchInfo", description: "An account's subscription to a repository." },
);
export type WatchResource = Static<typeof WatchResource>;

/** The resource for an existing watch (contract repositories.md 14.2). */
export function watchResource(seen: SeenRepo, links: Links): WatchResource {
  const url = repoAddress(seen, links);
  return {
    subscribed: true,
    ignored: false,
    reason: null,
    created_at: rfc3339(seen.repo.createdAt),
    url: `${url}/subscription`,
    repository_url: url,
  };
}
