import { Avatar } from "../components/avatar.tsx";
import { Icon, type IconName } from "../components/icon.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { TIME, Time } from "../components/time.tsx";
import { FixedParts } from "../jsx/fixed-parts.ts";
import { LabelChip } from "../labels/chip.tsx";
import { useLanguage, useWords } from "../language.ts";
import { repoHref, withQuery } from "../links.ts";
import type { ItemRow, ItemState } from "./items.ts";
import { issueListWords } from "./words/index.ts";

const ICONS: Readonly<Record<"issue" | "pull", Readonly<Record<ItemState, IconName>>>> = {
  issue: { open: "issue-opened", closed: "issue-closed", merged: "issue-closed", draft: "issue-opened" },
  pull: {
    open: "git-pull-request",
    closed: "git-pull-request-closed",
    merged: "git-merge",
    draft: "git-pull-request-draft",
  },
};

const stateIcons = new FixedParts();

/** The state of an item, as an icon with its name. */
export function ItemStateIcon({ isPull, state }: Pick<ItemRow, "isPull" | "state">) {
  return stateIcons.of([isPull, state], () => <StateIcon isPull={isPull} state={state} />);
}

function StateIcon({ isPull, state }: Pick<ItemRow, "isPull" | "state">) {
  const t = useWords(issueListWords);
  return (
    <span class={`item-state item-${state}`} title={t(`state-${state}`)}>
      <Icon name={ICONS[isPull ? "pull" : "issue"][state]} />
      <span class="hidden-text">{t(`state-${state}`)}</span>
    </span>
  );
}

export interface ItemRowsProps {
  readonly rows: readonly ItemRow[];
  /** The URL of this list, so that labels and people can narrow it; without it they are not links. */
  readonly here?: string;
  /** Each row has a checkbox for bulk actions. */
  readonly selectable?: boolean;
  /** The list spans repositories, so each row names its own. */
  readonly showsRepo?: boolean;
}

/** Room for the rows of a few dozen list pages: most of them do not change between two requests. */
const knownRows = new FixedParts(1000);

/** Items as rows: state, title, labels, author and time, and progress. */
export function ItemRows({ here, rows, selectable, showsRepo }: ItemRowsProps) {
  return (
    <ul class="list item-list">
      {rows.map((row) => {
        const shown: RowProps = { row, selectable, showsRepo, here: row.labels.length > 0 ? here : undefined };
        return <li>{knownRows.of([shown], () => Row(shown))}</li>;
      })}
    </ul>
  );
}

type RowProps = { readonly [Name in Exclude<keyof ItemRowsProps, "rows">]: ItemRowsProps[Name] | undefined } & {
  readonly row: ItemRow;
};

function Row({ row, here, selectable, showsRepo }: RowProps) {
  const t = useWords(issueListWords);
  return (
    <div class="item-row">
      {selectable ? (
        <input
          type="checkbox"
          name="issue_ids"
          value={row.id}
          aria-label={t("select", { number: row.number })}
          class="item-box"
        />
      ) : null}
      <ItemStateIcon isPull={row.isPull} state={row.state} />
      <div class="item-main">
        <p class="item-line">
          <a class="item-title" href={row.href}>
            <ItemTitle text={row.title} />
          </a>
          {row.labels.map((label) => (
            <LabelChip
              label={label}
              {...(here ? { href: withQuery(here, { labels: label.id, page: undefined }) } : {})}
            />
          ))}
        </p>
        <p class="item-facts">
          {showsRepo ? (
            <a href={repoHref(row.repo)}>
              {row.repo.owner}/{row.repo.name}
            </a>
          ) : null}
          <span>#{row.number}</span>
          <Happened row={row} />
          {row.milestone ? (
            <a href={repoHref(row.repo, `milestone/${row.milestone.id}`)}>
              <Icon name="milestone" /> {row.milestone.title}
            </a>
          ) : null}
          <Facts row={row} />
        </p>
      </div>
      <div class="item-marks">
        {row.assignees.length > 0 ? (
          <span
            class="item-people"
            title={t("assignedTo", { names: row.assignees.map(({ name }) => name).join(", ") })}
          >
            {row.assignees.slice(0, 3).map((person) => (
              <Avatar person={person} />
            ))}
            <span class="hidden-text">{row.assignees.map(({ name }) => name).join(", ")}</span>
          </span>
        ) : null}
        {row.comments > 0 ? (
          <a class="item-comments" href={row.href} tabindex={-1} title={t("comments", { count: row.comments })}>
            <Icon name="comment" /> {row.comments}
          </a>
        ) : null}
      </div>
    </div>
  );
}

function Happened({ row }: { row: ItemRow }) {
  const t = useWords(issueListWords);
  const name = row.poster?.name ?? t("ghost");
  const [at, word] =
    row.state === "merged"
      ? [row.closedAt ?? row.createdAt, "mergedBy" as const]
      : row.closedAt === undefined
        ? [row.createdAt, "openedBy" as const]
        : [row.closedAt, "closedBy" as const];
  return <Time at={at} text={t(word, { name, time: TIME })} />;
}

function Facts({ row }: { row: ItemRow }) {
  const t = useWords(issueListWords);
  const language = useLanguage();
  return (
    <>
      {row.tasks > 0 ? (
        <span>
          <Icon name="tasklist" /> {t("tasks", { done: row.tasksDone, total: row.tasks })}
        </span>
      ) : null}
      {row.dueAt === undefined ? null : (
        <span class={row.isOverdue ? "item-overdue" : undefined}>
          <Icon name="calendar" /> {t(row.isOverdue ? "overdueSince" : "dueOn", { day: language.day(row.dueAt) })}
        </span>
      )}
      {row.isLocked ? (
        <span>
          <Icon name="lock" /> {t("locked")}
        </span>
      ) : null}
    </>
  );
}
