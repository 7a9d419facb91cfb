import { Avatar } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { FormActions } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { avatarWords } from "./words/index.ts";

export interface AvatarCardProps {
  /** The form's URL; `/delete` below it removes the picture. */
  readonly action: string;
  /** The name of the account or repository. */
  readonly name: string;
  /** The uploaded picture, if there is one. */
  readonly avatarUrl?: string;
}

/** Uploads and removes a picture. With JavaScript, shows a preview before the upload. */
export function AvatarCard({ action, name, avatarUrl }: AvatarCardProps) {
  const t = useWords(avatarWords);
  return (
    <Card title={t("picture")}>
      <div class="avatar-form">
        <span class="avatar-now">
          <Avatar person={{ name, ...(avatarUrl === undefined ? {} : { avatarUrl }) }} size={96} />
        </span>
        <form class="form" method="post" action={action} enctype="multipart/form-data">
          <div class="field">
            <label for="f-avatar">{t("newPicture")}</label>
            <input
              type="file"
              id="f-avatar"
              name="avatar"
              accept="image/png,image/jpeg,image/gif,image/webp"
              required
              data-preview=".avatar-now"
              aria-describedby="f-avatar-hint"
            />
            <p class="hint" id="f-avatar-hint">
              {t("hint")}
            </p>
          </div>
          <FormActions>
            <SubmitButton>{t("upload")}</SubmitButton>
          </FormActions>
        </form>
        {avatarUrl === undefined ? null : (
          <form method="post" action={`${action}/delete`}>
            <SubmitButton kind="danger">{t("remove")}</SubmitButton>
          </form>
        )}
      </div>
    </Card>
  );
}
