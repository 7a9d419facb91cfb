/** The header of a filtered list: its states at the left, menus that narrow or order it at the right. All are links. */
import { Icon, type IconName } from "./icon.tsx";
import { Count } from "./navigation.tsx";
import { OpenedPart } from "./opened-part.tsx";
import { Menu } from "./surface.tsx";

export interface ListState {
  readonly label: string;
  readonly href: string;
  readonly icon?: IconName;
  readonly count?: number;
  readonly current?: boolean;
}

export interface ListFilter {
  readonly label: string;
  /** The menu's choices, or the URL to fetch them from when the menu is opened. */
  readonly choices: readonly ListChoice[] | string;
  readonly isOpen?: boolean;
}

export interface ListChoice {
  readonly label: string;
  readonly href: string;
  readonly current?: boolean;
  readonly count?: number;
  /** The link used with the Alt key: everything without this value. */
  readonly altHref?: string;
  /** The list excludes this value. */
  readonly excluded?: boolean;
}

export function ListBar(props: { label: string; states: readonly ListState[]; filters?: readonly ListFilter[] }) {
  return (
    <div class="list-bar">
      <nav class="list-states" aria-label={props.label}>
        {props.states.map((state) => (
          <a href={state.href} aria-current={state.current ? "true" : undefined}>
            {state.icon ? <Icon name={state.icon} /> : null}
            {state.label}
            {state.count === undefined ? null : <Count value={state.count} />}
          </a>
        ))}
      </nav>
      <span class="grow" />
      {props.filters?.map((filter) => (
        <Menu
          name={filter.label}
          class="list-filter menu-end"
          {...(filter.isOpen ? { isOpen: true } : {})}
          label={
            <>
              {filter.label} <Icon name="triangle-down" />
            </>
          }
        >
          {typeof filter.choices === "string" ? (
            <OpenedPart href={filter.choices}>{filter.label}</OpenedPart>
          ) : (
            <ListChoices choices={filter.choices} />
          )}
        </Menu>
      ))}
    </div>
  );
}

/** The choices of one menu. */
export function ListChoices({ choices }: { choices: readonly ListChoice[] }) {
  return (
    <ul>
      {choices.map((choice) => (
        <li>
          <a
            class="menu-item"
            href={choice.href}
            data-alt-href={choice.altHref}
            aria-current={choice.current ? "true" : undefined}
          >
            {choice.excluded ? <s>{choice.label}</s> : choice.label}
            {choice.count === undefined ? null : <Count value={choice.count} />}
          </a>
        </li>
      ))}
    </ul>
  );
}
