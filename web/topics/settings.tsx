import { SubmitButton } from "../components/button.tsx";
import { FormActions, TextField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { topicsWords } from "./words/index.ts";

/** `GET/POST {W}/settings/topics`. */
export function TopicSettingsPage({
  shell,
  repo,
  value,
  error,
}: {
  shell: Shell;
  repo: RepoFrameProps;
  value: string;
  error?: string;
}) {
  const t = useWords(topicsWords);
  return (
    <RepoSettings shell={shell} repo={repo} section="topics" title={t("topics")}>
      <Card>
        <form class="form" method="post" action={repoHref(repo, "settings/topics")}>
          <TextField
            name="topics"
            label={t("field")}
            hint={t("hint")}
            value={value}
            error={error}
            autocomplete="off"
            code
          />
          <FormActions>
            <SubmitButton kind="primary">{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </RepoSettings>
  );
}
