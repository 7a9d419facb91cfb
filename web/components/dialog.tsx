/** Modal dialogs: native ones, opened by the script; without JavaScript a link shows them in place. */
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { siteWords } from "../words/index.ts";
import { SubmitButton } from "./button.tsx";
import { FormActions } from "./form.tsx";
import type { IconName } from "./icon.tsx";

export interface DialogProps {
  /** The id that an `OpenButton` refers to. */
  id: string;
  title: string;
  /** Opened with the page, to show the errors of a refused form. */
  open?: boolean;
  children: Children;
}

export function Dialog({ id, title, open, children }: DialogProps) {
  const t = useWords(siteWords);
  return (
    <dialog class="dialog" id={id} aria-labelledby={`${id}-title`} data-open={open ? "" : undefined}>
      <header class="dialog-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {/* biome-ignore lint/a11y/useSemanticElements: a link, so that the dialog closes without JavaScript */}
        <a class="btn btn-icon btn-quiet i-x" href="#main" role="button" data-close="">
          <span class="hidden-text">{t("close")}</span>
        </a>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}

/** The buttons of a dialog's form: cancel first, then the action. */
export function DialogActions(props: { label: string; danger?: boolean; icon?: IconName }) {
  const t = useWords(siteWords);
  return (
    <FormActions>
      {/* biome-ignore lint/a11y/useSemanticElements: a link, so that the dialog closes without JavaScript */}
      <a class="btn" href="#main" role="button" data-close="">
        {t("cancel")}
      </a>
      <SubmitButton kind={props.danger ? "danger" : "primary"} icon={props.icon}>
        {props.label}
      </SubmitButton>
    </FormActions>
  );
}

/** Asks for confirmation of something that can be repaired, but not simply undone. */
export function QuestionDialog(props: {
  id: string;
  title: string;
  action: string;
  /** The hidden values to submit, by field name. */
  fields: Readonly<Record<string, string>>;
  /** The button's label. */
  label: string;
  children?: Children;
}) {
  return (
    <Dialog id={props.id} title={props.title}>
      <form class="form" method="post" action={props.action}>
        {Object.entries(props.fields).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <p>{props.children}</p>
        <DialogActions label={props.label} danger />
      </form>
    </Dialog>
  );
}

/**
 * Requires typing a name before something that cannot be undone; the only such confirmation on this site. The browser
 * rejects any other text, the script keeps the button disabled until it matches, and the server checks it.
 */
export function ConfirmDialog(props: {
  id: string;
  title: string;
  action: string;
  /** The name to type, and the field that submits it. */
  typed: string;
  field: string;
  /** The button's label. */
  label: string;
  children?: Children;
}) {
  const t = useWords(siteWords);
  return (
    <Dialog id={props.id} title={props.title}>
      <form class="form" method="post" action={props.action}>
        {props.children}
        <div class="field">
          <label for={`${props.id}-typed`}>
            {t.jsx("typeToConfirm", { text: props.typed, code: (inner) => <code>{inner}</code> })}
          </label>
          <input
            id={`${props.id}-typed`}
            name={props.field}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            data-must-equal={props.typed}
            required
          />
        </div>
        <DialogActions label={props.label} danger />
      </form>
    </Dialog>
  );
}
