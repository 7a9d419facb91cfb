import { type Choice, type FormState, SelectField } from "../components/form.tsx";
import { Notice } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { type RepoName, repoHref } from "../links.ts";
import { CopyForm } from "../repos/copy-form.tsx";
import { forksWords } from "./words/index.ts";

export type ForkField = "uid" | "repo_name" | "description" | "fork_single_branch";

export interface ForkFormProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly form: FormState<ForkField>;
  /** Accounts that the viewer may create repositories for; `value` is the account's id. */
  readonly owners: readonly Choice[];
  /** Branches that can be forked on their own. */
  readonly branches: readonly string[];
  /** The viewer's fork, if there is one. */
  readonly existing: RepoName | undefined;
}

/** `GET/POST /{owner}/{repo}/fork`. */
export function ForkPage({ shell, repo, form, owners, branches, existing }: ForkFormProps) {
  const t = useWords(forksWords);
  return (
    <RepoPage shell={shell} repo={repo} tab={undefined} title={[t("forkThis")]}>
      <h1>{t("forkThis")}</h1>
      <p class="muted">{t("about")}</p>
      {existing ? (
        <Notice kind="info">
          <p>
            {t.jsx("haveOne", {
              fork: (
                <a href={repoHref(existing)}>
                  {existing.owner}/{existing.name}
                </a>
              ),
            })}
          </p>
        </Notice>
      ) : null}
      {existing && owners.length === 1 ? null : (
        <ForkForm repo={repo} form={form} owners={owners} branches={branches} />
      )}
    </RepoPage>
  );
}

function ForkForm({ repo, form, owners, branches }: Pick<ForkFormProps, "repo" | "form" | "owners" | "branches">) {
  const t = useWords(forksWords);
  const labels = {
    uid: t("owner"),
    repo_name: t("name"),
    description: t("description"),
    fork_single_branch: t("branches"),
  };
  return (
    <CopyForm repo={repo} action="fork" form={form} owners={owners} labels={labels} button={t("createFork")}>
      <SelectField
        name="fork_single_branch"
        label={labels.fork_single_branch}
        choices={[
          { value: "", label: t("allBranches") },
          ...branches.map((branch) => ({ value: branch, label: t("onlyBranch", { branch }) })),
        ]}
        value={form.values?.fork_single_branch ?? ""}
        error={form.errors?.fork_single_branch}
      />
    </CopyForm>
  );
}
