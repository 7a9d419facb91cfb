/** Modal dialogs: the browser's own, opened by the script; without JavaScript a link shows them in place. */
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { siteWords } from "../words/index.ts";
import { SubmitButton } from "./button.tsx";
import { FormActions } from "./form.tsx";
import type { IconName } from "./icon.tsx";

export interface DialogProps {
  /** What an `OpenButton` opens. */
  id: string;
  title: string;
  /** Shown as soon as the page is, to answer a form that was refused. */
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

/** The buttons of a dialog's form: the way back first, then what it does. */
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

/** Asks once more before something that can be made good again, though not by going back. */
export function QuestionDialog(props: {
  id: string;
  title: string;
  action: string;
  /** What is sent, by the fields' names. */
  fields: Readonly<Record<string, string>>;
  /** What the button says. */
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
 * Asks for a name to be typed before something that cannot be undone; the one way to confirm on this site. The browser
 * refuses another text, the script keeps the button off until it fits, and the server checks it.
 */
export function ConfirmDialog(props: {
  id: string;
  title: string;
  action: string;
  /** The name to type, and the field it is sent in. */
  typed: string;
  field: string;
  /** What the button says. */
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
