import { CancelLink, SubmitButton } from "../components/button.tsx";
import { ErrorSummary, FormActions, type FormErrors, SelectField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { commitHref } from "../links.ts";
import { Sha } from "./commit-line.tsx";
import { CommitCard, type CommitForm, type CommitTarget, type EditField } from "./editor.tsx";
import { contentWords } from "./words/index.ts";

export type PickKind = "cherry-pick" | "revert";

interface PickedProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly kind: PickKind;
  readonly sha: string;
  readonly subject: string;
}

export interface PickPageProps extends PickedProps {
  readonly branch: string;
  readonly action: string;
  readonly commit: CommitForm;
  readonly target: CommitTarget;
  readonly errors?: FormErrors<EditField>;
}

/** `GET/POST {W}/_cherrypick/{sha}/{branch}`: cherry-picks a commit onto a branch, or reverts it there. */
export function PickPage(props: PickPageProps) {
  const { repo, sha, kind, branch, errors } = props;
  const t = useWords(contentWords);
  return (
    <PickFrame of={props}>
      <p>{kind === "revert" ? t("revertAbout", { branch }) : t("cherryPickAbout", { branch })}</p>
      <form class="form" method="post" action={props.action}>
        <ErrorSummary errors={errors} />
        {kind === "revert" ? <input type="hidden" name="revert" value="true" /> : null}
        <CommitCard
          of={{ ...props, back: commitHref(repo, sha) }}
          button={kind === "revert" ? t("revert") : t("cherryPick")}
        />
      </form>
    </PickFrame>
  );
}

export interface ChooseBranchProps extends PickedProps {
  readonly action: string;
  readonly branches: readonly string[];
}

/** `GET {W}/cherry-pick/{sha}`: chooses the branch. */
export function ChooseBranchPage(props: ChooseBranchProps) {
  const { repo, sha, kind, branches, action } = props;
  const t = useWords(contentWords);
  return (
    <PickFrame of={props}>
      <Card>
        <form class="form" method="get" action={action}>
          {kind === "revert" ? <input type="hidden" name="cherry-pick-type" value="revert" /> : null}
          <SelectField
            name="branch"
            label={t("pickBranch")}
            choices={branches.map((name) => ({ value: name, label: name }))}
            value={repo.defaultBranch}
          />
          <FormActions>
            <SubmitButton kind="primary">{t("goOn")}</SubmitButton>
            <CancelLink href={commitHref(repo, sha)} />
          </FormActions>
        </form>
      </Card>
    </PickFrame>
  );
}

function PickFrame({ of, children }: { of: PickedProps; children: Children }) {
  const { shell, repo, sha, subject, kind } = of;
  const t = useWords(contentWords);
  const title = kind === "revert" ? t("revertCommit") : t("cherryPickCommit");
  return (
    <RepoPage shell={shell} repo={repo} tab="commits" title={[title, sha.slice(0, 10)]} width="normal" noIndex>
      <h1>{title}</h1>
      <p>
        <Sha repo={repo} sha={sha} /> {subject}
      </p>
      {children}
    </RepoPage>
  );
}
