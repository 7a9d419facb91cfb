import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { CopyButton, OpenButton, SubmitButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
import { TextField } from "../components/form.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import type { Children } from "../jsx/types.ts";
import { LabelChip, type LabelChoice, type ShownLabel } from "../labels/chip.tsx";
import { useLanguage, useWords } from "../language.ts";
import { ItemProjects, type ItemProjectsProps } from "../projects/item-part.tsx";
import { ItemTimes, type ItemTimesProps } from "../time/item-part.tsx";
import type { LinkedItem } from "./entries.ts";
import { conversationWords } from "./words/index.ts";

interface Choosable {
  readonly isChosen: boolean;
}

/** What the viewer may change; each has a form. */
export interface SidebarRights {
  readonly plan: boolean;
  readonly watch: boolean;
  readonly lock: boolean;
  readonly administer: boolean;
}

export interface SidebarProps {
  /** Base URL of the forms. */
  readonly actions: string;
  /** Content that another area adds at the top. */
  readonly first?: Children;
  readonly number: number;
  /** `owner/name#12` */
  readonly reference: string;
  readonly isPull: boolean;
  readonly labels: readonly ShownLabel[];
  readonly labelChoices: readonly LabelChoice[];
  readonly assignees: readonly Person[];
  readonly assigneeChoices: readonly (Person & Choosable)[];
  readonly milestone:
    | { readonly title: string; readonly href: string; readonly done: number; readonly all: number }
    | undefined;
  readonly milestoneChoices: readonly { readonly id: number; readonly title: string; readonly isChosen: boolean }[];
  /** `2026-05-01`; empty: no due date. */
  readonly dueDay: string;
  readonly isOverdue: boolean;
  /** Undefined when the viewer may not see boards, or times. */
  readonly projects: ItemProjectsProps | undefined;
  readonly times: ItemTimesProps | undefined;
  readonly blockers: readonly (LinkedItem | undefined)[];
  readonly blocked: readonly LinkedItem[];
  readonly hasDependencies: boolean;
  readonly participants: readonly Person[];
  readonly isWatching: boolean;
  readonly isLocked: boolean;
  readonly isPinned: boolean;
  /** Days in which it can be restored after deletion. */
  readonly binDays: number;
  readonly may: SidebarRights;
}

/** Everything about an item except its texts. Every change is a form that works without JavaScript. */
export function Sidebar(props: SidebarProps) {
  const t = useWords(conversationWords);
  return (
    <aside class="item-side" id="item-side" aria-label={t("details")}>
      {props.first}
      <Part title={t("labels")} change={props.may.plan ? <LabelForm {...props} /> : null}>
        {props.labels.length === 0 ? <Nothing /> : null}
        <p class="label-chips">
          {props.labels.map((label) => (
            <LabelChip label={label} />
          ))}
        </p>
      </Part>
      <Part title={t("assignees")} change={props.may.plan ? <AssigneeForm {...props} /> : null}>
        <People people={props.assignees} />
      </Part>
      <Part title={t("milestone")} change={props.may.plan ? <MilestoneForm {...props} /> : null}>
        <MilestoneLine of={props.milestone} />
      </Part>
      <Part title={t("dueDate")} change={props.may.plan ? <DueForm {...props} /> : null}>
        <DueLine {...props} />
      </Part>
      {props.projects ? (
        <Part title={t("projects")}>
          <ItemProjects {...props.projects} />
        </Part>
      ) : null}
      {props.times ? (
        <Part title={t("time")}>
          <ItemTimes {...props.times} />
        </Part>
      ) : null}
      {props.hasDependencies ? <Dependencies {...props} /> : null}
      <Part title={t("participants")}>
        <p class="row">
          {props.participants.map((person) => (
            <a href={person.href} title={person.name}>
              <Avatar person={person} />
              <span class="hidden-text">{person.name}</span>
            </a>
          ))}
        </p>
      </Part>
      <Part title={t("reference")}>
        <p class="row">
          <code>{props.reference}</code>
          <CopyButton small text={props.reference} label={t("copyReference")} />
        </p>
      </Part>
      <Controls {...props} />
    </aside>
  );
}

export function Part(props: { title: string; change?: Children; children: Children }) {
  return (
    <section class="side-part">
      <h2>{props.title}</h2>
      {props.children}
      {props.change}
    </section>
  );
}

function Nothing() {
  const t = useWords(conversationWords);
  return <p class="muted">{t("none")}</p>;
}

function People({ people }: { people: readonly Person[] }) {
  if (people.length === 0) return <Nothing />;
  return (
    <ul class="side-list">
      {people.map((person) => (
        <li>
          <Avatar person={person} /> <PersonName person={person} />
        </li>
      ))}
    </ul>
  );
}

/** A form behind a line that opens it. */
function Change(props: { action: string; name: string; children: Children }) {
  const t = useWords(conversationWords);
  return (
    <details class="side-change">
      <summary class="btn btn-small btn-quiet">{props.name}</summary>
      <form class="form" method="post" action={props.action}>
        {props.children}
        <SubmitButton small kind="primary">
          {t("save")}
        </SubmitButton>
      </form>
    </details>
  );
}

/** A list of checkboxes, with a filter field. */
function Ticks(props: {
  id: string;
  name: string;
  label: string;
  choices: readonly {
    readonly value: string;
    readonly name: string;
    readonly isChosen: boolean;
    readonly face: Children;
    /** Labels with the same scope are exclusive. */
    readonly scope?: string | undefined;
  }[];
}) {
  const t = useWords(conversationWords);
  return (
    <fieldset>
      <legend class="hidden-text">{props.label}</legend>
      {props.choices.length > 8 ? (
        <input
          class="needs-script"
          type="search"
          data-filter={props.id}
          placeholder={t("filter")}
          aria-label={t("filter")}
        />
      ) : null}
      <ul class="side-ticks" id={props.id}>
        {props.choices.map((choice) => (
          <li data-name={choice.name}>
            <label>
              <input
                type="checkbox"
                name={props.name}
                value={choice.value}
                checked={choice.isChosen}
                data-scope={choice.scope}
              />{" "}
              {choice.face}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function LabelForm({ labelChoices, actions }: SidebarProps) {
  const t = useWords(conversationWords);
  if (labelChoices.length === 0) return null;
  return (
    <Change action={`${actions}/labels`} name={t("changeLabels")}>
      <Ticks
        id="side-labels"
        name="labels"
        label={t("labels")}
        choices={labelChoices.map((label) => ({
          value: String(label.id),
          name: label.name,
          isChosen: label.isChosen,
          face: <LabelChip label={label} />,
          scope: label.scope,
        }))}
      />
    </Change>
  );
}

function AssigneeForm({ assigneeChoices, actions }: SidebarProps) {
  const t = useWords(conversationWords);
  return (
    <Change action={`${actions}/assignees`} name={t("changeAssignees")}>
      <Ticks
        id="side-assignees"
        name="assignees"
        label={t("assignees")}
        choices={assigneeChoices.map((person) => ({
          value: person.name,
          name: person.name,
          isChosen: person.isChosen,
          face: (
            <>
              <Avatar person={person} /> {person.name}
            </>
          ),
        }))}
      />
    </Change>
  );
}

function MilestoneForm({ milestoneChoices, actions }: SidebarProps) {
  const t = useWords(conversationWords);
  if (milestoneChoices.length === 0) return null;
  return (
    <Change action={`${actions}/milestone`} name={t("changeMilestone")}>
      <select name="milestone" aria-label={t("milestone")}>
        <option value="0">{t("none")}</option>
        {milestoneChoices.map(({ id, isChosen, title }) => (
          <option value={String(id)} selected={isChosen}>
            {title}
          </option>
        ))}
      </select>
    </Change>
  );
}

function MilestoneLine({ of }: { of: SidebarProps["milestone"] }) {
  if (!of) return <Nothing />;
  return (
    <p>
      <a href={of.href}>{of.title}</a> <progress max={Math.max(1, of.all)} value={of.done} aria-hidden="true" />
    </p>
  );
}

function DueForm({ dueDay, actions }: SidebarProps) {
  const t = useWords(conversationWords);
  return (
    <Change action={`${actions}/deadline`} name={t("changeDueDate")}>
      <input type="date" name="deadline" value={dueDay} aria-label={t("dueDate")} />
    </Change>
  );
}

function DueLine({ dueDay, isOverdue }: SidebarProps) {
  const t = useWords(conversationWords);
  const language = useLanguage();
  if (dueDay === "") return <Nothing />;
  const day = language.day(Date.parse(`${dueDay}T12:00:00Z`));
  return <p>{isOverdue ? <strong class="text-danger">{t("overdue", { day })}</strong> : day}</p>;
}

function Dependencies(props: SidebarProps) {
  const t = useWords(conversationWords);
  const { blocked, blockers, may, actions } = props;
  return (
    <Part title={t("dependencies")}>
      {blockers.length + blocked.length === 0 ? <Nothing /> : null}
      {blockers.length > 0 ? <h3>{t("waitsFor")}</h3> : null}
      <ul class="side-list">
        {blockers.map((item) =>
          item ? <ItemLine item={item} remove={may.plan ? `${actions}/dependency/delete` : undefined} /> : <Hidden />,
        )}
      </ul>
      {blocked.length > 0 ? <h3>{t("blocks")}</h3> : null}
      <ul class="side-list">
        {blocked.map((item) => (
          <ItemLine item={item} remove={undefined} />
        ))}
      </ul>
      {may.plan ? (
        <details class="side-change">
          <summary class="btn btn-small btn-quiet">{t("addDependency")}</summary>
          <form class="form" method="post" action={`${actions}/dependency/add`}>
            <TextField name="dependency" label={t("dependencyName")} required placeholder="#12" code />
            <SubmitButton small kind="primary">
              {t("add")}
            </SubmitButton>
          </form>
        </details>
      ) : null}
    </Part>
  );
}

function Hidden() {
  const t = useWords(conversationWords);
  return <li class="muted">{t("hiddenItem")}</li>;
}

function ItemLine({ item, remove }: { item: LinkedItem; remove: string | undefined }) {
  const t = useWords(conversationWords);
  return (
    <li class="row">
      <a class="grow" href={item.href}>
        <ItemTitle text={item.title} /> <span class="muted">{item.label}</span>
      </a>
      {remove ? (
        <form method="post" action={remove}>
          <button
            type="submit"
            class="btn btn-icon btn-quiet btn-small i-x"
            name="dependency"
            value={item.label}
            aria-label={t("removeDependency", { item: item.label })}
          />
        </form>
      ) : null}
    </li>
  );
}

function Controls({ binDays, isLocked, isPinned, isPull, isWatching, may, number, actions }: SidebarProps) {
  const t = useWords(conversationWords);
  return (
    <section class="side-part side-controls">
      {may.watch ? (
        <form method="post" action={`${actions}/watch`}>
          <SubmitButton small icon={isWatching ? "bell-slash" : "bell"} name="watch" value={isWatching ? "0" : "1"}>
            {isWatching ? t("unsubscribe") : t("subscribe")}
          </SubmitButton>
        </form>
      ) : null}
      {may.lock ? (
        <form method="post" action={`${actions}/${isLocked ? "unlock" : "lock"}`}>
          <SubmitButton small icon={isLocked ? "key" : "lock"}>
            {isLocked ? t("unlock") : t("lock")}
          </SubmitButton>
        </form>
      ) : null}
      {may.administer ? (
        <>
          <form method="post" action={`${actions}/pin`}>
            <SubmitButton small icon="pin">
              {isPinned ? t("unpin") : t("pin")}
            </SubmitButton>
          </form>
          <OpenButton small icon="trash" opens="delete-item">
            {isPull ? t("deletePull") : t("deleteIssue")}
          </OpenButton>
          <ConfirmDialog
            id="delete-item"
            title={isPull ? t("deletePull") : t("deleteIssue")}
            action={`${actions}/delete`}
            typed={`#${number}`}
            field="confirm"
            label={t("delete")}
          >
            <p>{binDays === 0 ? t("deleteForGood") : t("deleteForDays", { count: binDays })}</p>
          </ConfirmDialog>
        </>
      ) : null}
    </section>
  );
}
