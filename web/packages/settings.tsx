import { OpenButton, SubmitButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
import { ErrorSummary, FormActions, type FormErrors, TextField } from "../components/form.tsx";
import { Breadcrumb } from "../components/navigation.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { PageFrame, type Shell } from "../layout/shell.tsx";
import { packagesWords } from "./words/index.ts";

export interface PackageSettingsProps {
  readonly shell: Shell;
  readonly owner: { readonly name: string; readonly packagesHref: string };
  readonly name: string;
  readonly href: string;
  readonly action: string;
  readonly repoName: string;
  readonly errors: FormErrors<"repo_name" | "package_name"> | undefined;
}

/** Links a package to a repository, and deletes it. */
export function PackageSettingsPage(props: PackageSettingsProps) {
  const { action, errors, href, name, owner, repoName, shell } = props;
  const t = useWords(packagesWords);
  return (
    <PageFrame shell={shell} title={[t("settings"), name, owner.name]} width="wide">
      <Breadcrumb
        crumbs={[
          { label: owner.name, href: `/${owner.name}` },
          { label: t("packages"), href: owner.packagesHref },
          { label: name, href },
          { label: t("settings") },
        ]}
      />
      <h1 class="hidden-text">{t("settings")}</h1>
      <ErrorSummary errors={errors} labels={{ repo_name: t("repository"), package_name: t("name") }} />
      <Card title={t("repository")}>
        <form class="form" method="post" action={action}>
          <input type="hidden" name="action" value="link" />
          <TextField
            name="repo_name"
            label={t("repository")}
            hint={t("repositoryHint")}
            value={repoName}
            error={errors?.repo_name}
            maxLength={100}
          />
          <FormActions>
            <SubmitButton>{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
      <Card title={t("deletePackage")} danger>
        <p>{t("deletePackageHint")}</p>
        <OpenButton kind="danger" icon="trash" opens="delete-package">
          {t("deletePackage")}
        </OpenButton>
      </Card>
      <ConfirmDialog
        id="delete-package"
        title={t("deletePackage")}
        action={action}
        typed={name}
        field="package_name"
        label={t("delete")}
      >
        <input type="hidden" name="action" value="delete" />
        <p>{t("deletePackageHint")}</p>
      </ConfirmDialog>
    </PageFrame>
  );
}
