import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { Card } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import type { ChangedLine } from "./text-change.ts";
import { conversationWords } from "./words/index.ts";

interface RevisionView {
  readonly id: number;
  readonly person: Person;
  readonly at: Instant;
  readonly isDeleted: boolean;
  readonly mayDelete: boolean;
  readonly lines: readonly ChangedLine[];
}

/** `GET …/issues/{number}/history`: the earlier versions of a text, newest first. */
export function HistoryPage(props: {
  shell: Shell;
  repo: RepoFrameProps;
  title: string;
  isPull: boolean;
  back: string;
  entryId: number;
  action: string;
  revisions: readonly RevisionView[];
}) {
  const t = useWords(conversationWords);
  const { action, entryId, isPull, repo, revisions, shell, title } = props;
  return (
    <RepoPage shell={shell} repo={repo} tab={isPull ? "pulls" : "issues"} title={[t("earlierTexts"), title]}>
      <h1>{t("earlierTexts")}</h1>
      <p>
        <a href={props.back}>{title}</a>
      </p>
      {revisions.map((revision) => (
        <Card>
          <p class="row">
            <Avatar person={revision.person} /> <PersonName person={revision.person} /> <Time at={revision.at} />
            {revision.mayDelete ? (
              <form method="post" action={action} class="push-end">
                <input type="hidden" name="page" value="1" />
                <input type="hidden" name="comment_id" value={String(entryId)} />
                <SubmitButton small name="history_id" value={String(revision.id)} icon="trash">
                  {t("deleteRevision")}
                </SubmitButton>
              </form>
            ) : null}
          </p>
          {revision.isDeleted ? (
            <p class="muted">{t("revisionDeleted")}</p>
          ) : (
            <div class="text-change">
              {revision.lines.map(({ kind, text }) =>
                kind === "added" ? (
                  <ins>{text || " "}</ins>
                ) : kind === "removed" ? (
                  <del>{text || " "}</del>
                ) : (
                  <span>{text || " "}</span>
                ),
              )}
            </div>
          )}
        </Card>
      ))}
    </RepoPage>
  );
}
