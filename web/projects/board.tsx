import { Avatar, type Person } from "../components/avatar.tsx";
import { CancelLink, IconLink, LinkButton, SubmitButton } from "../components/button.tsx";
import { FormActions, SelectField, TextField } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { LiveStream, whenHeard } from "../components/live-part.tsx";
import { Count } from "../components/navigation.tsx";
import { PageSheet } from "../components/page-module.tsx";
import { Prose } from "../components/prose.tsx";
import { Badge, Card, EmptyState, Notice } from "../components/surface.tsx";
import type { SafeHtml } from "../jsx/raw.ts";
import { LabelChip, type ShownLabel } from "../labels/chip.tsx";
import { useWords } from "../language.ts";
import { withQuery } from "../links.ts";
import { ProjectFrame, type ProjectFrameProps } from "./frame.tsx";
import { projectsWords } from "./words/index.ts";

export interface CardItem {
  /** Id of the item on this server. */
  readonly id: number;
  /** `#12`, or `owner/name#12` on the board of an account. */
  readonly reference: string;
  readonly title: string;
  readonly href: string;
  readonly isPull: boolean;
  readonly isClosed: boolean;
  readonly labels: readonly ShownLabel[];
  readonly assignees: readonly Person[];
  readonly milestone: string;
}

export interface ColumnItem {
  readonly id: number;
  readonly title: string;
  /** `#` and six hexadecimal digits; empty: none. */
  readonly color: string;
  readonly isDefault: boolean;
  /** Absent when the viewer may not be able to read all of them. */
  readonly count?: number;
  readonly cards: readonly CardItem[];
  readonly hasMore: boolean;
}

export interface BoardFilter {
  readonly name: "labels" | "assignee" | "milestone";
  readonly value: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
}

export interface BoardProps {
  readonly frame: ProjectFrameProps;
  /** URL of the list of boards. */
  readonly base: string;
  readonly project: { readonly id: number; readonly title: string; readonly isClosed: boolean };
  readonly description: SafeHtml;
  readonly columns: readonly ColumnItem[];
  readonly filters: readonly BoardFilter[];
  readonly mayWrite: boolean;
  /** URL of the form for a new issue on it; undefined: none. */
  readonly newIssueHref: string | undefined;
  /** Shows a page of a single column; undefined: all columns, with the first cards of each. */
  readonly only: { readonly page: number } | undefined;
  /** Without JavaScript: the card or column whose form is shown. */
  readonly moving: CardItem | undefined;
  readonly editing: ColumnItem | undefined;
  /** URL of this page, which is fetched again on events. */
  readonly here: string;
}

/** `GET …/projects/{id}`: columns of cards, which are moved by dragging, by keys, or by a form. */
export function BoardPage(props: BoardProps) {
  const { base, columns, editing, filters, frame, mayWrite, moving, only, project } = props;
  const t = useWords(projectsWords);
  const board = `${base}/${project.id}`;
  return (
    <ProjectFrame frame={frame} title={[project.title]}>
      <div class="page-head">
        <h1>
          {project.title} {project.isClosed ? <Badge tone="merged">{t("closed")}</Badge> : null}
        </h1>
        {props.newIssueHref === undefined ? null : (
          <LinkButton kind="primary" icon="plus" href={props.newIssueHref}>
            {t("newIssue")}
          </LinkButton>
        )}
        {mayWrite ? (
          <>
            <LinkButton icon="pencil" href={`${board}/edit`} hotkey="e">
              {t("edit")}
            </LinkButton>
            <form method="post" action={`${board}/${project.isClosed ? "open" : "close"}`}>
              <SubmitButton>{project.isClosed ? t("reopen") : t("close")}</SubmitButton>
            </form>
          </>
        ) : null}
      </div>
      {String(props.description) === "" ? null : (
        <div class="start-text">
          <Prose html={props.description} />
        </div>
      )}
      <PageSheet name="board" />
      <BoardFilters board={board} filters={filters} />
      {moving ? <MoveCard board={board} card={moving} columns={columns} /> : null}
      {editing ? <EditColumn board={board} column={editing} isOnly={columns.length === 1} /> : null}
      {columns.length === 0 ? (
        <EmptyState icon="project" title={t("noColumns")}>
          {t("noColumnsHint")}
        </EmptyState>
      ) : (
        <LiveStream events={`${board}/events`}>
          <ol
            class="board"
            id="board"
            data-board={mayWrite ? `${board}/cards` : undefined}
            hx-get={props.here}
            hx-trigger={whenHeard(["board.changed"], 1)}
            hx-select="#board"
            hx-swap="outerMorph"
          >
            {columns.map((column) => (
              <BoardColumn board={board} column={column} mayWrite={mayWrite} page={only?.page} />
            ))}
          </ol>
        </LiveStream>
      )}
      {mayWrite ? (
        <div class="board-forms">
          <AddCard board={board} isOfRepo={frame.repo !== undefined} />
          <NewColumn board={board} />
        </div>
      ) : null}
      {mayWrite && columns.length > 0 ? (
        <div class="needs-script">
          <Notice kind="info">{t("keysHint")}</Notice>
        </div>
      ) : null}
    </ProjectFrame>
  );
}

