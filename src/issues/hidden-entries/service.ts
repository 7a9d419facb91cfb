import { accountOf, type Principal } from "../../access/principal.ts";
import type { Database } from "../../db/database.ts";
import type { TimelineEntry, TimelineKind } from "../timeline/types.ts";
import * as store from "./store.ts";
import { type EntryTopic, entryTopicNames, entryTopics } from "./types.ts";

/** Kinds of timeline entries that accounts choose not to see in conversations. The API always returns everything. */
export class HiddenEntries {
  constructor(private readonly db: Database) {}

  /** What the account has hidden; nothing for anonymous principals. */
  of({ user }: Principal): ReadonlySet<EntryTopic> {
    if (!user) return new Set();
    const hidden = new Set(store.findHidden(this.db, user.id));
    return new Set(entryTopicNames.filter((topic) => hidden.has(topic)));
  }

  /** Hides exactly these topics. @throws Unauthorised */
  choose(principal: Principal, topics: ReadonlySet<EntryTopic>): void {
    const { id } = accountOf(principal);
    this.db.transaction(() => store.replaceHidden(this.db, id, [...topics]));
  }

  /** Filters out the entries the account has hidden. */
  leaveOut(principal: Principal, entries: readonly TimelineEntry[]): readonly TimelineEntry[] {
    const topics = [...this.of(principal)];
    if (topics.length === 0) return entries;
    const kinds = new Set<TimelineKind>(topics.flatMap((topic) => [...entryTopics[topic]]));
    return entries.filter(({ kind }) => !kinds.has(kind));
  }
}
