import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { siteWords } from "../words/index.ts";
import { Icon, type IconName } from "./icon.tsx";

/** One primary button per view; danger only for what cannot be undone. */
export type ButtonKind = "primary" | "normal" | "quiet" | "danger";

interface Look {
  kind?: ButtonKind;
  icon?: IconName;
  small?: boolean;
  children?: Children;
}

function classOf({ kind = "normal", small }: Look): string {
  return `btn${kind === "normal" ? "" : ` btn-${kind}`}${small ? " btn-small" : ""}`;
}

/** Submits its form. @param elsewhere URL to post to instead of the form's; it gets no files */
export function SubmitButton(
  props: Look & { name?: string; value?: string; disabled?: boolean; form?: string; elsewhere?: string },
) {
  return (
    <button
      type="submit"
      class={classOf(props)}
      name={props.name}
      value={props.value}
      disabled={props.disabled}
      form={props.form}
      formaction={props.elsewhere}
      formenctype={props.elsewhere === undefined ? undefined : "application/x-www-form-urlencoded"}
    >
      {props.icon ? <Icon name={props.icon} /> : null}
      {props.children}
    </button>
  );
}

/** Goes to another page. */
export function LinkButton(props: Look & { href: string; hotkey?: string; download?: boolean; title?: string }) {
  return (
    <a
      class={classOf(props)}
      href={props.href}
      data-hotkey={props.hotkey}
      download={props.download}
      title={props.title}
    >
      {props.icon ? <Icon name={props.icon} /> : null}
      {props.children}
    </a>
  );
}

/** Leaves a form unchanged. @param closesForm the script closes the form in place */
export function CancelLink({ href, closesForm }: { href: string; closesForm?: boolean }) {
  const t = useWords(siteWords);
  return (
    <a class={classOf({ kind: "quiet" })} href={href} data-close-form={closesForm ? "" : undefined}>
      {t("cancel")}
    </a>
  );
}

/** Opens the dialog with that id; a link, so that it works without JavaScript too. */
export function OpenButton(props: Look & { opens: string }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a link, so that the dialog opens without JavaScript
    <a class={classOf(props)} href={`#${props.opens}`} role="button" data-dialog="" aria-haspopup="dialog">
      {props.icon ? <Icon name={props.icon} /> : null}
      {props.children}
    </a>
  );
}

/** Copies a text and confirms it; hidden without JavaScript. */
export function CopyButton({ text, label, small }: { text: string; label: string; small?: boolean }) {
  return (
    <button
      type="button"
      class={`btn btn-icon btn-quiet needs-script i-copy${small ? " btn-small" : ""}`}
      data-copy={text}
      aria-label={label}
      title={label}
    />
  );
}

/** Copies the content of the element with that id. */
export function CopyFromButton({ from, label }: { from: string; label: string }) {
  return (
    <button
      type="button"
      class="btn btn-icon btn-quiet btn-small needs-script i-copy"
      data-copy-from={from}
      aria-label={label}
      title={label}
    />
  );
}

/** A link that shows only an icon; `label` is its accessible name. */
export function IconLink(props: {
  href: string;
  icon: IconName;
  label: string;
  title?: string;
  hotkey?: string | undefined;
  rel?: string;
  small?: boolean;
  download?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/useAnchorContent: the icon is drawn by the class, the name is the label
    <a
      class={`btn btn-icon btn-quiet i-${props.icon}${props.small ? " btn-small" : ""}`}
      href={props.href}
      aria-label={props.label}
      title={props.title ?? props.label}
      data-hotkey={props.hotkey}
      rel={props.rel}
      download={props.download}
    />
  );
}