function BoardFilters({ board, filters }: { board: string; filters: readonly BoardFilter[] }) {
  const t = useWords(projectsWords);
  if (filters.length === 0) return null;
  return (
    <search>
      <form class="search-form" method="get" action={board}>
        {filters.map(({ choices, name, value }) => (
          <select name={name} aria-label={t(`filter-${name}`)} data-submit="">
            {[{ value: "", label: t(`any-${name}`) }, ...choices].map((choice) => (
              <option value={choice.value} selected={choice.value === value}>
                {choice.label}
              </option>
            ))}
          </select>
        ))}
        <button type="submit" class="btn">
          {t("filter")}
        </button>
      </form>
    </search>
  );
}

function BoardColumn(props: { board: string; column: ColumnItem; mayWrite: boolean; page: number | undefined }) {
  const { board, column, mayWrite, page } = props;
  const t = useWords(projectsWords);
  const here = withQuery(board, { column: column.id });
  return (
    <li class="board-column" data-column={String(column.id)}>
      <header class="board-column-head">
        {column.color === "" ? null : (
          <svg class="label-dot" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
            <circle cx={5} cy={5} r={5} fill={column.color} />
          </svg>
        )}
        <h2>{column.title}</h2>
        {column.count === undefined ? null : <Count value={column.count} />}
        {column.isDefault ? <span class="muted">{t("defaultMark")}</span> : null}
        <span class="grow" />
        {mayWrite ? (
          <IconLink
            small
            icon="pencil"
            label={t("editNamed", { title: column.title })}
            href={withQuery(board, { edit: column.id })}
          />
        ) : null}
      </header>
      <ul class="board-cards">
        {column.cards.map((card) => (
          <BoardCard board={board} card={card} mayWrite={mayWrite} />
        ))}
      </ul>
      {column.hasMore || (page ?? 1) > 1 ? (
        <p class="row">
          {page !== undefined && page > 1 ? <a href={withQuery(here, { page: page - 1 })}>{t("fewer")}</a> : null}
          {column.hasMore ? (
            <a href={withQuery(here, { page: page === undefined ? 1 : page + 1 })}>{t("more")}</a>
          ) : null}
        </p>
      ) : null}
    </li>
  );
}

function BoardCard({ board, card, mayWrite }: { board: string; card: CardItem; mayWrite: boolean }) {
  const t = useWords(projectsWords);
  return (
    <li class="board-card" data-card={String(card.id)} draggable={mayWrite ? "true" : undefined}>
      <p class="board-card-title">
        <span class={card.isClosed ? "item-closed" : "item-open"}>
          <Icon
            name={card.isPull ? "git-pull-request" : card.isClosed ? "issue-closed" : "issue-opened"}
            label={t(card.isClosed ? "closed" : "open")}
          />
        </span>{" "}
        <a class="strong" href={card.href} draggable="false">
          <ItemTitle text={card.title} />
        </a>
      </p>
      <p class="board-card-facts muted">
        <span>{card.reference}</span>
        {card.milestone === "" ? null : (
          <span>
            <Icon name="milestone" /> {card.milestone}
          </span>
        )}
        {card.labels.map((label) => (
          <LabelChip label={label} />
        ))}
        <span class="grow" />
        {card.assignees.map((person) => (
          <Avatar person={person} />
        ))}
        {mayWrite ? (
          <IconLink
            small
            icon="kebab-horizontal"
            label={t("moveNamed", { title: card.title })}
            href={withQuery(board, { move: card.id })}
          />
        ) : null}
      </p>
    </li>
  );
}

