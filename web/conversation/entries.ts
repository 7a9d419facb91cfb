import { ghost } from "../../src/identity/system-users.ts";
import type { TimelineEntry, TimelineKind } from "../../src/issues/timeline/types.ts";
import type { SeenIssue } from "../../src/issues/types.ts";
import type { SafeHtml } from "../../src/markup/safe-html.ts";
import type { WebServices } from "../area.ts";
import type { Person } from "../components/avatar.tsx";
import type { Instant } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { type ShownLabel, shownLabel } from "../labels/chip.tsx";
import { repoHref } from "../links.ts";
import { absentPerson, personIn, personOf } from "../people.ts";
import type { ShownFile } from "./files.tsx";
import type { ShownReaction } from "./reactions.tsx";
import { shownReactions } from "./shown-reactions.ts";
import { type Standing, standingsIn } from "./standing.ts";
import type { ConversationTexts } from "./texts.ts";

/** An item that an entry links to. */
export interface LinkedItem {
  readonly href: string;
  /** `#12`, or `owner/name#12` for another repository. */
  readonly label: string;
  readonly title: string;
  readonly isPull: boolean;
  readonly isClosed: boolean;
}

/** Common to every entry of a conversation. */
interface EntryFacts {
  readonly id: number;
  readonly person: Person;
  readonly at: Instant;
  /** It is newer than the reader's last visit. */
  readonly isNew: boolean;
  /** What the entry's area adds. */
  readonly part: EntryPart | undefined;
}

/** An area's rendering of one of its entries. */
export interface EntryPart {
  /** What happened, as a sentence. */
  readonly line?: Children;
  /** In the header of a text. */
  readonly badge?: Children;
  /** Under the sentence or the text. */
  readonly below?: Children;
}

/** A text that someone wrote. */
export interface CommentView extends EntryFacts {
  readonly kind: "text";
  readonly html: SafeHtml;
  readonly editedAt: Instant | undefined;
  readonly revisions: number;
  readonly contentVersion: number;
  readonly files: readonly ShownFile[];
  readonly reactions: readonly ShownReaction[];
  readonly standing: Standing | undefined;
  /** Its author also opened the item. */
  readonly isAuthors: boolean;
  readonly mayChange: boolean;
}

/** An event, with what its sentence mentions. */
export interface EventView extends EntryFacts {
  readonly kind: "event";
  readonly what: TimelineKind;
  readonly entry: TimelineEntry;
  /** Labels that were added or removed. */
  readonly labels: readonly ChangedLabel[];
  readonly milestone: string;
  readonly oldMilestone: string;
  readonly assignee: Person | undefined;
  readonly isOwnAssignment: boolean;
  readonly item: LinkedItem | undefined;
  readonly commitHref: string;
}

export interface ChangedLabel extends ShownLabel {
  readonly isAdded: boolean;
}

export type EntryView = CommentView | EventView;

