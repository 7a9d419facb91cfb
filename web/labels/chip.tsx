import { type Label, scopeOf } from "../../src/labels/types.ts";
import { useWords } from "../language.ts";
import { labelsWords } from "./words/index.ts";

/** The properties needed to display a label. */
export interface ShownLabel {
  readonly id: number;
  readonly name: string;
  /** Six hexadecimal digits. */
  readonly color: string;
  readonly description: string;
  readonly isArchived: boolean;
}

/** The display properties of one of the service's labels. */
export function shownLabel(label: {
  readonly id: number;
  readonly name: string;
  readonly color: string;
  readonly description: string;
  readonly archivedAt: number | undefined;
}): ShownLabel {
  const { archivedAt, color, description, id, name } = label;
  return { id, name, color, description, isArchived: archivedAt !== undefined };
}

/** A label with a checkbox. */
export interface LabelChoice extends ShownLabel {
  readonly isChosen: boolean;
  /** At most one label of a scope can be chosen; undefined: no limit. */
  readonly scope: string | undefined;
}

export function labelChoice(label: Label, isChosen: boolean): LabelChoice {
  return { ...shownLabel(label), isChosen, scope: scopeOf(label) };
}

/**
 * A label: a dot in its colour (an SVG attribute, because inline styles are blocked) and its name, which is always
 * readable.
 */
export function LabelChip({ label, href }: { label: ShownLabel; href?: string }) {
  const t = useWords(labelsWords);
  const { color, description, isArchived, name } = label;
  const face = (
    <>
      <svg class="label-dot" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
        <circle cx={5} cy={5} r={5} fill={`#${/^[0-9a-f]{6}$/.test(color) ? color : "888888"}`} />
      </svg>
      {name}
      {isArchived ? <span class="hidden-text"> {t("archivedMark")}</span> : null}
    </>
  );
  const look = isArchived ? "label-chip label-archived" : "label-chip";
  return href === undefined ? (
    <span class={look} title={description || undefined}>
      {face}
    </span>
  ) : (
    <a class={look} title={description || undefined} href={href}>
      {face}
    </a>
  );
}
