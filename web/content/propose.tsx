import { CancelLink, LinkButton, SubmitButton } from "../components/button.tsx";
import { ErrorSummary, FormActions, type FormErrors } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { contentWords } from "./words/index.ts";

/** What someone wants to do to files, as the address of the editor has it. */
export type EditWord = "_edit" | "_new" | "_delete" | "_upload";

export interface ProposePageProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly word: EditWord;
  /** Where the form that forks is sent. */
  readonly action: string;
  /** To what was to be changed, unchanged. */
  readonly back: string;
  /** The fork that is there already, and its editor. */
  readonly existing?: { readonly name: string; readonly href: string } | undefined;
  readonly errors?: FormErrors<never>;
}

/** In place of the editor for whoever may read and not write: a fork of their own, where the same form opens. */
export function ProposePage({ shell, repo, word, action, back, existing, errors }: ProposePageProps) {
  const t = useWords(contentWords);
  const name = `${repo.owner}/${repo.name}`;
  return (
    <RepoPage shell={shell} repo={repo} tab="code" title={[t("proposeTitle")]} width="normal" noIndex>
      <h1>{t("proposeTitle")}</h1>
      <Card>
        <form class="form" method="post" action={action}>
          <ErrorSummary errors={errors} />
          <p>{t("proposeAbout", { repository: name })}</p>
          <input type="hidden" name="editor" value={word} />
          <FormActions>
            {existing ? (
              <LinkButton href={existing.href} kind="primary">
                {t("proposeInFork", { fork: existing.name })}
              </LinkButton>
            ) : (
              <SubmitButton kind="primary">{t("proposeFork")}</SubmitButton>
            )}
            <CancelLink href={back} />
          </FormActions>
        </form>
      </Card>
    </RepoPage>
  );
}
