import { keepCounts, MAX_PATTERN, removeDays } from "../../src/packages/cleanup-rule-types.ts";
import { type PackageType, packageTypes, typeNames } from "../../src/packages/types.ts";
import { CancelLink, LinkButton, SubmitButton } from "../components/button.tsx";
import { CheckField, ErrorSummary, FormActions, type FormErrors, SelectField, TextField } from "../components/form.tsx";
import { Badge, Card, EmptyState } from "../components/surface.tsx";
import { type Instant, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { PlaceFrame, type PlaceProps } from "../settings-place.tsx";
import { ChefKeyCard, type ChefKeyProps } from "./chef.tsx";
import { packagesWords } from "./words/index.ts";

export type RuleField = "type" | "keep_count" | "keep_pattern" | "remove_days" | "remove_pattern";

/** The form of a rule, by field name. */
export interface RuleForm {
  readonly values: Readonly<Record<RuleField, string>>;
  readonly isEnabled: boolean;
  readonly matchFullName: boolean;
  readonly errors?: FormErrors<RuleField>;
}

export interface RuleItem {
  readonly id: number;
  readonly type: PackageType;
  readonly isEnabled: boolean;
}

export interface GoingItem {
  readonly name: string;
  readonly version: string;
  readonly href: string;
  readonly at: Instant;
}

function RulesFrame({ place, children }: { place: PlaceProps; children: Children }) {
  const t = useWords(packagesWords);
  return (
    <PlaceFrame place={place} section="packages" title={t("packages")}>
      {children}
    </PlaceFrame>
  );
}

const ruleHref = ({ base }: PlaceProps, id: number | "add") => `${base}/rules/${id}`;

/** `GET …/settings/packages`. */
export function RulesPage(props: {
  place: PlaceProps;
  rules: readonly RuleItem[];
  /** On the settings of the reader's own account. */
  chef: ChefKeyProps | undefined;
}) {
  const { chef, place, rules } = props;
  const t = useWords(packagesWords);
  return (
    <RulesFrame place={place}>
      <p class="muted">{t("rulesHint")}</p>
      <Card title={t("rules")} flush actions={<LinkButton href={ruleHref(place, "add")}>{t("addRule")}</LinkButton>}>
        {rules.length === 0 ? (
          <EmptyState icon="package" title={t("noRules")} />
        ) : (
          <ul class="list">
            {rules.map(({ id, isEnabled, type }) => (
              <li class="list-row">
                <a href={ruleHref(place, id)}>
                  <strong>{typeNames[type]}</strong>
                </a>{" "}
                {isEnabled ? <Badge tone="ok">{t("ruleOn")}</Badge> : <Badge>{t("ruleOff")}</Badge>}
              </li>
            ))}
          </ul>
        )}
      </Card>
      {chef ? <ChefKeyCard {...chef} /> : null}
    </RulesFrame>
  );
}

/** `GET …/rules/add`, and `GET …/rules/{id}` for an existing one. */
export function RulePage({ place, id, form }: { place: PlaceProps; id: number | "add"; form: RuleForm }) {
  const t = useWords(packagesWords);
  return (
    <RulesFrame place={place}>
      <Card
        title={t(id === "add" ? "addRule" : "rule")}
        actions={
          id === "add" ? undefined : (
            <LinkButton href={`${ruleHref(place, id)}/preview`} icon="eye">
              {t("preview")}
            </LinkButton>
          )
        }
      >
        <RuleFields action={ruleHref(place, id)} cancelHref={place.base} form={form} />
      </Card>
      {id === "add" ? null : <RemoveRule action={ruleHref(place, id)} />}
    </RulesFrame>
  );
}

function RuleFields({ action, cancelHref, form }: { action: string; cancelHref: string; form: RuleForm }) {
  const t = useWords(packagesWords);
  const { errors, isEnabled, matchFullName, values } = form;
  const labels: Record<RuleField, string> = {
    type: t("type"),
    keep_count: t("keepCount"),
    keep_pattern: t("keepPattern"),
    remove_days: t("removeDays"),
    remove_pattern: t("removePattern"),
  };
  const field = (name: RuleField) => ({ name, label: labels[name], value: values[name], error: errors?.[name] });
  return (
    <form class="form" method="post" action={action}>
      <ErrorSummary errors={errors} labels={labels} />
      <input type="hidden" name="action" value="save" />
      <CheckField name="enabled" label={t("ruleEnabled")} checked={isEnabled} />
      <SelectField
        {...field("type")}
        choices={packageTypes.map((type) => ({ value: type, label: typeNames[type] }))}
        required
      />
      <CheckField
        name="match_full_name"
        label={t("matchFullName")}
        hint={t("matchFullNameHint")}
        checked={matchFullName}
      />
      <SelectField
        {...field("keep_count")}
        hint={t("keepCountHint")}
        choices={keepCounts.map((count) => ({
          value: String(count),
          label: count === 0 ? t("keepNone") : t("keepNewest", { count }),
        }))}
      />
      <TextField {...field("keep_pattern")} hint={t("keepPatternHint")} maxLength={MAX_PATTERN} code />
      <SelectField
        {...field("remove_days")}
        hint={t("removeDaysHint")}
        choices={removeDays.map((count) => ({
          value: String(count),
          label: count === 0 ? t("anyAge") : t("olderThan", { count }),
        }))}
      />
      <TextField {...field("remove_pattern")} hint={t("removePatternHint")} maxLength={MAX_PATTERN} code />
      <FormActions>
        <SubmitButton kind="primary">{t("save")}</SubmitButton>
        <CancelLink href={cancelHref} />
      </FormActions>
    </form>
  );
}

function RemoveRule({ action }: { action: string }) {
  const t = useWords(packagesWords);
  return (
    <Card title={t("removeRule")} danger>
      <p>{t("removeRuleHint")}</p>
      <form method="post" action={action}>
        <SubmitButton kind="danger" icon="trash" name="action" value="remove">
          {t("removeRule")}
        </SubmitButton>
      </form>
    </Card>
  );
}

/** `GET …/rules/{id}/preview`: the versions that would be deleted now. */
export function PreviewPage(props: {
  place: PlaceProps;
  id: number;
  items: readonly GoingItem[];
  isMore: boolean;
  problem: string | undefined;
}) {
  const t = useWords(packagesWords);
  const { id, isMore, items, place, problem } = props;
  return (
    <RulesFrame place={place}>
      <Card title={t("preview")} flush actions={<LinkButton href={ruleHref(place, id)}>{t("backToRule")}</LinkButton>}>
        {items.length === 0 ? (
          <EmptyState icon="package" title={problem ?? t("nothingGoes")} />
        ) : (
          <ul class="list">
            {items.map(({ at, href, name, version }) => (
              <li class="list-row">
                <a href={href}>
                  <strong>{name}</strong> {version}
                </a>
                <p class="muted">
                  {t("publishedAt")} <Time at={at} />
                </p>
              </li>
            ))}
          </ul>
        )}
      </Card>
      {items.length > 0 ? (
        <p class="muted">{isMore ? t("moreGo", { count: items.length }) : t("theseGo", { count: items.length })}</p>
      ) : null}
    </RulesFrame>
  );
}
