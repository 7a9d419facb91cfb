import type { Variable } from "../../src/actions/types.ts";
import { LinkButton } from "../components/button.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { PlaceProps } from "../settings-place.tsx";
import { DeleteButton, DeleteDialog } from "./delete-dialog.tsx";
import { ActionsFrame } from "./frame.tsx";
import { ValueFields, type ValueForm } from "./value-form.tsx";
import { actionsWords } from "./words/index.ts";

const abouts = {
  repository: "aboutVariables",
  organization: "aboutVariables",
  account: "aboutVariables",
  site: "aboutSiteVariables",
} as const;

/** `GET …/settings/actions/variables`, `POST …/variables/new`. */
export function VariablesPage(props: {
  place: PlaceProps;
  variables: readonly Variable[];
  pages: PageOf;
  form: ValueForm;
}) {
  const t = useWords(actionsWords);
  const { form, pages, place, variables } = props;
  return (
    <ActionsFrame place={place} part="variables">
      <p class="muted">{t(abouts[place.of.kind])}</p>
      <Card flush>
        {variables.length === 0 ? (
          <EmptyState icon="code" title={t("noVariables")} />
        ) : (
          <ul class="list">
            {variables.map((variable) => (
              <VariableRow variable={variable} base={place.base} />
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
      <Card title={t("addVariable")}>
        <ValueFields action={`${place.base}/new`} form={form} submit={t("addVariable")} hint={t("variableValueHint")} />
      </Card>
    </ActionsFrame>
  );
}

/** `GET/POST …/variables/{id}/edit`. */
export function VariablePage(props: { place: PlaceProps; variable: Variable; form: ValueForm }) {
  const t = useWords(actionsWords);
  const { form, place, variable } = props;
  return (
    <ActionsFrame place={place} part="variables">
      <Card title={variable.name}>
        <ValueFields
          action={`${place.base}/${variable.id}/edit`}
          form={form}
          submit={t("saveVariable")}
          hint={t("variableValueHint")}
        />
      </Card>
    </ActionsFrame>
  );
}

/** Characters of a value shown in the list. */
const MAX_SHOWN = 200;

function VariableRow({ variable, base }: { variable: Variable; base: string }) {
  const t = useWords(actionsWords);
  const { description, id, name, value } = variable;
  return (
    <li class="danger-row">
      <div>
        <p>
          <code class="strong">{name}</code>
        </p>
        <p>
          <code>{value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN).toWellFormed()}…` : value}</code>
        </p>
        {description ? <p class="muted">{description}</p> : null}
      </div>
      <div class="row">
        <LinkButton small href={`${base}/${id}/edit`}>
          {t("edit")}
        </LinkButton>
        <DeleteButton id={id} />
      </div>
      <DeleteDialog id={id} name={name} action={`${base}/${id}/delete`} hint={t("deleteHint")} />
    </li>
  );
}
