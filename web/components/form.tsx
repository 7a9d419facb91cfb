/** Form fields with their errors beside them. A refused form is rendered again with the typed values (status 422). */
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { siteWords } from "../words/index.ts";
import { Icon } from "./icon.tsx";
import type { Flash } from "./surface.tsx";

/** Error messages by field name; `form` is for those that concern no single field. */
export type FormErrors<Name extends string = string> = Partial<Record<Name | "form", string>>;

/** What a re-rendered form shows: the typed values (never passwords) and their errors. */
export interface FormState<Name extends string = string> {
  readonly values?: Partial<Record<Name, string>>;
  readonly errors?: FormErrors<Name>;
}

interface FieldProps {
  name: string;
  label: string;
  /** Unique on the page; the field's name by default. */
  id?: string;
  hint?: Children;
  error?: string | undefined;
  required?: boolean;
}

const idOf = (props: FieldProps) => props.id ?? `f-${props.name}`;

/** The ids for `aria-describedby` of a field: its hint and its error. */
function described(props: FieldProps) {
  const ids = [props.error ? `${idOf(props)}-error` : "", props.hint ? `${idOf(props)}-hint` : ""].filter(Boolean);
  return {
    "aria-describedby": ids.length > 0 ? ids.join(" ") : undefined,
    "aria-invalid": props.error ? ("true" as const) : undefined,
  };
}

function Field({ field, children }: { field: FieldProps; children: Children }) {
  const t = useWords(siteWords);
  return (
    <div class={field.error ? "field field-bad" : "field"}>
      <label for={idOf(field)}>
        {field.label}
        {field.required ? <span class="required">{t("requiredMark")}</span> : null}
      </label>
      {children}
      <FieldNotes field={field} />
    </div>
  );
}

function FieldNotes({ field }: { field: FieldProps }) {
  return (
    <>
      {field.error ? (
        <p class="field-error" id={`${idOf(field)}-error`}>
          {field.error}
        </p>
      ) : null}
      {field.hint ? (
        <p class="hint" id={`${idOf(field)}-hint`}>
          {field.hint}
        </p>
      ) : null}
    </>
  );
}

export interface TextFieldProps extends FieldProps {
  type?: "text" | "email" | "password" | "url" | "search" | "number" | "color" | "date";
  value?: string | undefined;
  autocomplete?: string;
  autofocus?: boolean;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  placeholder?: string;
  inputmode?: "text" | "email" | "url" | "numeric";
  /** An identifier: no auto-capitalisation, no spell checking. */
  code?: boolean;
  /** The id of a `<datalist>` with suggestions. */
  list?: string;
}

export function TextField(props: TextFieldProps) {
  return (
    <Field field={props}>
      <input
        id={idOf(props)}
        name={props.name}
        type={props.type ?? "text"}
        value={props.type === "password" ? undefined : props.value}
        required={props.required}
        autocomplete={props.autocomplete}
        autofocus={props.autofocus}
        maxlength={props.maxLength}
        minlength={props.minLength}
        pattern={props.pattern}
        placeholder={props.placeholder}
        inputmode={props.inputmode}
        list={props.list}
        autocapitalize={props.code ? "none" : undefined}
        spellcheck={props.code ? false : undefined}
        {...described(props)}
      />
    </Field>
  );
}

export function TextArea(
  props: FieldProps & {
    value?: string | undefined;
    rows?: number;
    maxLength?: number;
    /** Not prose: monospaced, without spell checking. */
    code?: boolean;
    /**
     * Taken exactly as typed, possibly a secret: no spell checking, for which some browsers send the text to a server.
     */
    verbatim?: boolean;
  },
) {
  return (
    <Field field={props}>
      <textarea
        id={idOf(props)}
        name={props.name}
        class={props.code ? "mono" : undefined}
        rows={props.rows ?? 3}
        maxlength={props.maxLength}
        required={props.required}
        autocapitalize={props.code || props.verbatim ? "none" : undefined}
        spellcheck={props.code || props.verbatim ? false : undefined}
        {...described(props)}
      >
        {props.value ?? ""}
      </textarea>
    </Field>
  );
}

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

