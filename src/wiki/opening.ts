import type { Core } from "../core.ts";
import type { Services } from "../services.ts";
import { WikiEdits } from "./edits.ts";
import { WikiService } from "./service.ts";

declare module "../services.ts" {
  interface Services {
    readonly wikis: WikiService;
    readonly wikiEdits: WikiEdits;
  }
}

export function openWiki(
  { caches, clock, config, db, links, outbox, pool }: Core,
  { blocks, files, folders, history, pushRules, quotas, refs, repos, signing, storage }: Services,
) {
  const wikis = new WikiService({ caches, files, folders, history, pool, refs, storage });
  const defaultBranch = config["repository.default_branch"];
  const parts = { blocks, clock, db, folders, links, outbox, pushRules, quotas, refs, repos, signing, storage };
  return { wikis, wikiEdits: new WikiEdits({ ...parts, defaultBranch, wikis }) };
}
