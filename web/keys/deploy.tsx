import type { DeployKey } from "../../src/keys/types.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, ErrorSummary, FormActions, type FormErrors, TextArea, TextField } from "../components/form.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { KeyRow } from "./row.tsx";
import { keysWords } from "./words/index.ts";

/** `GET/POST {W}/settings/keys`. */
export function DeployKeysPage({
  shell,
  repo,
  keys,
  form,
}: {
  shell: Shell;
  repo: RepoFrameProps;
  keys: readonly DeployKey[];
  form?: {
    readonly values: { readonly title: string; readonly content: string; readonly mayWrite: boolean };
    readonly errors: FormErrors<"title" | "content">;
  };
}) {
  const t = useWords(keysWords);
  const action = repoHref(repo, "settings/keys");
  return (
    <RepoSettings shell={shell} repo={repo} section="keys" title={t("deployKeys")}>
      <ErrorSummary errors={form?.errors} labels={{ title: t("title"), content: t("publicKey") }} />
      <Card flush>
        {keys.length === 0 ? (
          <EmptyState icon="key" title={t("noDeployKeys")}>
            {t("deployHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {keys.map((key) => (
              <KeyRow
                name={key.title}
                code={key.fingerprint}
                createdAt={key.createdAt}
                usedAt={key.lastUsedAt ?? null}
                badges={
                  <Badge tone={key.isReadOnly ? "plain" : "warn"}>
                    {key.isReadOnly ? t("readOnly") : t("mayWrite")}
                  </Badge>
                }
                deletes={{ action: `${action}/delete`, fields: { id: String(key.id) } }}
              />
            ))}
          </ul>
        )}
      </Card>
      <Card title={t("addDeployKey")}>
        <form class="form" method="post" action={action}>
          <TextField
            name="title"
            label={t("title")}
            hint={t("titleHint")}
            value={form?.values.title}
            error={form?.errors.title}
            maxLength={255}
            autocomplete="off"
            required
          />
          <TextArea
            name="content"
            label={t("publicKey")}
            hint={t("sshKeyHint")}
            value={form?.values.content}
            error={form?.errors.content}
            rows={4}
            required
          />
          <CheckField
            name="is_writable"
            label={t("mayWrite")}
            hint={t("mayWriteHint")}
            checked={form?.values.mayWrite ?? false}
          />
          <FormActions>
            <SubmitButton kind="primary">{t("addKey")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </RepoSettings>
  );
}