export function SelectField(
  props: FieldProps & {
    value?: string | undefined;
    choices: readonly Choice[];
    /** The id of the checkbox that choosing an option checks. */
    ticks?: string;
  },
) {
  return (
    <Field field={props}>
      <select
        id={idOf(props)}
        name={props.name}
        required={props.required}
        data-ticks={props.ticks}
        {...described(props)}
      >
        {props.choices.map((choice) => (
          <option value={choice.value} selected={choice.value === props.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </Field>
  );
}

export function CheckField(props: FieldProps & { checked?: boolean; value?: string; disabled?: boolean }) {
  return (
    <div class={props.error ? "field field-check field-bad" : "field field-check"}>
      <input
        id={idOf(props)}
        name={props.name}
        type="checkbox"
        value={props.value ?? "on"}
        checked={props.checked}
        disabled={props.disabled}
        {...described(props)}
      />
      <div>
        <label for={idOf(props)}>{props.label}</label>
        <FieldNotes field={props} />
      </div>
    </div>
  );
}

/** One of a few options, each with an explanation. */
export function RadioField(props: FieldProps & { value?: string | undefined; choices: readonly Choice[] }) {
  return (
    <fieldset class={props.error ? "field field-bad" : "field"}>
      <legend>{props.label}</legend>
      <div class="choices">
        {props.choices.map((choice) => (
          <label class="choice">
            <input type="radio" name={props.name} value={choice.value} checked={choice.value === props.value} />
            <span>
              <strong>{choice.label}</strong>
              {choice.hint ? <span class="hint">{choice.hint}</span> : null}
            </span>
          </label>
        ))}
      </div>
      <FieldNotes field={props} />
    </fieldset>
  );
}

/**
 * The errors at the top of a form: the general one, and links to the fields when several are wrong.
 * `labels` gives the fields' names and order.
 */
export function ErrorSummary({ errors, labels }: { errors: FormErrors | undefined; labels?: Record<string, string> }) {
  const t = useWords(siteWords);
  if (!errors) return null;
  const fields = Object.entries(labels ?? {}).filter(([name]) => errors[name]);
  if (!errors.form && fields.length === 0) return null;
  return (
    <div class="flash flash-error" role="alert" tabindex={-1} data-focus="">
      <div>
        {errors.form ? <p>{errors.form}</p> : null}
        {fields.length > 1 || (fields.length > 0 && !errors.form) ? (
          <>
            <p>{t("checkFields", { count: fields.length })}</p>
            <ul>
              {fields.map(([name, label]) => (
                <li>
                  <a href={`#f-${name}`}>{label}</a>: {errors[name]}
                </li>
              ))}
            </ul>
          </>
        ) : null}
      </div>
    </div>
  );
}

/** The row of buttons under a form. A `flash` for the form with that id is shown beside them. */
export function FormActions(props: { form?: string; flash?: Flash | undefined; children: Children }) {
  const { form, flash } = props;
  return (
    <div class="form-actions">
      {props.children}
      {flash && form !== undefined && flash.form === form ? (
        <span class="saved" role="status">
          <Icon name="check" /> {flash.text}
        </span>
      ) : null}
    </div>
  );
}

/** A file upload: choose or drop; the form shows the progress. The form must be `multipart/form-data`. */
export function UploadField(props: FieldProps & { accept?: string; multiple?: boolean }) {
  const t = useWords(siteWords);
  return (
    <Field field={props}>
      <div class="upload">
        <input
          id={idOf(props)}
          name={props.name}
          type="file"
          accept={props.accept}
          multiple={props.multiple}
          required={props.required}
          {...described(props)}
        />
        <progress aria-label={t("progressOf", { what: props.label })} data-upload="" hidden />
      </div>
    </Field>
  );
}
