import { Avatar, PersonName } from "../components/avatar.tsx";
import { Icon } from "../components/icon.tsx";
import { Prose } from "../components/prose.tsx";
import { Badge, RowMenu } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { CommentView } from "./entries.ts";
import { FileList } from "./files.tsx";
import { Reactions } from "./reactions.tsx";
import { conversationWords } from "./words/index.ts";

export interface CommentActions {
  /** The id on the page: `issuecomment-12`. */
  readonly anchor: string;
  /** The item's page. */
  readonly page: string;
  /** The form of a new issue that refers to it; absent when the viewer may not create one. */
  readonly refer: string | undefined;
  /** URL that edits its text. */
  readonly edit: string;
  /** URL that deletes it; absent for the item's own text. */
  readonly remove?: string;
  /** Base URL of reactions, without the last segment; absent when the viewer may not react. */
  readonly react: string | undefined;
  /** URL that toggles its task boxes; absent when the viewer may not. */
  readonly tick: string | undefined;
  /** URL that removes its files. */
  readonly removeFile: string;
  /** Its edit history. */
  readonly history: string;
}

/** A text with its author: the item's own or a comment. */
export function CommentCard(props: {
  view: CommentView;
  actions: CommentActions;
  offered: readonly string[];
  /** The viewer may comment, and so may quote. */
  mayReply: boolean;
}) {
  const t = useWords(conversationWords);
  const { actions, mayReply, offered, view } = props;
  const { anchor } = actions;
  return (
    <li class={view.isNew ? "timeline-item is-new" : "timeline-item"} id={anchor} data-comment="">
      <Avatar person={view.person} size={32} />
      <article class="timeline-body" aria-labelledby={`${anchor}-head`}>
        <div class="card">
          <header class="card-head" id={`${anchor}-head`}>
            <span>
              <PersonName person={view.person} />{" "}
              <a class="muted" href={`#${anchor}`}>
                <Time at={view.at} />
              </a>
              {view.revisions > 1 && view.editedAt !== undefined ? (
                <>
                  {" "}
                  <a class="muted" href={actions.history}>
                    {t("edited")}
                  </a>
                </>
              ) : null}
              {view.isNew ? (
                <>
                  {" "}
                  <Badge tone="accent">{t("isNew")}</Badge>
                </>
              ) : null}
            </span>
            <div class="card-actions">
              {view.part?.badge}
              {view.standing ? <Badge>{t(view.standing)}</Badge> : null}
              {view.isAuthors && view.standing !== "owner" ? <Badge>{t("author")}</Badge> : null}
              <CommentMenu {...{ actions, mayReply, view }} />
            </div>
          </header>
          <div
            class="card-body"
            id={`${anchor}-body`}
            data-body=""
            data-tick={actions.tick}
            data-version={actions.tick ? view.contentVersion : undefined}
          >
            {view.html === "" ? <p class="muted">{t("noText")}</p> : <Prose html={view.html} />}
            <FileList
              files={view.files}
              remove={view.mayChange ? { action: actions.removeFile, back: `${actions.page}#${anchor}` } : undefined}
            />
            <Reactions reactions={view.reactions} offered={offered} action={actions.react} />
          </div>
        </div>
        {view.part?.below}
      </article>
    </li>
  );
}

function CommentMenu({ actions, mayReply, view }: { actions: CommentActions; mayReply: boolean; view: CommentView }) {
  const t = useWords(conversationWords);
  const { anchor, edit, page, refer, remove } = actions;
  return (
    <RowMenu name={t("commentMenu", { name: view.person.name })}>
      <li>
        <button type="button" class="menu-item needs-script" data-copy={`${page}#${anchor}`} data-absolute="">
          <Icon name="link" /> {t("copyLink")}
        </button>
      </li>
      {mayReply ? (
        <li>
          <button type="button" class="menu-item needs-script" data-quote={anchor}>
            <Icon name="quote" /> {t("quoteReply")}
          </button>
        </li>
      ) : null}
      {refer === undefined ? null : (
        <li>
          <a class="menu-item" href={refer}>
            <Icon name="issue-opened" /> {t("referInNew")}
          </a>
        </li>
      )}
      {view.mayChange ? (
        <li>
          <a class="menu-item" href={edit} hx-get={edit} hx-target={`#${anchor}-body`} hx-swap="afterend">
            <Icon name="pencil" /> {t("edit")}
          </a>
        </li>
      ) : null}
      {view.mayChange && remove ? (
        <li>
          <form method="post" action={remove} data-confirm={t("reallyDeleteComment")}>
            <button type="submit" class="menu-item menu-danger">
              <Icon name="trash" /> {t("delete")}
            </button>
          </form>
        </li>
      ) : null}
    </RowMenu>
  );
}
