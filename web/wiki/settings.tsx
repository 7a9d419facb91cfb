import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, type FormState, RadioField, SelectField, TextField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { wikiWords } from "./words/index.ts";

/** Where a repository's wiki is kept. */
export const wikiPlaces = ["here", "elsewhere", "off"] as const;

export interface WikiSettingsProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly place: (typeof wikiPlaces)[number];
  readonly isForEveryone: boolean;
  /** Its branches, and the current one; none while the wiki is empty. */
  readonly branches: readonly string[];
  readonly branch: string | undefined;
  readonly form: FormState<"wiki_url" | "wiki_branch">;
}

/** `GET/POST {W}/settings/wiki`: where the wiki is, and who may edit it. */
export function WikiSettingsPage(props: WikiSettingsProps) {
  const { branch, branches, form, isForEveryone, place, repo, shell } = props;
  const t = useWords(wikiWords);
  return (
    <RepoSettings shell={shell} repo={repo} section="wiki" title={t("wiki")}>
      <Card title={t("wiki")}>
        <form class="form" method="post" action={repoHref(repo, "settings/wiki")}>
          <RadioField
            name="wiki"
            label={t("place")}
            value={place}
            choices={wikiPlaces.map((value) => ({ value, label: t(`place-${value}`) }))}
          />
          <TextField
            name="wiki_url"
            type="url"
            label={t("wikiUrl")}
            hint={t("wikiUrlHint")}
            value={form.values?.wiki_url}
            error={form.errors?.wiki_url}
            maxLength={2048}
          />
          <CheckField
            name="for_everyone"
            label={t("forEveryone")}
            hint={t("forEveryoneHint")}
            checked={isForEveryone}
          />
          {branches.length > 1 ? (
            <SelectField
              name="wiki_branch"
              label={t("branch")}
              value={branch}
              choices={branches.map((name) => ({ value: name, label: name }))}
              error={form.errors?.wiki_branch}
            />
          ) : null}
          <FormActions form="wiki" flash={shell.flash}>
            <SubmitButton kind="primary">{t("saveSettings")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </RepoSettings>
  );
}
