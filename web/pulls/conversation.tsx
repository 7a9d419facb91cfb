import type { Person } from "../components/avatar.tsx";
import { PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { FormActions, TextArea, TextField } from "../components/form.tsx";
import type { IconName } from "../components/icon.tsx";
import { Prose } from "../components/prose.tsx";
import { Badge, Card, type Tone } from "../components/surface.tsx";
import type { Instant } from "../components/time.tsx";
import { Timeline, TimelineCard, TimelineEvent } from "../components/timeline.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { useWords } from "../language.ts";
import { type MergeBox, MergeCard } from "../merging/merge-box.tsx";
import { PullPage, type PullPageProps } from "./head.tsx";

import { pullWords } from "./words/index.ts";

export type ShownReviewKind = "approve" | "reject" | "comment" | "request" | "pending";

/** A comment on a line. */
export interface ShownLine {
  readonly id: number;
  readonly person: Person;
  readonly at: Instant;
  readonly html: SafeHtml;
}

/** Comments of one review on one line. */
export interface ShownTalk {
  readonly path: string;
  /** Below zero: of the old file. */
  readonly line: number;
  readonly hunk: string;
  readonly isOutdated: boolean;
  readonly isResolved: boolean;
  readonly mayResolve: boolean;
  readonly comments: readonly ShownLine[];
}

/** Something that happened, in words that a component has. */
export type ShownEvent =
  | { readonly kind: "close" | "reopen" | "merge" | "dismiss" | "schedule" | "unschedule" }
  | { readonly kind: "push"; readonly count: number }
  | { readonly kind: "force" | "rename" | "retarget"; readonly from: string; readonly to: string }
  | { readonly kind: "delete-branch" | "ask" | "unask"; readonly name: string };

export type ShownEntry = { readonly id: number; readonly person: Person; readonly at: Instant } & (
  | { readonly what: "comment"; readonly html: SafeHtml }
  | {
      readonly what: "review";
      readonly kind: ShownReviewKind;
      readonly html: SafeHtml | undefined;
      readonly talks: readonly ShownTalk[];
    }
  | { readonly what: "event"; readonly event: ShownEvent }
);

export interface ConversationProps extends PullPageProps {
  readonly description: { readonly person: Person; readonly at: Instant; readonly html: SafeHtml | undefined };
  readonly entries: readonly ShownEntry[];
  readonly reviewers: readonly { readonly person: Person; readonly kind: ShownReviewKind }[];
  /** Absent once it is over. */
  readonly box?: MergeBox | undefined;
  readonly may: {
    readonly comment: boolean;
    readonly edit: boolean;
    readonly reopen: boolean;
    readonly choose: boolean;
    readonly removeBranch: boolean;
  };
}

/** `GET {W}/pulls/{index}`. */
export function ConversationPage(props: ConversationProps) {
  const { box, description, entries, may, pull } = props;
  const t = useWords(pullWords);
  return (
    <PullPage {...props} tab="conversation">
      <div class="pull-columns">
        <div class="pull-main">
          <Timeline>
            <TimelineCard person={description.person} at={description.at}>
              {description.html ? <Prose html={description.html} /> : <p class="muted">{t("noText")}</p>}
            </TimelineCard>
            {entries.map((entry) => (
              <Entry entry={entry} href={pull.href} mayReply={may.comment} />
            ))}
          </Timeline>
          <div id="live-item" hx-sse:connect={`${pull.href}/-/events`} hx-trigger="load" />
          {box ? <MergeCard box={box} /> : null}
          {may.removeBranch ? (
            <form method="post" action={`${pull.href}/cleanup`}>
              <SubmitButton icon="trash">{t("removeBranch")}</SubmitButton>
            </form>
          ) : null}
          {may.comment ? (
            <form class="form" method="post" action={`${pull.href}/comments`} id="comment-form">
              <TextArea name="content" label={t("yourComment")} rows={4} />
              <FormActions>
                <SubmitButton kind="primary">{t("comment")}</SubmitButton>
                {may.edit && (pull.mark === "open" || pull.mark === "draft") ? (
                  <SubmitButton name="status" value="close">
                    {t("close")}
                  </SubmitButton>
                ) : null}
                {may.reopen ? (
                  <SubmitButton name="status" value="reopen">
                    {t("reopen")}
                  </SubmitButton>
                ) : null}
              </FormActions>
            </form>
          ) : null}
        </div>
        <Side props={props} />
      </div>
    </PullPage>
  );
}

function Side({ props }: { props: ConversationProps }) {
  const { may, pull, reviewers } = props;
  const t = useWords(pullWords);
  const isOpen = pull.mark === "open" || pull.mark === "draft";
  return (
    <aside class="pull-side">
      <Card title={t("reviewers")}>
        {reviewers.length === 0 ? <p class="muted">{t("noReviewers")}</p> : null}
        <ul class="plain">
          {reviewers.map(({ kind, person }) => (
            <li>
              <PersonName person={person} /> <ReviewBadge kind={kind} />
            </li>
          ))}
        </ul>
        {may.choose && isOpen ? (
          <form class="form" method="post" action={`${pull.href}/request_review`}>
            <TextField name="reviewer" label={t("reviewerName")} autocomplete="off" code required />
            <FormActions>
              <SubmitButton small>{t("askReview")}</SubmitButton>
            </FormActions>
          </form>
        ) : null}
      </Card>
      {may.edit && isOpen ? (
        <form method="post" action={`${pull.href}/draft`}>
          <input type="hidden" name="draft" value={pull.mark === "draft" ? "false" : "true"} />
          <SubmitButton small>{pull.mark === "draft" ? t("markReady") : t("markDraft")}</SubmitButton>
        </form>
      ) : null}
    </aside>
  );
}

const reviewLooks: Readonly<Record<ShownReviewKind, { readonly icon: IconName; readonly tone: Tone }>> = {
  approve: { icon: "check-circle", tone: "ok" },
  reject: { icon: "stop", tone: "danger" },
  comment: { icon: "comment", tone: "plain" },
  request: { icon: "clock", tone: "warn" },
  pending: { icon: "pencil", tone: "plain" },
};

function ReviewBadge({ kind }: { kind: ShownReviewKind }) {
  const t = useWords(pullWords);
  const { icon, tone } = reviewLooks[kind];
  return (
    <Badge icon={icon} tone={tone}>
      {t(`review-${kind}`)}
    </Badge>
  );
}

function Entry({ entry, href, mayReply }: { entry: ShownEntry; href: string; mayReply: boolean }) {
  const id = `issuecomment-${entry.id}`;
  if (entry.what === "comment")
    return (
      <TimelineCard person={entry.person} at={entry.at} id={id}>
        <Prose html={entry.html} />
      </TimelineCard>
    );
  if (entry.what === "review")
    return (
      <TimelineCard person={entry.person} at={entry.at} id={id} actions={<ReviewBadge kind={entry.kind} />}>
        {entry.html ? <Prose html={entry.html} /> : null}
        {entry.talks.map((talk) => (
          <Talk talk={talk} href={href} mayReply={mayReply} />
        ))}
      </TimelineCard>
    );
  return <Event entry={entry} event={entry.event} id={id} />;
}

function Talk({ talk, href, mayReply }: { talk: ShownTalk; href: string; mayReply: boolean }) {
  const t = useWords(pullWords);
  const [first] = talk.comments;
  const place = { path: talk.path, line: Math.abs(talk.line) };
  return (
    <details class="review-talk" open={!talk.isOutdated && !talk.isResolved}>
      <summary>
        <code>{talk.line > 0 ? t("lineOf", place) : t("oldLineOf", place)}</code>{" "}
        {talk.isOutdated ? <Badge tone="warn">{t("outdated")}</Badge> : null}
        {talk.isResolved ? <Badge tone="ok">{t("resolved")}</Badge> : null}
      </summary>
      <pre class="review-hunk" tabindex={0}>
        {talk.hunk}
      </pre>
      {talk.comments.map((comment) => (
        <div id={`issuecomment-${comment.id}`}>
          <PersonName person={comment.person} />
          <Prose html={comment.html} />
        </div>
      ))}
      {mayReply && first ? (
        <form class="form review-reply" method="post" action={`${href}/replies`}>
          <input type="hidden" name="comment_id" value={String(first.id)} />
          <TextArea name="content" id={`reply-${first.id}`} label={t("yourReply")} rows={2} required />
          <FormActions>
            <SubmitButton small>{t("reply")}</SubmitButton>
          </FormActions>
        </form>
      ) : null}
      {talk.mayResolve && first ? (
        <form method="post" action={`${href}/resolve`}>
          <input type="hidden" name="comment_id" value={String(first.id)} />
          <input type="hidden" name="action" value={talk.isResolved ? "UnResolve" : "Resolve"} />
          <SubmitButton small>{talk.isResolved ? t("reopenTalk") : t("resolve")}</SubmitButton>
        </form>
      ) : null}
    </details>
  );
}

function Event({ entry, event, id }: { entry: ShownEntry; event: ShownEvent; id: string }) {
  const look = (icon: IconName, text: string, tone: Tone = "plain") => (
    <TimelineEvent icon={icon} tone={tone} person={entry.person} at={entry.at} id={id}>
      {text}
    </TimelineEvent>
  );
  const t = useWords(pullWords);
  switch (event.kind) {
    case "close":
      return look("git-pull-request-closed", t("hasClosed"), "danger");
    case "reopen":
      return look("git-pull-request", t("hasReopened"), "ok");
    case "merge":
      return look("git-merge", t("didMerge"), "merged");
    case "push":
      return look("git-commit", t("hasPushed", { count: event.count }));
    case "force":
      return look("repo-push", t("hasForced", event), "warn");
    case "rename":
      return look("pencil", t("hasRenamed", event));
    case "retarget":
      return look("git-branch", t("hasRetargeted", event));
    case "delete-branch":
      return look("trash", t("hasDeletedBranch", event));
    case "ask":
      return look("eye", t("hasAsked", event));
    case "unask":
      return look("eye", t("hasUnasked", event));
    case "dismiss":
      return look("x", t("hasDismissed"));
    case "schedule":
      return look("clock", t("hasScheduled"));
    case "unschedule":
      return look("clock", t("hasUnscheduled"));
  }
}
