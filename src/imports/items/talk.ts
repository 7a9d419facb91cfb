import type { ImportedItem, ImportedReaction, ItemImports } from "../../issues/imports/service.ts";
import type { PinService } from "../../issues/pins/service.ts";
import type { ImportedPull, PullImports } from "../../pulls/imports/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import { MAX_TEXT } from "../forge/reading.ts";
import type { ForgeItem, ForgePull, ForgeReaction, ForgeReview, ForgeTalk } from "../forge/types.ts";
import type { ImportedPeople } from "../people.ts";
import type { FileBringer } from "./files.ts";
import { PinnedItems } from "./pinned.ts";
import type { PlanningBringer } from "./planning.ts";
import type { ItemTask } from "./types.ts";

export interface TalkNeeds {
  readonly files: FileBringer;
  readonly itemImports: ItemImports;
  readonly pins: PinService;
  readonly planning: PlanningBringer;
  readonly pullImports: PullImports;
}

const USUAL_CHARACTERS = 2_000;
/** Written in one transaction, while others wait. */
const MAX_BATCH = 100;
/** Maximum number of assignees without an account here that are named. */
const MAX_NAMED = 20;

/** Ids here of what items reference, by name. */
interface Names {
  readonly labels: ReadonlyMap<string, number>;
  readonly milestones: ReadonlyMap<string, number>;
}

/** Imports issues and pull requests with their discussions, page by page; existing ones are left as they are. */
export class TalkBringer {
  constructor(private readonly needs: TalkNeeds) {}

  /**
   * Reserves the numbers, so that items created here during the import come after them. @returns the offset for pull
   * requests' numbers
   */
  async reserve({ forge, seen }: Pick<ItemTask, "forge" | "seen">): Promise<number> {
    const { issues, pulls } = await forge.lastNumbers();
    this.needs.itemImports.reserve(seen, issues + (pulls ?? 0));
    return pulls === undefined ? 0 : issues;
  }

  /** @throws ValidationFailed an issue has too many comments */
  async issues(task: ItemTask): Promise<void> {
    const { forge, onProgress, people, seen } = task;
    const { files, itemImports, pins } = this.needs;
    const names = this.namesIn(seen);
    let count = 0;
    const pinned = new PinnedItems();
    for await (const page of forge.issues()) {
      pinned.note(page);
      const free = itemImports.free(seen, numbersOf(page, 0));
      const unfinished = itemImports.unfinished(seen, numbersOf(page, 0));
      let batch: ImportedItem[] = [];
      let weight = 0;
      const bringBatch = async () => {
        itemImports.bring(seen, batch);
        for (const item of batch) await this.bringRest(seen, item);
        [batch, weight] = [[], 0];
      };
      for (const each of page) {
        count++;
        // Duplicates are imported once; what is confidential there is not shown to everyone here.
        const isBegun = unfinished.delete(each.number);
        if (!(free.delete(each.number) || isBegun) || (each.isConfidential && !seen.repo.isPrivate)) continue;
        const talk = await forge.talkOf(each, "issue");
        const item = this.itemFrom(seen, each, talk, people, names);
        if (isBegun) {
          await this.bringRest(seen, item);
          continue;
        }
        if (weight + weightOf(item) > MAX_BATCH) await bringBatch();
        batch.push(item);
        weight += weightOf(item);
        onProgress(count);
      }
      await bringBatch();
    }
    pins.bring(seen, false, pinned.numbers(0));
    await files.bringAwaited(task);
  }

  private async bringRest(seen: SeenRepo, item: ImportedItem): Promise<void> {
    const { itemImports } = this.needs;
    const left = await itemImports.bringRest(seen, item);
    if (left) itemImports.finish(left);
  }

  /** Including their heads. @throws ValidationFailed one has too many comments */
  async pulls(task: ItemTask): Promise<void> {
    const { bringRefs, forge, onProgress, people, pullOffset, seen } = task;
    const { files, itemImports, pins, pullImports } = this.needs;
    const names = this.namesIn(seen);
    let count = 0;
    const pinned = new PinnedItems();
    for await (const page of forge.pulls()) {
      pinned.note(page);
      const free = itemImports.free(seen, numbersOf(page, pullOffset));
      const unfinished = itemImports.unfinished(seen, numbersOf(page, pullOffset));
      const wanted = page.filter(({ number }) => free.has(number + pullOffset));
      await bringRefs(new Map(wanted.map(({ headRef, number }) => [headRef, `refs/pull/${number + pullOffset}/head`])));
      for (const each of page) {
        count++;
        const isBegun = unfinished.delete(each.number + pullOffset);
        if (!(free.delete(each.number + pullOffset) || isBegun)) continue;
        const pull = await forge.detailed(each);
        const talk = await forge.talkOf(pull, "pull");
        const item = this.itemFrom(seen, { ...pull, number: each.number + pullOffset }, talk, people, names);
        const given = pullFrom(pull, item, talk, people);
        await (isBegun ? pullImports.bringRest(seen, given) : pullImports.bring(seen, given));
        onProgress(count);
      }
    }
    pins.bring(seen, true, pinned.numbers(pullOffset));
    await files.bringAwaited(task);
  }

