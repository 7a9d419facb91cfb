import type { Principal } from "../access/principal.ts";
import type { AccessControl } from "../access/service.ts";
import type { Database } from "../db/database.ts";
import type { Outbox } from "../events/outbox.ts";
import { storedPrincipal } from "../events/types.ts";
import type { Clock } from "../kernel/clock.ts";
import { NotFound, ValidationFailed } from "../kernel/errors.ts";
import type { Paging, Slice } from "../kernel/paging.ts";
import type { Repo, SeenRepo } from "../repos/types.ts";
import * as store from "./store.ts";
import type { Topic } from "./types.ts";
import { checkTopic, checkTopics, MAX_TOPICS } from "./values.ts";

export interface TopicParts {
  readonly access: AccessControl;
  readonly clock: Clock;
  readonly db: Database;
  readonly outbox: Outbox;
}

/** Topics of repositories, by which they can be found (contract repositories.md 13). */
export class TopicService {
  constructor(private readonly parts: TopicParts) {}

  /** Sorted by name. */
  of({ repo }: SeenRepo): string[] {
    return store.topicsOf(this.parts.db, repo.id);
  }

  /** Sets exactly these topics. @throws ValidationFailed too many, or bad ones */
  replace(seen: SeenRepo, names: readonly string[]): void {
    const wanted = new Set(checkTopics(names));
    this.change(seen, (present) => {
      const { clock, db } = this.parts;
      const gone = present.filter((name) => !wanted.has(name));
      for (const name of gone) store.removeTopic(db, seen.repo.id, name, clock());
      const added = [...wanted].filter((name) => store.addTopic(db, seen.repo.id, name, clock()));
      return gone.length + added.length > 0;
    });
  }

  /** Copies another repository's topics to a new one. Joins the running transaction. */
  copy({ repo }: SeenRepo, made: Repo, principal: Principal): void {
    const { clock, db, outbox } = this.parts;
    const topics = store.topicsOf(db, repo.id);
    if (topics.length === 0) return;
    for (const name of topics) store.addTopic(db, made.id, name, clock());
    const context = { repoId: made.id, ownerId: made.ownerId, principal: storedPrincipal(principal) };
    outbox.append("repo.topics-changed", context, { topics });
  }

  /** Does nothing if it is already set. @throws ValidationFailed a bad one, or the maximum is reached */
  add(seen: SeenRepo, name: string): void {
    const topic = checkTopic(name);
    this.change(seen, (present) => {
      if (present.length >= MAX_TOPICS) throw new ValidationFailed("topics.full", { field: "topic" });
      return store.addTopic(this.parts.db, seen.repo.id, topic, this.parts.clock());
    });
  }

  /** @throws NotFound the repository does not have it; ValidationFailed a bad one */
  remove(seen: SeenRepo, name: string): void {
    const topic = checkTopic(name);
    this.change(seen, () => {
      if (!store.removeTopic(this.parts.db, seen.repo.id, topic, this.parts.clock())) throw new NotFound();
      return true;
    });
  }

  /** Topics of repositories visible to the principal, most used first. */
  search(principal: Principal, part: string, paging: Pick<Paging, "limit" | "offset">): Slice<Topic> {
    const { access, db } = this.parts;
    const viewer = { isVisible: access.repoCondition(), params: access.params(principal) };
    return store.searchTopics(db, part.trim().toLowerCase(), viewer, paging);
  }

  private change({ owner, principal, repo }: SeenRepo, write: (present: readonly string[]) => boolean): void {
    const { db, outbox } = this.parts;
    db.transaction(() => {
      if (!write(store.topicsOf(db, repo.id))) return;
      const context = { repoId: repo.id, ownerId: owner.id, principal: storedPrincipal(principal) };
      outbox.append("repo.topics-changed", context, { topics: store.topicsOf(db, repo.id) });
    });
  }
}