/** Timeline entries as a page shows them, with a fixed number of queries however many there are. */
export async function entryViews(
  services: WebServices,
  texts: ConversationTexts,
  item: SeenIssue,
  entries: readonly TimelineEntry[],
  readAt: number | undefined,
): Promise<EntryView[]> {
  const { attachments, comments, identity, issues, labels, milestones, reactions, textRevisions } = services;
  const { seen } = item;
  const all = <T>(of: (entry: TimelineEntry) => T | undefined) => [
    ...new Set(entries.flatMap((each) => of(each) ?? [])),
  ];
  const people = identity.byIds([...all(({ userId }) => userId), ...all(({ assigneeId }) => assigneeId)]);
  const labelsById = labels.byIds(all(({ labelId }) => labelId));
  const milestonesById = milestones.byIds([...all((each) => each.milestoneId), ...all((each) => each.oldMilestoneId)]);
  const others = new Map(
    issues
      .seeEach(
        seen.principal,
        all(({ otherIssueId }) => otherIssueId),
      )
      .map((other) => [other.issue.id, other]),
  );
  const written = entries.filter(isText);
  const ids = written.map(({ id }) => id);
  const rendered = await texts.show(
    seen,
    written.map(({ body, id }) => ({ text: body, suffix: String(id) })),
  );
  const html = new Map(ids.map((id, at) => [id, rendered[at]]));
  const files = attachments.ofEntries(ids);
  const felt = reactions.counts({ item, entry: undefined }, ids);
  const parts = await partsOf(services, texts, item, entries);
  const revisions = ids.length > 0 ? textRevisions.counts(item) : new Map<number, number>();
  const reactionsTo = shownReactions(identity, felt);
  const standings = standingsIn(services, seen, [...new Set(written.flatMap(({ userId }) => userId ?? []))]);
  const person = (entry: TimelineEntry) => personIn(people, entry.userId) ?? absentPerson(entry);
  return entries.flatMap((entry): EntryView[] => {
    const facts = {
      id: entry.id,
      person: person(entry),
      at: entry.createdAt,
      isNew: readAt !== undefined && entry.createdAt > readAt && entry.userId !== seen.principal.user?.id,
      part: parts.get(entry.id),
    };
    const text = html.get(entry.id);
    if (isText(entry) && text !== undefined)
      return [
        {
          ...facts,
          kind: "text",
          html: text,
          editedAt: entry.contentVersion > 0 ? entry.updatedAt : undefined,
          revisions: revisions.get(entry.id) ?? 0,
          contentVersion: entry.contentVersion,
          files: (files.get(entry.id) ?? []).map(fileOf),
          reactions: reactionsTo(entry.id),
          standing: standings.get(entry.userId ?? 0),
          isAuthors: isOfPoster(entry, item.issue),
          mayChange: !seen.repo.isArchived && comments.mayChange({ item, entry }),
        },
      ];
    if (isText(entry)) return [];
    const label = labelsById.get(entry.labelId ?? 0);
    const other = others.get(entry.otherIssueId ?? 0);
    return [
      {
        ...facts,
        kind: "event",
        what: entry.kind,
        entry,
        labels: label ? [{ ...shownLabel(label), isAdded: entry.body === "1" }] : [],
        milestone: milestonesById.get(entry.milestoneId ?? 0)?.title ?? "",
        oldMilestone: milestonesById.get(entry.oldMilestoneId ?? 0)?.title ?? "",
        assignee: entry.assigneeId === undefined ? undefined : (personIn(people, entry.assigneeId) ?? personOf(ghost)),
        isOwnAssignment: entry.assigneeId === entry.userId,
        item: other && linkedItem(item, other, entry.otherEntryId),
        commitHref: entry.commitId === "" ? "" : homeOfItem(item, `commit/${entry.commitId}`),
      },
    ];
  });
}

/** What areas add to their own entries; each area is called once per page. */
async function partsOf(
  services: WebServices,
  texts: ConversationTexts,
  item: SeenIssue,
  entries: readonly TimelineEntry[],
): Promise<ReadonlyMap<number, EntryPart>> {
  const found = await Promise.all(
    services.entryParts.map(({ kinds, show }) => {
      const own = entries.filter(({ kind }) => kinds.includes(kind));
      return own.length === 0 ? new Map<number, EntryPart>() : show({ services, texts, item, entries: own });
    }),
  );
  return new Map(found.flatMap((parts) => [...parts]));
}

/** Comments, and other entries with a readable text. */
const isText = ({ body, kind }: TimelineEntry) =>
  kind === "comment" || ((kind === "review" || kind === "dismiss_review") && body !== "");

export function fileOf({ name, sizeBytes, uuid }: { name: string; sizeBytes: number; uuid: string }): ShownFile {
  return { name, sizeBytes, uuid, href: `/attachments/${uuid}` };
}

/** A page of the item's repository. */
export function homeOfItem({ seen }: SeenIssue, sub = ""): string {
  return repoHref({ owner: seen.owner.login, name: seen.repo.name }, sub);
}

/** The page of an item. */
export function itemHref(item: SeenIssue, sub = ""): string {
  const { isPull, number } = item.issue;
  return homeOfItem(item, `${isPull ? "pulls" : "issues"}/${number}${sub}`);
}

/** Base URL of the forms on an item's page: the same for issues and pull requests. */
export function itemActions(item: SeenIssue, sub = ""): string {
  return homeOfItem(item, `issues/${item.issue.number}${sub}`);
}

/** A link to another item, labelled as seen from the first one's page. */
export function linkedItem(from: SeenIssue, to: SeenIssue, entryId?: number): LinkedItem {
  const { issue, seen } = to;
  const name = from.seen.repo.id === seen.repo.id ? "" : `${seen.owner.login}/${seen.repo.name}`;
  return {
    href: `${itemHref(to)}${entryId === undefined ? "" : `#issuecomment-${entryId}`}`,
    label: `${name}#${issue.number}`,
    title: issue.title,
    isPull: issue.isPull,
    isClosed: issue.isClosed,
  };
}

/** Whether an entry's author opened the item, here or on the forge that both were imported from. */
function isOfPoster(entry: TimelineEntry, issue: SeenIssue["issue"]): boolean {
  if (entry.userId !== undefined || issue.posterId !== undefined) return entry.userId === issue.posterId;
  const isSame = entry.originalAuthor === issue.originalAuthor && entry.originalAuthorId === issue.originalAuthorId;
  return isSame && entry.originalAuthor !== "";
}
