import { CancelLink, LinkButton, SubmitButton } from "../components/button.tsx";
import { ErrorSummary, FormActions, type FormErrors } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { contentWords } from "./words/index.ts";

/** The kind of edit, as in the editor's URL. */
export type EditWord = "_edit" | "_new" | "_delete" | "_upload";

export interface ProposePageProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly word: EditWord;
  /** Where the fork form posts to. */
  readonly action: string;
  /** Link back to the unchanged file. */
  readonly back: string;
  /** The user's existing fork, and its editor. */
  readonly existing?: { readonly name: string; readonly href: string } | undefined;
  readonly errors?: FormErrors<never>;
}

/** Replaces the editor for users who may read but not write: offers to fork, where the same form opens. */
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
