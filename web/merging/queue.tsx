import type { QueueState } from "../../src/pulls/queue/types.ts";
import { type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { LivePart, LiveStream } from "../components/live-part.tsx";
import { Badge, Card, EmptyState, type Tone } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { commitHref, repoHref } from "../links.ts";
import { CheckList, type ShownChecks } from "./checks.tsx";
import { queueHref } from "./merge-box.tsx";
import { mergingWords } from "./words/index.ts";

export interface QueueRow {
  readonly position: number;
  readonly number: number;
  readonly title: string;
  readonly href: string;
  readonly state: QueueState;
  readonly person: Person;
  readonly at: Instant;
  /** The commit being tested. */
  readonly candidate: string | undefined;
  readonly checks: ShownChecks;
  readonly mayRemove: boolean;
}

export interface QueueProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly branch: string;
  /** Branches whose queues can be viewed. */
  readonly branches: readonly string[];
  readonly rows: readonly QueueRow[];
}

const tones: Readonly<Record<QueueState, Tone>> = { waiting: "plain", testing: "warn", ready: "ok", failed: "danger" };

/** Repository events that occur when a queue advances. */
const EVENTS = ["refs.changed", "commit-status.created", "timeline.appended"];

/** `GET {W}/merge_queue?branch=`: the queued pull requests in order; the page is refreshed by events. */
export function QueuePage({ branch, branches, repo, rows, shell }: QueueProps) {
  const t = useWords(mergingWords);
  const here = queueHref(repoHref(repo), branch);
  return (
    <RepoPage shell={shell} repo={repo} tab="pulls" title={[t("queueOf", { branch })]} noIndex>
      <h1>{t("queueOf", { branch })}</h1>
      <p class="muted">{t("queueIntro")}</p>
      {branches.length > 1 ? (
        <nav class="row" aria-label={t("queues")}>
          {branches.map((name) => (
            <a
              class="btn btn-small"
              href={queueHref(repoHref(repo), name)}
              aria-current={name === branch ? "page" : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
      ) : null}
      <LiveStream events={repoHref(repo, "-/events")}>
        <LivePart id="merge-queue" here={here} on={EVENTS} seconds={1}>
          {rows.length === 0 ? (
            <EmptyState icon="git-merge" title={t("queueEmpty")} />
          ) : (
            <Card flush>
              <ol class="queue-list">
                {rows.map((row) => (
                  <Row row={row} repo={repo} />
                ))}
              </ol>
            </Card>
          )}
        </LivePart>
      </LiveStream>
    </RepoPage>
  );
}

function Row({ repo, row }: { repo: RepoFrameProps; row: QueueRow }) {
  const t = useWords(mergingWords);
  const said = { name: <PersonName person={row.person} />, time: <Time at={row.at} /> };
  return (
    <li>
      <div class="row">
        <strong>{row.position}</strong>
        <span class="grow">
          <a href={row.href}>
            <ItemTitle text={row.title} /> <span class="muted">#{row.number}</span>
          </a>{" "}
          <span class="muted">{t.jsx("addedBy", said)}</span>
        </span>
        {row.candidate ? (
          <a href={commitHref(repo, row.candidate)}>
            <code>{row.candidate.slice(0, 10)}</code>
          </a>
        ) : null}
        <Badge tone={tones[row.state]}>{t(`queueState-${row.state}`)}</Badge>
        {row.mayRemove ? (
          <form method="post" action={`${row.href}/unqueue`}>
            <SubmitButton small>{t("removeFromQueue")}</SubmitButton>
          </form>
        ) : null}
      </div>
      <CheckList checks={row.checks} />
    </li>
  );
}
