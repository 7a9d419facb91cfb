/** A page with a menu of its siblings at the left (folded on a phone): of settings, of workflows, of a run's jobs. */
import { Icon, type IconName } from "../components/icon.tsx";
import type { Children, JSX } from "../jsx/types.ts";
import { useLanguage, useWords } from "../language.ts";
import { siteWords } from "../words/index.ts";
import type { SettingsSection } from "./contributions.ts";

export interface SettingsLink {
  readonly label: string;
  readonly href: string;
  /** An icon, or an element that shows more than one. */
  readonly icon: IconName | JSX.Element;
  /** The meaning of the icon, where the label does not already give it. */
  readonly note?: string;
  readonly current?: boolean;
}

/** The links of a menu of sections; `current` is the id of the one shown. Only inside a component. */
export function useLinks<Of>(sections: readonly SettingsSection<Of>[], of: Of, current: string): SettingsLink[] {
  const language = useLanguage();
  return sections
    .filter((section) => section.shown?.(of) ?? true)
    .map((section) => ({
      label: section.label(language),
      icon: section.icon,
      href: section.href(of),
      current: section.id === current,
    }));
}

export function SettingsFrame(props: {
  title: string;
  menuLabel: string;
  links: readonly SettingsLink[];
  /** The content is not a form, so it takes the full width. */
  wide?: boolean;
  children: Children;
}) {
  return (
    <div class="settings">
      <div class="settings-menu">
        <SideMenu label={props.menuLabel} links={props.links} />
      </div>
      <div class={props.wide ? "settings-body settings-full" : "settings-body"}>
        <h1>{props.title}</h1>
        {props.children}
      </div>
    </div>
  );
}

/** The menu at the left: in full, and folded for phones. */
export function SideMenu({ label, links }: { label: string; links: readonly SettingsLink[] }) {
  const t = useWords(siteWords);
  const current = links.find((link) => link.current);
  return (
    <>
      <details class="settings-fold">
        <summary>
          <Icon name="three-bars" /> {current?.label ?? label}
        </summary>
        <SettingsMenu label={t("foldedMenu", { name: label })} links={links} />
      </details>
      <div class="settings-wide">
        <SettingsMenu label={label} links={links} />
      </div>
    </>
  );
}

function SettingsMenu({ label, links }: { label: string; links: readonly SettingsLink[] }) {
  return (
    <nav aria-label={label}>
      <ul>
        {links.map((link) => (
          <li>
            <a class="menu-item" href={link.href} aria-current={link.current ? "page" : undefined}>
              {typeof link.icon === "string" ? <Icon name={link.icon} /> : link.icon} {link.label}
              {link.note === undefined ? null : <span class="hidden-text">, {link.note}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
