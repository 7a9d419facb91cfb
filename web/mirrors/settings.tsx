import { durationText } from "../../src/kernel/duration.ts";
import type { PullMirror } from "../../src/mirrors/pull/types.ts";
import type { PushMirror } from "../../src/mirrors/push/types.ts";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { ConfirmDialog } from "../components/dialog.tsx";
import { CheckField, ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { Card, EmptyState, Notice } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { RepoFrameProps } from "../layout/repo-frame.tsx";
import type { Shell } from "../layout/shell.tsx";
import { repoHref } from "../links.ts";
import { RepoSettings } from "../repos/settings-frame.tsx";
import { mirrorsWords } from "./words/index.ts";

export type MirrorField =
  | "mirror_interval"
  | "mirror_address"
  | "mirror_username"
  | "mirror_lfs_endpoint"
  | "push_mirror_address"
  | "push_mirror_username"
  | "push_mirror_interval"
  | "push_mirror_branches";

/** A mirror, and why its last run failed. */
interface Shown<Mirror> {
  readonly mirror: Mirror;
  readonly failure: string | undefined;
}

interface ShownPull extends Shown<PullMirror> {
  /** Without credentials; empty: the default location of git LFS. */
  readonly lfsEndpoint: string;
}

export interface MirrorsPageProps {
  readonly shell: Shell;
  readonly repo: RepoFrameProps;
  readonly form: FormState<MirrorField>;
  readonly pull: ShownPull | undefined;
  readonly push: readonly Shown<PushMirror>[];
  readonly isOwner: boolean;
  /** Mirrors are enabled. */
  readonly isOn: boolean;
  readonly mayAdd: boolean;
  readonly minInterval: string;
}

/** `GET …/settings/mirrors`. */
export function MirrorsPage(props: MirrorsPageProps) {
  const { form, isOn, pull, repo } = props;
  const t = useWords(mirrorsWords);
  return (
    <RepoSettings shell={props.shell} repo={repo} section="mirrors" title={t("mirrors")}>
      {isOn ? null : (
        <Notice kind="warning">
          <p>{t("mirror.disabled")}</p>
        </Notice>
      )}
      <ErrorSummary errors={form.errors} />
      {pull ? <PullCard {...props} pull={pull} /> : null}
      <Card title={t("push")} flush>
        {props.push.length === 0 ? (
          <EmptyState icon="repo-push" title={t("noPush")} />
        ) : (
          <ul class="list">
            {props.push.map((shown) => (
              <PushRow repo={repo} shown={shown} mayChange={props.mayAdd} />
            ))}
          </ul>
        )}
      </Card>
      {props.mayAdd ? <AddForm {...props} /> : null}
    </RepoSettings>
  );
}

function PullCard({ form, isOwner, minInterval, pull, repo }: MirrorsPageProps & { pull: ShownPull }) {
  const t = useWords(mirrorsWords);
  const { failure, lfsEndpoint, mirror } = pull;
  const action = repoHref(repo, "settings");
  const { errors, values } = form;
  return (
    <>
      <Card
        title={t("pull")}
        actions={
          <form method="post" action={action}>
            <input type="hidden" name="action" value="mirror-sync" />
            <SubmitButton small icon="sync">
              {t("syncNow")}
            </SubmitButton>
          </form>
        }
      >
        <div class="stack">
          <p class="muted">{t("pullAbout")}</p>
          <p>
            {mirror.syncedAt === undefined ? (
              t("neverSynced")
            ) : (
              <Time at={mirror.syncedAt} text={t("synced", { time: TIME })} />
            )}
          </p>
          {failure === undefined ? null : (
            <Notice kind="error">
              <p>{t("lastFailed", { reason: failure })}</p>
            </Notice>
          )}
          <form class="form" method="post" action={action}>
            <input type="hidden" name="action" value="mirror" />
            <TextField
              name="mirror_address"
              label={t("address")}
              value={values?.mirror_address || mirror.address}
              error={errors?.mirror_address}
              maxLength={2048}
              autocomplete="off"
              required
              code
            />
            <div class="field-row">
              <TextField
                name="mirror_username"
                label={t("username")}
                value={mirror.username}
                maxLength={255}
                autocomplete="off"
                code
              />
              <TextField
                name="mirror_password"
                label={t("password")}
                type="password"
                hint={mirror.hasPassword ? t("passwordKept") : undefined}
                maxLength={1024}
                autocomplete="off"
              />
            </div>
            <TextField
              name="mirror_interval"
              label={t("interval")}
              value={values?.mirror_interval || durationText(mirror.intervalMs)}
              error={errors?.mirror_interval}
              hint={t("intervalHint", { min: minInterval })}
              maxLength={100}
              autocomplete="off"
              required
              code
            />
            <CheckField name="mirror_prune" label={t("prunes")} checked={mirror.prunes} />
            <CheckField name="mirror_wiki" label={t("wiki")} checked={mirror.hasWiki} />
            <CheckField name="mirror_lfs" label={t("lfs")} checked={mirror.hasLfs} />
            <TextField
              name="mirror_lfs_endpoint"
              label={t("lfsEndpoint")}
              value={values?.mirror_lfs_endpoint ?? lfsEndpoint}
              error={errors?.mirror_lfs_endpoint}
              hint={t("lfsEndpointHint")}
              maxLength={2048}
              autocomplete="off"
              code
            />
            <FormActions>
              <SubmitButton kind="primary">{t("save")}</SubmitButton>
            </FormActions>
          </form>
        </div>
      </Card>
      {isOwner ? (
        <Card danger flush>
          <ul class="list">
            <li class="danger-row">
              <div>
                <h3>{t("convert")}</h3>
                <p class="muted">{t("convertAbout")}</p>
              </div>
              <OpenButton kind="danger" opens="convert-mirror">
                {t("convert")}
              </OpenButton>
            </li>
          </ul>
          <ConfirmDialog
            id="convert-mirror"
            title={t("convertTitle")}
            action={action}
            field="repo_name"
            typed={`${repo.owner}/${repo.name}`}
            label={t("convert")}
          >
            <input type="hidden" name="action" value="convert" />
            <p>{t("convertAbout")}</p>
          </ConfirmDialog>
        </Card>
      ) : null}
    </>
  );
}

function PushRow({ mayChange, repo, shown }: { mayChange: boolean; repo: RepoFrameProps; shown: Shown<PushMirror> }) {
  const t = useWords(mirrorsWords);
  const { failure, mirror } = shown;
  const action = repoHref(repo, "settings");
  const when = [
    ...(mirror.intervalMs > 0 ? [t("every", { interval: durationText(mirror.intervalMs) })] : []),
    ...(mirror.syncOnCommit ? [t("onCommit")] : []),
  ];
  return (
    <li class="danger-row">
      <div>
        <p class="strong">{mirror.address}</p>
        <p class="muted">
          {when.length === 0 ? t("onDemand") : when.join(" · ")}
          {mirror.branches.length === 0 ? null : ` · ${t("onlyBranches", { names: mirror.branches.join(", ") })}`}
          {" · "}
          {mirror.pushedAt === undefined ? (
            t("neverPushed")
          ) : (
            <Time at={mirror.pushedAt} text={t("pushed", { time: TIME })} />
          )}
        </p>
        {failure === undefined ? null : <p class="field-error">{t("lastFailed", { reason: failure })}</p>}
      </div>
      {mayChange ? (
        <div class="row">
          <form method="post" action={action}>
            <input type="hidden" name="action" value="push-mirror-sync" />
            <input type="hidden" name="push_mirror_name" value={mirror.remoteName} />
            <SubmitButton small>{t("pushNow")}</SubmitButton>
          </form>
          <form method="post" action={action}>
            <input type="hidden" name="action" value="push-mirror-remove" />
            <input type="hidden" name="push_mirror_name" value={mirror.remoteName} />
            <SubmitButton small kind="danger">
              {t("remove")}
            </SubmitButton>
          </form>
        </div>
      ) : null}
    </li>
  );
}

function AddForm({ form: { errors, values }, minInterval, repo }: MirrorsPageProps) {
  const t = useWords(mirrorsWords);
  return (
    <Card title={t("add")}>
      <form class="form" method="post" action={repoHref(repo, "settings")}>
        <input type="hidden" name="action" value="push-mirror-add" />
        <p class="muted">{t("pushAbout")}</p>
        <TextField
          name="push_mirror_address"
          label={t("address")}
          value={values?.push_mirror_address}
          error={errors?.push_mirror_address}
          maxLength={2048}
          autocomplete="off"
          required
          code
        />
        <div class="field-row">
          <TextField
            name="push_mirror_username"
            label={t("username")}
            value={values?.push_mirror_username}
            maxLength={1024}
            autocomplete="off"
            code
          />
          <TextField
            name="push_mirror_password"
            label={t("password")}
            type="password"
            maxLength={1024}
            autocomplete="off"
          />
        </div>
        <TextField
          name="push_mirror_interval"
          label={t("interval")}
          value={values?.push_mirror_interval || "8h"}
          error={errors?.push_mirror_interval}
          hint={t("intervalHint", { min: minInterval })}
          maxLength={100}
          autocomplete="off"
          required
          code
        />
        <TextField
          name="push_mirror_branches"
          label={t("branches")}
          value={values?.push_mirror_branches}
          error={errors?.push_mirror_branches}
          hint={t("branchesHint")}
          maxLength={1000}
          autocomplete="off"
          code
        />
        <CheckField name="push_mirror_sync_on_commit" label={t("syncOnCommit")} checked />
        <FormActions>
          <SubmitButton kind="primary">{t("add")}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}
