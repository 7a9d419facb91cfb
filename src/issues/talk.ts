import type { Core } from "../core.ts";
import type { Services } from "../services.ts";
import { heldAttachments } from "./attachments/held.ts";
import { rulesOf } from "./attachments/rules.ts";
import { Attachments } from "./attachments/service.ts";
import { ItemBin } from "./bin/service.ts";
import { Comments } from "./comments/service.ts";
import { ItemForms } from "./forms.ts";
import type { Labelling } from "./labelling.ts";
import { tellPages } from "./live.ts";
import { Reactions } from "./reactions/service.ts";
import { ItemReads } from "./reads/service.ts";
import { CommitReferences } from "./references/commits.ts";
import { Mentioned } from "./references/mentions.ts";
import { ItemReferences } from "./references/service.ts";
import { ReferenceTargets } from "./references/targets.ts";
import { Revisions } from "./revisions/service.ts";
import type { IssueService } from "./service.ts";
import type { ItemStates } from "./state.ts";
import { ItemSuggestions } from "./suggestions/service.ts";
import type { Timeline } from "./timeline/service.ts";

/** Comments and everything else people post under items, and what follows from it. */
export interface TalkServices {
  readonly attachments: Attachments;
  readonly comments: Comments;
  readonly commitReferences: CommitReferences;
  readonly itemBin: ItemBin;
  readonly itemReferences: ItemReferences;
  readonly itemSuggestions: ItemSuggestions;
  /** Operations of page forms on an item. */
  readonly itemForms: ItemForms;
  readonly itemReads: ItemReads;
  readonly reactions: Reactions;
  readonly textRevisions: Revisions;
}

/** Wires these services on top of the items themselves. */
export function openTalk(
  { clock, config, db, jobs, links, live, outbox, pool, retention }: Core,
  { blobs, blocks, commitGraphs, heldFiles, identity, quotas, references, refs, repos, storage, teams }: Services,
  items: {
    readonly issues: IssueService;
    readonly itemStates: ItemStates;
    readonly labelling: Labelling;
    readonly timeline: Timeline;
  },
): TalkServices {
  const { issues, itemStates, labelling, timeline } = items;
  const targets = new ReferenceTargets({ blocks, db, identity, issues, repos });
  references.register("item", targets.resolve);
  const mentioned = new Mentioned({ blocks, identity, issues, repos, teams });
  const { rootUrl } = links;
  const itemReferences = new ItemReferences({
    clock,
    db,
    identity,
    issues,
    itemStates,
    jobs,
    mentioned,
    outbox,
    pool,
    rootUrl,
    targets,
    timeline,
  });
  const revisions = new Revisions({ clock, db, timeline });
  issues.onText((item, before) => {
    itemReferences.itemWritten(item, before);
    if (before && before.body !== item.issue.body)
      revisions.changed({ item, entry: undefined, before: before.body, after: item.issue.body });
  });
  const commitReferences = new CommitReferences({
    commitGraphs,
    db,
    identity,
    itemStates,
    jobs,
    pool,
    refs,
    repos,
    rootUrl,
    storage,
    targets,
    timeline,
  });
  outbox.add(commitReferences);
  const attachments = new Attachments({ blobs, clock, db, issues, outbox, quotas, rules: rulesOf(config) });
  heldFiles.add("attachments", heldAttachments(db, links));
  const days = config["issues.bin_days"];
  const itemBin = new ItemBin({ blobs, clock, days, db, identity, issues, itemReferences, outbox });
  retention.add({
    name: "deleted issues and comments",
    days,
    prune: (before, limit) => itemBin.prune(before, Math.min(limit, 50)),
  });
  const comments = new Comments({
    attachments,
    blocks,
    clock,
    db,
    identity,
    issues,
    itemBin,
    itemReferences,
    outbox,
    revisions,
    timeline,
  });
  retention.add({
    name: "unused attachments",
    days: 1,
    prune: (before, limit) => attachments.removeUnused(before, limit),
  });
  const reactions = new Reactions({ clock, comments, db, outbox, offered: config["issues.reactions"] });
  const itemForms = new ItemForms({ attachments, comments, db, issues, itemStates, labelling });
  const itemSuggestions = new ItemSuggestions(db, issues);
  const itemReads = new ItemReads(db, clock);
  tellPages(live, outbox, (principal, id) => issues.seeEach(principal, [id]).length > 0);
  return {
    attachments,
    comments,
    commitReferences,
    itemBin,
    itemForms,
    itemReads,
    itemReferences,
    itemSuggestions,
    reactions,
    textRevisions: revisions,
  };
}
