import { type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { TextField } from "../components/form.tsx";
import { ItemTitle } from "../components/item-title.tsx";
import { Badge } from "../components/surface.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import { useLanguage, useWords } from "../language.ts";
import { conversationWords } from "./words/index.ts";

export interface ItemHeadProps {
  readonly title: string;
  readonly number: number;
  readonly isPull: boolean;
  readonly isClosed: boolean;
  readonly isLocked: boolean;
  readonly poster: Person;
  readonly createdAt: Instant;
  readonly comments: number;
  readonly tasks: { readonly done: number; readonly all: number };
  /** URL that changes the title; absent when the viewer may not. */
  readonly titleAction: string | undefined;
}

/** Title, state and author: the same for issues and pull requests. */
export function ItemHead(props: ItemHeadProps) {
  const t = useWords(conversationWords);
  const { comments, isClosed, isLocked, isPull, number, poster, tasks, title, titleAction } = props;
  return (
    <header class="item-head" id="item-head">
      <h1>
        <ItemTitle text={title} /> <span class="muted">#{number}</span>
      </h1>
      {titleAction ? <TitleForm action={titleAction} title={title} /> : null}
      <p class="row item-state">
        {isPull ? null : isClosed ? (
          <Badge tone="merged" icon="issue-closed">
            {t("closed")}
          </Badge>
        ) : (
          <Badge tone="ok" icon="issue-opened">
            {t("open")}
          </Badge>
        )}
        {isLocked ? <Badge icon="lock">{t("locked")}</Badge> : null}
        <span class="muted">
          <PersonName person={poster} /> <Time at={props.createdAt} text={t("openedAt", { time: TIME })} />
        </span>
        <span class="muted">{t("commentCount", { count: comments })}</span>
        {tasks.all > 0 ? <TasksDone {...tasks} /> : null}
      </p>
    </header>
  );
}

/** The form that changes the title, behind a button. */
export function TitleForm({ action, title }: { action: string; title: string }) {
  const t = useWords(conversationWords);
  return (
    <details class="item-title-edit">
      <summary class="btn btn-small">{t("editTitle")}</summary>
      <form class="form" method="post" action={action}>
        <TextField name="title" label={t("title")} value={title} required maxLength={255} />
        <SubmitButton kind="primary">{t("save")}</SubmitButton>
      </form>
    </details>
  );
}

function TasksDone({ all, done }: { all: number; done: number }) {
  const t = useWords(conversationWords);
  const language = useLanguage();
  return <span class="muted">{t("tasksDone", { done: language.number(done), count: all })}</span>;
}
