import type { ImportProgress } from "../../src/imports/types.ts";
import { recordedFailure } from "../../src/remotes/recorded-failure.ts";
import type { RepoStateSource } from "../area.ts";
import { LinkButton, SubmitButton } from "../components/button.tsx";
import { Count } from "../components/navigation.tsx";
import { Progress } from "../components/progress.tsx";
import { Card, Notice } from "../components/surface.tsx";
import { Time } from "../components/time.tsx";
import { refusalText } from "../form-data.ts";
import { useWords } from "../language.ts";
import { type RepoFrameProps, RepoPage } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { shellOf, show } from "../visit.ts";
import { partLabels } from "./part-labels.ts";
import { importsWords } from "./words/index.ts";

/** How often the page polls for progress. */
const RELOAD_SECONDS = 2;
const RESTING_RELOAD_SECONDS = 60;

/** The label of the current step. */
const STEPS = { "": "waiting", code: "code", about: "about", ...partLabels } as const satisfies Record<
  ImportProgress["step"],
  string
>;

/** The home page of a repository while it is being imported, or after that failed. */
export const importState: RepoStateSource = {
  id: "import",
  order: 10,
  show: (services, call, { repo }, frame) => {
    const progress = repo.originalUrl === "" ? undefined : services.imports.of(repo.id);
    if (!progress) return undefined;
    const failure = recordedFailure(progress.import.failure);
    const isResting = progress.import.waitsUntil !== undefined;
    if (!failure) call.header("refresh", String(isResting ? RESTING_RELOAD_SECONDS : RELOAD_SECONDS));
    const view = (
      <ImportStatePage
        shell={shellOf(services, call)}
        repo={frame}
        progress={progress}
        failure={failure && refusalText(call, failure)}
      />
    );
    return show(call, view);
  },
};

function ImportStatePage(props: {
  shell: Shell;
  repo: RepoFrameProps;
  progress: ImportProgress;
  failure: string | undefined;
}) {
  const { failure, progress, repo } = props;
  const t = useWords(importsWords);
  const { address, parts } = progress.import;
  const brought = parts.filter((part) => progress.counts[part] !== undefined);
  const settings = (action: string) => repoHref(repo, `settings/migrate/${action}`);
  return (
    <RepoPage shell={props.shell} repo={repo} tab="code" title={[t("underWay")]} noIndex>
      <div class="stack">
        <h1>{failure === undefined ? t("underWay") : t("failed")}</h1>
        <p class="muted">{t("from", { address })}</p>
        {failure === undefined ? (
          <UnderWay progress={progress} />
        ) : (
          <Notice kind="error">
            <p>{failure}</p>
          </Notice>
        )}
        {brought.length === 0 ? null : (
          <Card title={t("broughtSoFar")} flush>
            <ul class="list">
              {brought.map((part) => (
                <li>
                  {t(partLabels[part])} <Count value={progress.counts[part] ?? 0} />
                </li>
              ))}
            </ul>
          </Card>
        )}
        {repo.may.administer ? (
          <div class="row">
            {failure === undefined ? (
              <form method="post" action={settings("cancel")}>
                <SubmitButton>{t("cancel")}</SubmitButton>
              </form>
            ) : (
              <>
                <form method="post" action={settings("retry")}>
                  <SubmitButton kind="primary">{t("retry")}</SubmitButton>
                </form>
                <LinkButton href={repoHref(repo, "settings#danger")}>{t("toDelete")}</LinkButton>
              </>
            )}
          </div>
        ) : null}
      </div>
    </RepoPage>
  );
}

function UnderWay({ progress }: { progress: ImportProgress }) {
  const t = useWords(importsWords);
  const { address, waitsUntil } = progress.import;
  if (waitsUntil === undefined) return <Progress label={t(STEPS[progress.step])} text={progress.detail} />;
  return <p>{t.jsx("resting", { host: new URL(address).host, time: <Time at={waitsUntil} /> })}</p>;
}
