import type { Runner } from "../../src/actions/types.ts";
import { CopyFromButton, OpenButton, SubmitButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Badge, Card, EmptyState, type Tone } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { PlaceProps } from "../settings-place.tsx";
import { DeleteButton, DeleteDialog } from "./delete-dialog.tsx";
import { ActionsFrame } from "./frame.tsx";
import { actionsWords } from "./words/index.ts";

export interface ShownRunner {
  readonly runner: Runner;
  readonly state: "busy" | "idle" | "offline";
  /** Its owner, when runners of several are listed. */
  readonly owner: string | undefined;
}

/** `GET …/actions/runners`. */
export function RunnersPage(props: {
  place: PlaceProps;
  runners: readonly ShownRunner[];
  token: string;
  pages: PageOf;
}) {
  const t = useWords(actionsWords);
  const { pages, place, runners, token } = props;
  return (
    <ActionsFrame place={place} part="runners">
      <p class="muted">{t(place.of.kind === "site" ? "aboutSiteRunners" : "aboutRunners")}</p>
      <Card flush>
        {runners.length === 0 ? (
          <EmptyState icon="play" title={t("noRunners")} />
        ) : (
          <ul class="list">
            {runners.map((shown) => (
              <RunnerRow shown={shown} base={place.base} />
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
      <TokenCard base={place.base} token={token} />
    </ActionsFrame>
  );
}

const TOKEN_ID = "registration-token";

function TokenCard({ base, token }: { base: string; token: string }) {
  const t = useWords(actionsWords);
  return (
    <Card title={t("registrationToken")}>
      <p class="muted">{t("registrationHint")}</p>
      <p class="row">
        <code id={TOKEN_ID}>{token}</code>
        <CopyFromButton from={TOKEN_ID} label={t("copyToken")} />
      </p>
      <OpenButton small opens="reset-token">
        {t("resetToken")}
      </OpenButton>
      <QuestionDialog
        id="reset-token"
        title={t("resetTitle")}
        action={`${base}/reset_registration_token`}
        fields={{}}
        label={t("resetToken")}
      >
        {t("resetHint")}
      </QuestionDialog>
    </Card>
  );
}

const tones: Readonly<Record<ShownRunner["state"], Tone>> = { busy: "accent", idle: "ok", offline: "plain" };

function RunnerRow({ shown: { owner, runner, state }, base }: { shown: ShownRunner; base: string }) {
  const t = useWords(actionsWords);
  const { id, isDisabled, isEphemeral, labels, lastOnlineAt, name, version } = runner;
  return (
    <li class="danger-row">
      <div>
        <p>
          <strong>{name}</strong> <Badge tone={tones[state]}>{t(state)}</Badge>{" "}
          {isDisabled ? <Badge tone="warn">{t("disabled")}</Badge> : null}{" "}
          {isEphemeral ? <Badge>{t("ephemeral")}</Badge> : null} {owner ? <span class="muted">{owner}</span> : null}
        </p>
        <p>
          {labels.map((label) => (
            <>
              <Badge>{label}</Badge>{" "}
            </>
          ))}
        </p>
        <p class="repo-facts">
          {lastOnlineAt === undefined ? (
            <span>{t("neverOnline")}</span>
          ) : (
            <Time at={lastOnlineAt} text={t("lastOnline", { time: TIME })} />
          )}
          {version ? <span>{t("registered", { version })}</span> : null}
        </p>
      </div>
      <div class="row">
        <form method="post" action={`${base}/${id}/update-runner`}>
          <input type="hidden" name="disabled" value={String(!isDisabled)} />
          <SubmitButton small>{t(isDisabled ? "enable" : "disable")}</SubmitButton>
        </form>
        <DeleteButton id={id} />
      </div>
      <DeleteDialog id={id} name={name} action={`${base}/${id}/delete`} hint={t("deleteRunnerHint")} />
    </li>
  );
}
