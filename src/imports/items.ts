import type { Database } from "../db/database.ts";
import type { ImportedAuthor, ImportedComment, ImportedItem, ItemImports } from "../issues/imports/service.ts";
import { Failure, ValidationFailed } from "../kernel/errors.ts";
import type { LabelService } from "../labels/service.ts";
import type { MilestoneService } from "../milestones/service.ts";
import type { ReleaseAssets } from "../releases/assets/service.ts";
import type { ReleaseService } from "../releases/service.ts";
import type { RepoService } from "../repos/service.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { TopicService } from "../topics/service.ts";
import type { ForgeClient } from "./forge/client.ts";
import { listOf, type Members, membersOf, textOf, timeOf, wholeOf } from "./forge/reading.ts";

export interface ItemNeeds {
  readonly db: Database;
  readonly itemImports: ItemImports;
  readonly labels: LabelService;
  readonly milestones: MilestoneService;
  readonly releaseAssets: ReleaseAssets;
  readonly releases: ReleaseService;
  readonly repos: RepoService;
  readonly topics: TopicService;
}

/** What is done with a part of a repository, and who hears how far it is. */
export interface ItemTask {
  readonly seen: SeenRepo;
  readonly forge: ForgeClient;
  onProgress(text: string): void;
}

const MAX_TITLE = 255;
const MAX_TEXT = 65_535;
const MAX_COMMENTS = 5_000;
const ALL = { limit: 10_000, offset: 0 };

/** Brings what a forge keeps beside git, page by page; whatever is there already is left as it is, so each may be done again. */
export class ItemBringer {
  constructor(private readonly needs: ItemNeeds) {}

  /** Description, website and topics; what was given for them stays. */
  async about({ forge, seen }: ItemTask): Promise<void> {
    const { repos, topics } = this.needs;
    const there = membersOf(await forge.get(""));
    const description = textOf(there["description"], 2_048).trim();
    const website = textOf(there["website"] ?? there["homepage"], 1_024).trim();
    if (seen.repo.description === "" && description !== "") repos.edit(seen, { description });
    if (website !== "") takenOrNot(() => repos.edit(seen, { website }));
    for (const topic of listOf(there["topics"])) takenOrNot(() => topics.add(seen, textOf(topic, 100)));
  }

