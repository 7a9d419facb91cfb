import type { ItemImportFiles } from "../../issues/imports/files.ts";
import type { ImportPart } from "../types.ts";
import { FileBringer } from "./files.ts";
import { PlanningBringer, type PlanningNeeds } from "./planning.ts";
import { ReleaseBringer, type ReleaseNeeds } from "./releases.ts";
import { TalkBringer, type TalkNeeds } from "./talk.ts";
import type { ItemTask } from "./types.ts";

/** In order: items reference labels and milestones. */
export const itemParts = [
  "labels",
  "milestones",
  "issues",
  "pull_requests",
  "releases",
] as const satisfies readonly ImportPart[];
type ItemPart = (typeof itemParts)[number];

/**
 * Imports what a forge stores beside git, page by page; existing items are left as they are, so parts can be
 * repeated.
 */
export class ItemBringer {
  private readonly planning: PlanningBringer;
  private readonly talk: TalkBringer;
  private readonly releases: ReleaseBringer;

  constructor(
    needs: PlanningNeeds &
      Omit<TalkNeeds, "files" | "planning"> &
      ReleaseNeeds & { readonly itemImportFiles: ItemImportFiles },
  ) {
    this.planning = new PlanningBringer(needs);
    this.talk = new TalkBringer({ ...needs, files: new FileBringer(needs.itemImportFiles), planning: this.planning });
    this.releases = new ReleaseBringer(needs);
  }

  about(task: ItemTask): Promise<void> {
    return this.planning.about(task);
  }

  /** @returns the offset for the numbers of pull requests */
  reserve(task: Pick<ItemTask, "forge" | "seen">): Promise<number> {
    return this.talk.reserve(task);
  }

  bring(part: ItemPart, task: ItemTask): Promise<void> {
    switch (part) {
      case "labels":
        return this.planning.labels(task);
      case "milestones":
        return this.planning.milestones(task);
      case "issues":
        return this.talk.issues(task);
      case "pull_requests":
        return this.talk.pulls(task);
      case "releases":
        return this.releases.releases(task);
    }
  }
}
