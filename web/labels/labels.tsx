import type { LabelOrder } from "../../src/labels/types.ts";
import { CancelLink, LinkButton, OpenButton, SubmitButton } from "../components/button.tsx";
import { Dialog, DialogActions } from "../components/dialog.tsx";
import { CheckField, ErrorSummary, FormActions, type FormState, SelectField, TextField } from "../components/form.tsx";
import { ListSearch } from "../components/list-search.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { LabelChip, type ShownLabel } from "./chip.tsx";
import { labelsWords } from "./words/index.ts";

export type LabelField = "title" | "color" | "description" | "exclusive_order";

export interface LabelItem extends ShownLabel {
  readonly openItems: number;
  readonly isExclusive: boolean;
}

/** The form for a new or an existing label. */
export interface LabelForm extends FormState<LabelField> {
  /** Undefined: a new one. */
  readonly id: number | undefined;
  readonly name: string;
  readonly isExclusive: boolean;
  readonly isArchived: boolean;
}

export interface LabelListProps {
  /** URL of the list. */
  readonly base: string;
  /** URL of the items with a label; absent: no link. */
  itemsHref?(label: LabelItem): string;
  readonly labels: readonly LabelItem[];
  readonly query: string;
  readonly sort: LabelOrder;
  readonly pages: PageOf;
  readonly mayWrite: boolean;
  /** Shown while a label is created or edited. */
  readonly form: LabelForm | undefined;
  /** Names of the label sets to start with; empty when there already are labels. */
  readonly sets: readonly string[];
}

const sorts: readonly LabelOrder[] = ["name", "reversealphabetically", "mostissues", "leastissues"];

/** The labels of a repository or an organization, with the forms that change them. */
export function LabelList(props: LabelListProps) {
  const { base, form, itemsHref, labels, mayWrite, query, sets, sort } = props;
  const t = useWords(labelsWords);
  return (
    <>
      {form ? <LabelFormCard base={base} form={form} /> : null}
      <div class="row">
        <div class="grow">
          <ListSearch
            action={base}
            query={query}
            sort={sort}
            sorts={sorts.map((value) => ({ value, label: t(`sort-${value}`) }))}
            label={t("findLabel")}
          />
        </div>
        {mayWrite && !form ? (
          <LinkButton kind="primary" icon="plus" href={`${base}?new=1`} hotkey="c">
            {t("newLabel")}
          </LinkButton>
        ) : null}
      </div>
      <Card flush>
        {labels.length === 0 ? (
          <EmptyState icon="tag" title={query ? t("noMatch") : t("noLabels")}>
            {query ? null : t("noLabelsHint")}
          </EmptyState>
        ) : (
          <ul class="list">
            {labels.map((label) => (
              <li class="label-row">
                <div>
                  <LabelChip label={label} {...(itemsHref ? { href: itemsHref(label) } : {})} />
                </div>
                <p class="muted label-about">{label.description}</p>
                <p class="muted label-facts">
                  {itemsHref ? <a href={itemsHref(label)}>{t("openItems", { count: label.openItems })}</a> : null}
                </p>
                {mayWrite ? (
                  <LinkButton small kind="quiet" icon="pencil" href={`${base}?edit=${label.id}`}>
                    <span class="hidden-text">{t("editNamed", { name: label.name })}</span>
                    <span aria-hidden="true">{t("edit")}</span>
                  </LinkButton>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={props.pages} />
      {mayWrite && sets.length > 0 ? <LabelSets base={base} sets={sets} /> : null}
    </>
  );
}

/** Label sets to start with. */
function LabelSets({ base, sets }: { base: string; sets: readonly string[] }) {
  const t = useWords(labelsWords);
  return (
    <Card title={t("labelSets")}>
      <form class="form" method="post" action={`${base}/initialize`}>
        <SelectField
          name="template"
          label={t("labelSet")}
          hint={t("labelSetHint")}
          choices={sets.map((name) => ({ value: name, label: name }))}
        />
        <FormActions>
          <SubmitButton>{t("useSet")}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}

function LabelFormCard({ base, form }: { base: string; form: LabelForm }) {
  const t = useWords(labelsWords);
  const { errors, id, name, values } = form;
  return (
    <Card title={id === undefined ? t("newLabel") : t("editNamed", { name })}>
      <form class="form" method="post" action={id === undefined ? `${base}/new` : `${base}/edit`}>
        <ErrorSummary errors={errors} />
        {id === undefined ? null : <input type="hidden" name="id" value={String(id)} />}
        <TextField
          name="title"
          label={t("name")}
          hint={t("nameHint")}
          value={values?.title}
          error={errors?.title}
          maxLength={50}
          autocomplete="off"
          autofocus
          required
        />
        <TextField
          name="description"
          label={t("description")}
          value={values?.description}
          error={errors?.description}
          maxLength={200}
          autocomplete="off"
        />
        <TextField name="color" type="color" label={t("color")} value={values?.color} error={errors?.color} required />
        <CheckField name="exclusive" label={t("exclusive")} hint={t("exclusiveHint")} checked={form.isExclusive} />
        <TextField
          name="exclusive_order"
          type="number"
          label={t("exclusiveOrder")}
          hint={t("exclusiveOrderHint")}
          value={values?.exclusive_order}
          error={errors?.exclusive_order}
        />
        {id === undefined ? null : (
          <CheckField name="is_archived" label={t("archive")} hint={t("archiveHint")} checked={form.isArchived} />
        )}
        <FormActions>
          <SubmitButton kind="primary">{id === undefined ? t("createLabel") : t("save")}</SubmitButton>
          <CancelLink href={base} />
          {id === undefined ? null : (
            <OpenButton kind="danger" icon="trash" opens="delete-label">
              {t("delete")}
            </OpenButton>
          )}
        </FormActions>
      </form>
      {id === undefined ? null : (
        <Dialog id="delete-label" title={t("deleteTitle", { name })}>
          <form class="form" method="post" action={`${base}/delete`}>
            <input type="hidden" name="id" value={String(id)} />
            <p>{t("deleteAbout")}</p>
            <DialogActions label={t("deleteLabel")} danger />
          </form>
        </Dialog>
      )}
    </Card>
  );
}
