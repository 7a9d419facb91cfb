import type { Database } from "../../db/database.ts";
import type { LabelService } from "../../labels/service.ts";
import type { MilestoneService } from "../../milestones/service.ts";
import type { RepoService } from "../../repos/service.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { TopicService } from "../../topics/service.ts";
import { takenOrNot } from "./taken.ts";
import type { ItemTask } from "./types.ts";

export interface PlanningNeeds {
  readonly db: Database;
  readonly labels: LabelService;
  readonly milestones: MilestoneService;
  readonly repos: RepoService;
  readonly topics: TopicService;
}

const ALL = { limit: 10_000, offset: 0 };

/** Imports labels, milestones and the repository's description; existing ones are left as they are. */
export class PlanningBringer {
  constructor(private readonly needs: PlanningNeeds) {}

  /** Description, website and topics; values already set stay. */
  async about({ forge, seen }: ItemTask): Promise<void> {
    const { repos, topics } = this.needs;
    const { description, topics: found, website } = await forge.about();
    if (seen.repo.description === "" && description !== "") repos.edit(seen, { description });
    if (website !== "") takenOrNot(() => repos.edit(seen, { website }));
    for (const topic of found) takenOrNot(() => topics.add(seen, topic));
  }

  async labels({ forge, onProgress, seen }: ItemTask): Promise<void> {
    const { db, labels } = this.needs;
    let count = 0;
    for await (const page of forge.labels()) {
      db.transaction(() => {
        const there = new Set(labels.allUsable(seen).map(({ name }) => name));
        for (const label of page) {
          if (label.name === "" || there.has(label.name)) continue;
          there.add(label.name);
          labels.create(seen, label);
        }
      });
      count += page.length;
      onProgress(count);
    }
  }

  async milestones({ forge, onProgress, seen }: ItemTask): Promise<void> {
    const { db, milestones } = this.needs;
    let count = 0;
    for await (const page of forge.milestones()) {
      db.transaction(() => {
        const there = new Set(this.milestoneIds(seen).keys());
        for (const { dueAt, title, ...milestone } of page) {
          if (title === "" || there.has(title)) continue;
          there.add(title);
          milestones.create(seen, { ...milestone, title, dueAt: dueAt ?? null });
        }
      });
      count += page.length;
      onProgress(count);
    }
  }

  labelIds(seen: SeenRepo): Map<string, number> {
    return new Map(this.needs.labels.allUsable(seen).map(({ id, name }) => [name, id]));
  }

  milestoneIds(seen: SeenRepo): Map<string, number> {
    const { items } = this.needs.milestones.list(seen, { state: "all", name: "", order: "closestduedate" }, ALL);
    return new Map(items.map(({ id, title }) => [title, id]));
  }
}
