import type { ActionsSecret } from "../../src/actions/types.ts";
import { Icon } from "../components/icon.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { TIME, Time } from "../components/time.tsx";
import { useWords } from "../language.ts";
import type { PlaceProps } from "../settings-place.tsx";
import { DeleteButton, DeleteDialog } from "./delete-dialog.tsx";
import { ActionsFrame } from "./frame.tsx";
import { ValueFields, type ValueForm } from "./value-form.tsx";
import { actionsWords } from "./words/index.ts";

/** `GET/POST …/settings/actions/secrets`. */
export function SecretsPage(props: {
  place: PlaceProps;
  secrets: readonly ActionsSecret[];
  pages: PageOf;
  form: ValueForm;
}) {
  const t = useWords(actionsWords);
  const { form, pages, place, secrets } = props;
  return (
    <ActionsFrame place={place} part="secrets">
      <p class="muted">{t("aboutSecrets")}</p>
      <Card flush>
        {secrets.length === 0 ? (
          <EmptyState icon="key" title={t("noSecrets")} />
        ) : (
          <ul class="list">
            {secrets.map((secret) => (
              <SecretRow secret={secret} base={place.base} />
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
      <Card title={t("putSecret")}>
        <ValueFields action={place.base} form={form} submit={t("saveSecret")} hint={t("secretValueHint")} />
      </Card>
    </ActionsFrame>
  );
}

function SecretRow({ secret, base }: { secret: ActionsSecret; base: string }) {
  const t = useWords(actionsWords);
  const { description, id, name, updatedAt } = secret;
  return (
    <li class="danger-row">
      <div>
        <p>
          <Icon name="key" /> <code class="strong">{name}</code>
        </p>
        {description ? <p class="muted">{description}</p> : null}
        <p class="muted">
          <Time at={updatedAt} text={t("set", { time: TIME })} />
        </p>
      </div>
      <DeleteButton id={id} />
      <DeleteDialog id={id} name={name} action={`${base}/delete`} hint={t("deleteHint")} fields={{ name }} />
    </li>
  );
}
