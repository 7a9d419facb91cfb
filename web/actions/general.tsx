import { type TokenRule, tokenRules } from "../../src/actions/tokens/rules.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, RadioField } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { PlaceProps } from "../settings-place.tsx";
import { ActionsFrame } from "./frame.tsx";
import { actionsWords } from "./words/index.ts";

/** `GET …/actions/general`. @param isOn of a repository: whether it runs workflows */
export function GeneralPage(props: { place: PlaceProps; rule: TokenRule; isOn: boolean | undefined }) {
  const t = useWords(actionsWords);
  const { isOn, place, rule } = props;
  return (
    <ActionsFrame place={place} part="general">
      {isOn === undefined ? null : (
        <Card title={t("workflows")}>
          <form class="form" method="post" action={`${place.base}/actions_unit`}>
            <CheckField name="enable_actions" label={t("runsWorkflows")} hint={t("offHint")} checked={isOn} />
            <FormActions form="unit" flash={place.shell.flash}>
              <SubmitButton>{t("save")}</SubmitButton>
            </FormActions>
          </form>
        </Card>
      )}
      <Card title={t("tokens")}>
        <form class="form" method="post" action={`${place.base}/token_permissions`}>
          <RadioField
            name="token_rule"
            label={t("tokenRule")}
            hint={t("tokenHint")}
            value={rule}
            choices={tokenRules.map((value) => ({ value, label: t(`rule-${value}`), hint: t(`ruleHint-${value}`) }))}
          />
          <FormActions form="tokens" flash={place.shell.flash}>
            <SubmitButton>{t("save")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </ActionsFrame>
  );
}