/** Moves a card without dragging. */
function MoveCard(props: { board: string; card: CardItem; columns: readonly ColumnItem[] }) {
  const { board, card, columns } = props;
  const t = useWords(projectsWords);
  const present = columns.find(({ cards }) => cards.some(({ id }) => id === card.id));
  return (
    <Card title={t("moveNamed", { title: card.title })} id="move-card">
      <form class="form" method="post" action={`${board}/cards`}>
        <input type="hidden" name="issue" value={String(card.id)} />
        <SelectField
          name="column"
          label={t("column")}
          value={String(present?.id ?? "")}
          choices={columns.map(({ id, title }) => ({ value: String(id), label: title }))}
        />
        <FormActions>
          <SubmitButton kind="primary" name="place" value="bottom">
            {t("toEnd")}
          </SubmitButton>
          <SubmitButton name="place" value="top">
            {t("toStart")}
          </SubmitButton>
          <SubmitButton name="place" value="up">
            {t("up")}
          </SubmitButton>
          <SubmitButton name="place" value="down">
            {t("down")}
          </SubmitButton>
          <SubmitButton kind="danger" name="place" value="off">
            {t("takeOff")}
          </SubmitButton>
          <CancelLink href={board} />
        </FormActions>
      </form>
    </Card>
  );
}

function EditColumn({ board, column, isOnly }: { board: string; column: ColumnItem; isOnly: boolean }) {
  const t = useWords(projectsWords);
  const action = `${board}/${column.id}`;
  return (
    <Card title={t("editNamed", { title: column.title })} id="edit-column">
      <form class="form" method="post" action={`${action}/edit`}>
        <ColumnFields title={column.title} color={column.color} />
        <FormActions>
          <SubmitButton kind="primary">{t("save")}</SubmitButton>
          <CancelLink href={board} />
        </FormActions>
      </form>
      <div class="form-actions">
        {isOnly ? null : (
          <>
            <form method="post" action={`${action}/step`}>
              <SubmitButton icon="arrow-left" name="to" value="left">
                {t("left")}
              </SubmitButton>{" "}
              <SubmitButton name="to" value="right">
                {t("right")}
              </SubmitButton>
            </form>
            {column.isDefault ? null : (
              <form method="post" action={`${action}/default`}>
                <SubmitButton>{t("makeDefault")}</SubmitButton>
              </form>
            )}
          </>
        )}
        {column.isDefault ? null : (
          <form method="post" action={`${action}/delete`}>
            <SubmitButton kind="danger" icon="trash">
              {t("deleteColumn")}
            </SubmitButton>
          </form>
        )}
      </div>
    </Card>
  );
}

function ColumnFields({ color, id, title }: { title: string; color: string; id?: string }) {
  const t = useWords(projectsWords);
  return (
    <>
      <TextField
        name="title"
        id={`f-${id ?? "column"}-title`}
        label={t("title")}
        value={title}
        maxLength={100}
        autocomplete="off"
        required
      />
      <TextField
        name="color"
        id={`f-${id ?? "column"}-color`}
        label={t("color")}
        hint={t("colorHint")}
        value={color}
        pattern="#[0-9a-fA-F]{6}"
        autocomplete="off"
        code
      />
    </>
  );
}

function NewColumn({ board }: { board: string }) {
  const t = useWords(projectsWords);
  return (
    <details class="card board-form">
      <summary>{t("newColumn")}</summary>
      <form class="form" method="post" action={`${board}/columns/new`}>
        <ColumnFields id="new" title="" color="" />
        <FormActions>
          <SubmitButton>{t("createColumn")}</SubmitButton>
        </FormActions>
      </form>
    </details>
  );
}

function AddCard({ board, isOfRepo }: { board: string; isOfRepo: boolean }) {
  const t = useWords(projectsWords);
  return (
    <details class="card board-form">
      <summary>{t("addCard")}</summary>
      <form class="form" method="post" action={`${board}/cards/add`}>
        <TextField
          name="item"
          label={t("whichItem")}
          hint={t(isOfRepo ? "whichItemHint" : "whichItemOfRepoHint")}
          autocomplete="off"
          required
          code
        />
        <FormActions>
          <SubmitButton>{t("add")}</SubmitButton>
        </FormActions>
      </form>
    </details>
  );
}
