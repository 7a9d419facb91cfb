/** Containers: cards, notices, empty states, dialogs, menus, badges. */
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { siteWords } from "../words/index.ts";
import { Icon, type IconName } from "./icon.tsx";

export type FlashKind = "info" | "success" | "warning" | "error";

export interface Flash {
  readonly kind: FlashKind;
  readonly text: string;
  /** The form the message is about; it is shown beside that form's button. */
  readonly form?: string;
  /** How to undo it: a form that posts this id. */
  readonly undo?: { readonly action: string; readonly id: number; readonly label: string };
}

const FLASH_ICON: Record<FlashKind, IconName> = {
  info: "info",
  success: "check-circle",
  warning: "alert",
  error: "stop",
};

/** A message in the flow of the page. */
export function Notice({ kind, children }: { kind: FlashKind; children: Children }) {
  return (
    <div class={`flash flash-${kind}`} role={kind === "error" ? "alert" : "status"}>
      <Icon name={FLASH_ICON[kind]} />
      <div>{children}</div>
    </div>
  );
}

/** A titled box; `actions` are at the right of the title. */
export function Card(props: {
  title?: string;
  id?: string;
  actions?: Children;
  danger?: boolean;
  flush?: boolean;
  children: Children;
}) {
  return (
    <section class={`card${props.danger ? " card-danger" : ""}${props.flush ? " card-flush" : ""}`} id={props.id}>
      {props.title ? (
        <header class="card-head">
          <h2>{props.title}</h2>
          {props.actions ? <div class="card-actions">{props.actions}</div> : null}
        </header>
      ) : null}
      <div class="card-body">{props.children}</div>
    </section>
  );
}

/** Why a list is empty, and the one thing to do about it. */
export function EmptyState(props: { icon: IconName; title: string; children?: Children; action?: Children }) {
  return (
    <div class="empty">
      <Icon name={props.icon} />
      <h2>{props.title}</h2>
      {props.children ? <p>{props.children}</p> : null}
      {props.action ? <div class="empty-action">{props.action}</div> : null}
    </div>
  );
}

export type Tone = "plain" | "ok" | "warn" | "danger" | "accent" | "merged";

/** A state as a word, with an icon if it has one; never colour alone. */
export function Badge({ tone = "plain", icon, children }: { tone?: Tone; icon?: IconName; children: Children }) {
  return (
    <span class={`badge badge-${tone}`}>
      {icon ? <Icon name={icon} /> : null}
      {children}
    </span>
  );
}

export type Visibility = "public" | "internal" | "private";

/** Shows who may see a repository. */
export function VisibilityBadge({ visibility }: { visibility: Visibility }) {
  const t = useWords(siteWords);
  if (visibility === "private")
    return (
      <Badge icon="lock" tone="warn">
        {t("private")}
      </Badge>
    );
  return visibility === "internal" ? <Badge icon="organization">{t("internal")}</Badge> : <Badge>{t("public")}</Badge>;
}

/** A success message, over the page for a few seconds. */
export function Toast({ text, undo }: Pick<Flash, "text" | "undo">) {
  const t = useWords(siteWords);
  return (
    <div class="toast" role="status">
      <Icon name="check-circle" />
      <p class="grow">{text}</p>
      {undo ? (
        <form method="post" action={undo.action}>
          <input type="hidden" name="id" value={String(undo.id)} />
          <button type="submit" class="btn btn-small">
            {undo.label}
          </button>
        </form>
      ) : null}
      <button type="button" class="btn btn-icon btn-quiet i-x needs-script" data-dismiss="" aria-label={t("dismiss")} />
    </div>
  );
}

/**
 * A menu behind a button: `<details>`, so it works without JavaScript; the script closes it on Escape and outside
 * clicks.
 */
export function Menu(props: {
  label: Children;
  name: string;
  class?: string;
  wide?: boolean;
  hotkey?: string;
  /** What the key does, when the menu's name says more than that. */
  hotkeyName?: string;
  /** The page was requested with this menu open. */
  isOpen?: boolean;
  children: Children;
}) {
  return (
    <details class={`menu ${props.class ?? ""}`} data-menu="" open={props.isOpen}>
      <summary
        aria-label={props.name}
        title={props.name}
        data-hotkey={props.hotkey}
        data-hotkey-name={props.hotkeyName}
      >
        {props.label}
      </summary>
      <div class={props.wide ? "menu-body menu-wide" : "menu-body"}>{props.children}</div>
    </details>
  );
}

/** The menu of a row or a toolbar, behind three dots. */
export function RowMenu({ name, children }: { name: string; children: Children }) {
  return (
    <Menu
      name={name}
      class="menu-end"
      label={
        <span class="btn btn-icon btn-quiet btn-small">
          <Icon name="kebab-horizontal" />
        </span>
      }
    >
      <ul>{children}</ul>
    </Menu>
  );
}

/** An entry of a menu that links to another page. */
export function MenuLink(props: { href: string; icon?: IconName; danger?: boolean; children: Children }) {
  return (
    <a class={props.danger ? "menu-item menu-danger" : "menu-item"} href={props.href}>
      {props.icon ? <Icon name={props.icon} /> : null}
      {props.children}
    </a>
  );
}

/** An entry of a menu that opens a dialog. */
export function MenuOpen(props: { opens: string; icon?: IconName; danger?: boolean; children: Children }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a link, so that the dialog opens without JavaScript
    <a
      class={props.danger ? "menu-item menu-danger" : "menu-item"}
      href={`#${props.opens}`}
      role="button"
      data-dialog=""
      aria-haspopup="dialog"
    >
      {props.icon ? <Icon name={props.icon} /> : null}
      {props.children}
    </a>
  );
}
