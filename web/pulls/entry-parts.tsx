import type { TimelineEntry } from "../../src/issues/timeline/types.ts";
import { forcedHeads } from "../../src/pulls/push-entries.ts";
import type { Review } from "../../src/pulls/review/types.ts";
import type { SeenPull } from "../../src/pulls/types.ts";
import type { EntryPartSource, WebServices } from "../area.ts";
import { LinkButton } from "../components/button.tsx";
import { type EntryPart, itemHref } from "../conversation/entries.ts";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { ReviewBadge } from "./reviewers.tsx";
import { Thread } from "./thread.tsx";
import { threadsOf } from "./thread-data.ts";
import { pullWords } from "./words/index.ts";

/** What pull requests add to timeline entries: verdicts, comments on lines, and the changes of a force push. */
export const reviewEntries: EntryPartSource["show"] = async ({ entries, item, services, texts }) => {
  const pull = services.pulls.of(item);
  if (!pull) return new Map();
  const parts = new Map<number, EntryPart>();
  for (const entry of entries) {
    const part = entry.kind === "pull_push" ? forcedPush(pull, entry) : teamRequest(services, entry);
    if (part) parts.set(entry.id, part);
  }
  const told = entries.filter(({ kind }) => kind === "review");
  if (told.length === 0) return parts;
  const reviews = new Map(services.reviews.all(pull).map((review) => [review.id, review]));
  const shown = new Set(told.map(({ reviewId }) => reviewId));
  const comments = services.codeComments.ofPull(pull).filter(({ reviewId }) => shown.has(reviewId));
  const threads = await threadsOf(services, texts, pull, comments);
  const reviewOf = new Map(comments.map(({ id, reviewId }) => [id, reviewId]));
  for (const entry of told) {
    const review = reviews.get(entry.reviewId ?? 0);
    const own = threads.filter(({ id }) => reviewOf.get(id) === entry.reviewId);
    parts.set(entry.id, {
      ...(review ? { line: <Verdict review={review} />, badge: <ReviewBadge kind={review.kind} /> } : {}),
      below: own.map((thread) => <Thread thread={thread} />),
    });
  }
  return parts;
};

function Verdict({ review }: { review: Review }) {
  const t = useWords(pullWords);
  if (review.kind === "approve") return <>{t("didApprove")}</>;
  return <>{review.kind === "reject" ? t("didReject") : t("didReview")}</>;
}

function teamRequest({ teams }: WebServices, entry: TimelineEntry): EntryPart | undefined {
  const [team] = entry.teamId === undefined ? [] : teams.byIds([entry.teamId]);
  if (!team) return undefined;
  return { line: <TeamRequest name={team.name} isRemoval={entry.isRemoval} /> };
}

function TeamRequest({ isRemoval, name }: { isRemoval: boolean; name: string }) {
  const t = useWords(pullWords);
  return <>{isRemoval ? t("hasUnasked", { name }) : t("hasAsked", { name })}</>;
}

function forcedPush(item: SeenPull, { body }: TimelineEntry): EntryPart | undefined {
  const heads = forcedHeads(body);
  if (!heads) return undefined;
  return { line: <ForcedPush {...heads} href={`${itemHref(item)}/range-diff/${heads.from}..${heads.to}`} /> };
}

function ForcedPush({ from, href, to }: { from: string; href: string; to: string }) {
  const t = useWords(pullWords);
  const code = (oid: string): Children => <code>{oid.slice(0, 10)}</code>;
  return (
    <>
      {t.jsx("hasForced", { from: code(from), to: code(to) })}{" "}
      <LinkButton small kind="quiet" href={href}>
        {t("compareVersions")}
      </LinkButton>
    </>
  );
}