  private itemFrom(
    { repo }: SeenRepo,
    item: ForgeItem,
    talk: ForgeTalk,
    people: ImportedPeople,
    names: Names,
  ): ImportedItem {
    const { files } = this.needs;
    const labelIds = item.labels.flatMap((name) => names.labels.get(name) ?? []);
    const { assets, assignees, author, labels, milestone, ...rest } = item;
    const own = files.named(repo.id, item.body, assets);
    return {
      ...rest,
      isPull: false,
      body: withAssignees(own.body, people.strangers(assignees)),
      files: own.files,
      author: people.author(author),
      labelIds: [...new Set(labelIds)],
      milestoneId: names.milestones.get(milestone),
      assigneeIds: people.accounts(assignees),
      reactions: reactionsFrom(talk.reactions, people),
      comments: talk.comments
        .toSorted((a, b) => a.createdAt - b.createdAt)
        .map((comment) => ({
          ...comment,
          ...files.named(repo.id, comment.body, comment.assets),
          author: people.author(comment.author),
          reactions: reactionsFrom(comment.reactions, people),
        })),
    };
  }

  private namesIn(seen: SeenRepo): Names {
    const { planning } = this.needs;
    return { labels: planning.labelIds(seen), milestones: planning.milestoneIds(seen) };
  }
}

/** Measured in comments of typical length: pending writes are in memory. */
const weightOf = ({ body, comments }: ImportedItem) =>
  comments.reduce(
    (sum, comment) => sum + Math.max(1, comment.body.length / USUAL_CHARACTERS),
    body.length / USUAL_CHARACTERS,
  );

const numbersOf = (items: readonly ForgeItem[], offset: number) =>
  items.flatMap(({ number }) => (number > 0 ? [number + offset] : []));

/** Assignees without an account here are named in the text, without mentioning a local account of that name. */
function withAssignees(body: string, names: readonly string[]): string {
  const named = names
    .map((name) => name.replace(/[`\s]+/g, " ").trim())
    .filter((name) => name !== "")
    .slice(0, MAX_NAMED);
  if (named.length === 0) return body;
  const line = `*Assigned to ${named.map((name) => `\`${name}\``).join(", ")}*`;
  return body === "" ? line : `${body.slice(0, MAX_TEXT - line.length - 2)}\n\n${line}`;
}

const reactionsFrom = (reactions: readonly ForgeReaction[], people: ImportedPeople): ImportedReaction[] =>
  reactions.map(({ giver, ...reaction }) => ({ ...reaction, giver: people.author(giver) }));

function pullFrom(pull: ForgePull, item: ImportedItem, { reviews }: ForgeTalk, people: ImportedPeople): ImportedPull {
  const { baseBranch, baseOid, headBranch, headOid, isDraft, isOfSameRepo, mergeCommit, mergedAt, mergedBy } = pull;
  const isOpen = item.closedAt === undefined;
  return {
    item,
    isDraft,
    baseBranch,
    baseOid,
    headBranch,
    isOfSameRepo,
    headOid,
    mergedAt,
    mergedBy: mergedBy && people.author(mergedBy),
    mergeCommit,
    allowsMaintainerEdit: pull.allowsMaintainerEdit,
    reviewerIds: isOpen ? askedOf(pull, reviews, people) : [],
    reviews: reviews.toSorted((a, b) => a.createdAt - b.createdAt).map((review) => reviewFrom(review, people)),
  };
}

/** Requested reviewers who have not reviewed yet. */
function askedOf({ reviewers }: ForgePull, reviews: readonly ForgeReview[], people: ImportedPeople): number[] {
  const heard = new Set(people.accounts(reviews.map(({ author }) => author)));
  return people.accounts(reviewers).filter((id) => !heard.has(id));
}

function reviewFrom(
  { author, comments, ...review }: ForgeReview,
  people: ImportedPeople,
): ImportedPull["reviews"][number] {
  return {
    ...review,
    author: people.author(author),
    comments: comments.flatMap(({ resolvedBy, ...comment }) =>
      comment.path === ""
        ? []
        : [{ ...comment, author: people.author(comment.author), resolvedBy: resolvedBy && people.author(resolvedBy) }],
    ),
  };
}