  async labels({ forge, onProgress, seen }: ItemTask): Promise<void> {
    const { db, labels } = this.needs;
    let count = 0;
    for await (const page of forge.pages("/labels"))
      db.transaction(() => {
        const there = new Set(labels.allUsable(seen).map(({ name }) => name));
        for (const each of page.map(membersOf)) {
          const name = textOf(each["name"], MAX_TITLE).trim();
          if (name === "" || there.has(name)) continue;
          there.add(name);
          const color = textOf(each["color"], 7).replace(/^#?/, "#");
          labels.create(seen, {
            name,
            color: /^#[0-9a-f]{6}$/i.test(color) ? color : "#ededed",
            description: textOf(each["description"], 1_000),
            isExclusive: each["exclusive"] === true,
            isArchived: each["is_archived"] === true,
          });
          onProgress(String(++count));
        }
      });
  }

  async milestones({ forge, onProgress, seen }: ItemTask): Promise<void> {
    const { db, milestones } = this.needs;
    let count = 0;
    for await (const page of forge.pages("/milestones?state=all"))
      db.transaction(() => {
        const there = this.milestoneIds(seen);
        for (const each of page.map(membersOf)) {
          const title = textOf(each["title"], MAX_TITLE).trim();
          if (title === "" || there.has(title)) continue;
          const { id } = milestones.create(seen, {
            title,
            description: textOf(each["description"], MAX_TEXT),
            dueAt: timeOf(each["due_on"]) ?? null,
            isClosed: each["state"] === "closed",
          });
          there.set(title, id);
          onProgress(String(++count));
        }
      });
  }

  /** With their comments. @throws ValidationFailed an item has more than can be taken */
  async issues({ forge, onProgress, seen }: ItemTask): Promise<void> {
    const { itemImports, labels } = this.needs;
    const usable = new Map(labels.allUsable(seen).map(({ id, name }) => [name, id]));
    const milestoneIds = this.milestoneIds(seen);
    const order = forge.isGitHub ? "state=all&sort=created&direction=asc" : "state=all&type=issues&sort=oldest";
    let count = 0;
    for await (const page of forge.pages(`/issues?${order}`)) {
      // GitHub tells of pull requests in the same list.
      const found = page.map(membersOf).filter((each) => each["pull_request"] == null && wholeOf(each["number"]) > 0);
      const free = itemImports.free(
        seen,
        found.map((each) => wholeOf(each["number"])),
      );
      let batch: ImportedItem[] = [];
      let comments = 0;
      for (const each of found) {
        // A server that tells of one twice is heard once.
        if (!free.delete(wholeOf(each["number"]))) continue;
        const item = itemOf(each, await this.commentsOf(forge, each), usable, milestoneIds);
        if (comments + item.comments.length > MAX_COMMENTS) {
          itemImports.bring(seen, batch);
          [batch, comments] = [[], 0];
        }
        batch.push(item);
        comments += item.comments.length;
        onProgress(String(++count));
      }
      itemImports.bring(seen, batch);
    }
  }

  /** With their files, those that are allowed here. */
  async releases({ forge, onProgress, seen }: ItemTask): Promise<void> {
    const { releases } = this.needs;
    let count = 0;
    for await (const page of forge.pages("/releases"))
      for (const each of page.map(membersOf)) {
        const tag = textOf(each["tag_name"], MAX_TITLE);
        const release = takenOrNot(() =>
          releases.bring(seen, {
            tag,
            title: textOf(each["name"], MAX_TITLE) || tag,
            body: textOf(each["body"], MAX_TEXT),
            target: textOf(each["target_commitish"], MAX_TITLE),
            isDraft: each["draft"] === true,
            isPrerelease: each["prerelease"] === true,
            createdAt: timeOf(each["published_at"]) ?? timeOf(each["created_at"]),
          }),
        );
        if (!release) continue;
        for (const asset of listOf(each["assets"]).map(membersOf)) await this.asset(forge, seen, release.id, asset);
        onProgress(String(++count));
      }
  }

  private async asset(forge: ForgeClient, seen: SeenRepo, releaseId: number, asset: Members): Promise<void> {
    const { releaseAssets, releases } = this.needs;
    const release = releases.get(seen, releaseId);
    const name = textOf(asset["name"], MAX_TITLE);
    const url = textOf(forge.isGitHub ? asset["url"] : asset["browser_download_url"], 4_096);
    if (url === "" || releaseAssets.of(release).some((each) => each.name === name)) return;
    const bytes = await forge.file(url, releaseAssets.maxBytes);
    try {
      using upload = await releaseAssets.receive(bytes, name);
      releaseAssets.add(seen, release, upload);
    } catch (error) {
      // Its kind or name may not be taken here; the release is worth having without it.
      if (!(error instanceof Failure) || error.status !== 400) throw error;
    }
  }

  private async commentsOf(forge: ForgeClient, issue: Members): Promise<ImportedComment[]> {
    if (wholeOf(issue["comments"]) === 0) return [];
    const number = wholeOf(issue["number"]);
    const found: ImportedComment[] = [];
    for await (const page of forge.pages(`/issues/${number}/comments`)) {
      for (const each of page.map(membersOf)) {
        const createdAt = timeOf(each["created_at"]) ?? 0;
        const updatedAt = timeOf(each["updated_at"]) ?? createdAt;
        found.push({ author: authorOf(each), body: textOf(each["body"], MAX_TEXT), createdAt, updatedAt });
      }
      if (found.length > MAX_COMMENTS)
        throw new ValidationFailed("import.too-many-comments", { params: { number, max: MAX_COMMENTS } });
    }
    return found.sort((a, b) => a.createdAt - b.createdAt);
  }

  private milestoneIds(seen: SeenRepo): Map<string, number> {
    const { items } = this.needs.milestones.list(seen, { state: "all", name: "", order: "closestduedate" }, ALL);
    return new Map(items.map(({ id, title }) => [title, id]));
  }
}

function itemOf(
  issue: Members,
  comments: readonly ImportedComment[],
  labels: ReadonlyMap<string, number>,
  milestones: ReadonlyMap<string, number>,
): ImportedItem {
  const number = wholeOf(issue["number"]);
  const createdAt = timeOf(issue["created_at"]) ?? 0;
  const updatedAt = timeOf(issue["updated_at"]) ?? createdAt;
  const ref = textOf(issue["ref"], 255);
  const named = listOf(issue["labels"]).map((each) => labels.get(textOf(membersOf(each)["name"], MAX_TITLE).trim()));
  return {
    number,
    isPull: false,
    author: authorOf(issue),
    title: textOf(issue["title"], MAX_TITLE).trim() || `#${number}`,
    body: textOf(issue["body"], MAX_TEXT),
    // No other name is one of a branch for certain (contract repositories.md 9.4).
    ref: /^[\w.-]+(?:\/[\w.-]+)*$/.test(ref) && !ref.includes("..") ? ref : "",
    createdAt,
    updatedAt,
    closedAt: issue["state"] === "closed" ? (timeOf(issue["closed_at"]) ?? updatedAt) : undefined,
    isLocked: (issue["is_locked"] ?? issue["locked"]) === true,
    dueAt: timeOf(issue["due_date"]),
    labelIds: [...new Set(named.filter((id) => id !== undefined))],
    milestoneId: milestones.get(textOf(membersOf(issue["milestone"])["title"], MAX_TITLE).trim()),
    comments,
  };
}

/** Who wrote it there: of what was moved there before, the first of all. */
function authorOf(entry: Members): ImportedAuthor {
  const before = textOf(entry["original_author"], MAX_TITLE);
  if (before !== "") return { name: before, id: wholeOf(entry["original_author_id"]) };
  const user = membersOf(entry["user"]);
  return { name: textOf(user["login"], MAX_TITLE) || "ghost", id: wholeOf(user["id"]) };
}

/** @returns undefined: it is none that could be kept here @throws what is no refusal of a value */
function takenOrNot<T>(take: () => T): T | undefined {
  try {
    return take();
  } catch (error) {
    if (error instanceof Failure && (error.status === 422 || error.status === 409)) return undefined;
    throw error;
  }
}
