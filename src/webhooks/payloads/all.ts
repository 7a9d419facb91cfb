import type { Services } from "../../services.ts";
import { actionsTellers } from "./actions.ts";
import { commentTellers } from "./comments.ts";
import { issueTellers } from "./issues.ts";
import { packageTellers } from "./packages.ts";
import { pullTellers } from "./pulls.ts";
import { refTellers } from "./refs.ts";
import { releaseTellers } from "./releases.ts";
import { repositoryTellers } from "./repositories.ts";
import { wikiTellers } from "./wiki.ts";

/** The conversions of all events. */
export function allTellers(services: Services) {
  return {
    ...repositoryTellers(services),
    ...refTellers(services),
    ...issueTellers(services),
    ...commentTellers(services),
    ...pullTellers(services),
    ...releaseTellers(services),
    ...packageTellers(services),
    ...wikiTellers(services),
    ...actionsTellers(services),
  };
}

export type Tellers = ReturnType<typeof allTellers>;
