import { type Unit, units } from "../../src/access/levels.ts";
import { SubmitButton } from "../components/button.tsx";
import { FormActions, SelectField } from "../components/form.tsx";
import { Card, Notice } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { organizationWords } from "../organizations/words/index.ts";
import { RepoSettings } from "./settings-frame.tsx";
import { reposWords } from "./words/index.ts";

/** Who may read a unit, besides those with access. */
export const audiences = ["none", "accounts", "anyone"] as const;
export type ShownAudience = (typeof audiences)[number];

export interface PublicAccessProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  /** Enabled units, with their stored or typed values. */
  readonly chosen: ReadonlyMap<Unit, ShownAudience>;
  readonly error?: string;
  /** The site forces all repositories to be private. */
  readonly isForbidden: boolean;
}

/** `GET/POST {W}/settings/public_access`: what others may read of a private repository. */
export function PublicAccessPage({ chosen, error, isForbidden, repo, shell }: PublicAccessProps) {
  const t = useWords(reposWords);
  const unitName = useWords(organizationWords);
  return (
    <RepoSettings shell={shell} repo={repo} section="public-access" title={t("publicAccess")}>
      <Card title={t("publicAccess")}>
        {error ? (
          <Notice kind="error">
            <p>{error}</p>
          </Notice>
        ) : null}
        <p>{t("publicAccessAbout")}</p>
        {isForbidden ? <p class="muted">{t("repository.must-stay-private")}</p> : null}
        {repo.visibility === "public" ? <p class="muted">{t("publicAccessOfPublic")}</p> : null}
        <form class="form" method="post" action={repoHref(repo, "settings/public_access")}>
          {units
            .filter((unit) => chosen.has(unit))
            .map((unit) => (
              <SelectField
                name={unit}
                label={unitName(`unit-${unit}`)}
                value={chosen.get(unit)}
                choices={audiences.map((value) => ({ value, label: t(`audience-${value}`) }))}
              />
            ))}
          <FormActions>
            <SubmitButton>{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </RepoSettings>
  );
}
