import type { Badge } from "../../src/user-badges/types.ts";
import { OpenButton, SubmitButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { ErrorSummary, FormActions, type FormState, TextField } from "../components/form.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { Shell } from "../layout/shell.tsx";
import { userHref } from "../links.ts";
import { AdminFrame } from "./admin-frame.tsx";
import { adminWords } from "./words/index.ts";

export const BADGES = "/-/admin/badges";

/** Maximum holders of a badge that are named. */
const MAX_HOLDERS = 50;

export type BadgeField = "slug" | "description" | "image_url";

/** `GET /-/admin/badges`: lists badges, creates them, and gives them to people. */
export function BadgesPage(props: {
  shell: Shell;
  badges: readonly Badge[];
  /** The names of the holders, by badge id. */
  holders: ReadonlyMap<number, readonly string[]>;
  form: FormState<BadgeField>;
}) {
  const t = useWords(adminWords);
  const { values, errors } = props.form;
  const labels = { slug: t("slug"), description: t("description"), image_url: t("imageUrl") };
  return (
    <AdminFrame shell={props.shell} page="badges" title={t("badges")}>
      <ErrorSummary errors={errors} labels={labels} />
      <Card title={t("badges")} flush>
        {props.badges.length === 0 ? (
          <EmptyState icon="tag" title={t("noBadges")} />
        ) : (
          <ul class="list">
            {props.badges.map((badge) => (
              <BadgeRow badge={badge} holders={props.holders.get(badge.id) ?? []} />
            ))}
          </ul>
        )}
      </Card>
      <Card title={t("newBadge")}>
        <form class="form" method="post" action={BADGES}>
          <TextField
            name="slug"
            label={labels.slug}
            hint={t("slugHint")}
            value={values?.slug}
            error={errors?.slug}
            maxLength={40}
            required
            code
          />
          <TextField
            name="description"
            label={labels.description}
            value={values?.description}
            error={errors?.description}
            maxLength={255}
          />
          <TextField
            name="image_url"
            label={labels.image_url}
            type="url"
            value={values?.image_url}
            error={errors?.image_url}
            maxLength={255}
          />
          <FormActions>
            <SubmitButton kind="primary">{t("createBadge")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </AdminFrame>
  );
}

function BadgeRow({ badge, holders }: { badge: Badge; holders: readonly string[] }) {
  const t = useWords(adminWords);
  return (
    <li class="danger-row">
      <div>
        <p>
          <strong>{badge.slug}</strong> <span class="muted">{badge.description}</span>
        </p>
        {holders.length === 0 ? null : (
          <p class="repo-facts">
            {holders.slice(0, MAX_HOLDERS).map((name) => (
              <a href={userHref(name)}>{name}</a>
            ))}
            {holders.length > MAX_HOLDERS ? (
              <span>{t("moreHolders", { count: holders.length - MAX_HOLDERS })}</span>
            ) : null}
          </p>
        )}
        <form class="row" method="post" action={`${BADGES}/people`}>
          <input type="hidden" name="slug" value={badge.slug} />
          <input type="text" name="user_name" aria-label={t("userName")} placeholder={t("userName")} required />
          <SubmitButton small name="action" value="give">
            {t("giveBadge")}
          </SubmitButton>
          <SubmitButton small name="action" value="take">
            {t("takeBadge")}
          </SubmitButton>
        </form>
      </div>
      <OpenButton small kind="danger" opens={`remove-${badge.id}`}>
        {t("remove")}
      </OpenButton>
      <QuestionDialog
        id={`remove-${badge.id}`}
        title={t("removeQuestion", { name: badge.slug })}
        action={`${BADGES}/delete`}
        fields={{ id: String(badge.id) }}
        label={t("remove")}
      >
        {t("removeBadgeLead")}
      </QuestionDialog>
    </li>
  );
}
