import { Avatar, type Person } from "../components/avatar.tsx";
import type { Children } from "../jsx/types.ts";
import { LabelChip, type LabelChoice } from "../labels/chip.tsx";
import { useWords } from "../language.ts";
import { conversationWords } from "./words/index.ts";

/** What the author of a new item may plan, and what is already chosen. */
export interface PlanChoices {
  readonly labels: readonly LabelChoice[];
  readonly assignees: readonly (Person & { readonly isChosen: boolean })[];
  readonly milestones: readonly Choice[];
  readonly projects: readonly Choice[];
}

interface Choice {
  readonly id: number;
  readonly title: string;
  readonly isChosen: boolean;
}

/** The planning fields in the sidebar of a new item's form; nothing when there is nothing to choose. */
export function PlanFields(props: PlanChoices & { children?: Children }) {
  const { assignees, children, labels, milestones, projects } = props;
  const t = useWords(conversationWords);
  if (!children && assignees.length + labels.length + milestones.length + projects.length === 0) return null;
  return (
    <aside class="item-side" aria-label={t("details")}>
      {children}
      {labels.length > 0 ? (
        <fieldset class="side-part">
          <legend>{t("labels")}</legend>
          <ul class="side-ticks">
            {labels.map((label) => (
              <li>
                <label>
                  <input
                    type="checkbox"
                    name="labels"
                    value={String(label.id)}
                    checked={label.isChosen}
                    data-scope={label.scope}
                  />{" "}
                  <LabelChip label={label} />
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      ) : null}
      <PeopleTicks name="assignees" label={t("assignees")} people={assignees} />
      {milestones.length > 0 ? (
        <section class="side-part field">
          <label for="new-milestone">{t("milestone")}</label>
          <select name="milestone_id" id="new-milestone">
            <option value="">{t("none")}</option>
            {milestones.map(({ id, isChosen, title }) => (
              <option value={String(id)} selected={isChosen}>
                {title}
              </option>
            ))}
          </select>
        </section>
      ) : null}
      {projects.length > 0 ? (
        <fieldset class="side-part">
          <legend>{t("projects")}</legend>
          <ul class="side-ticks">
            {projects.map(({ id, isChosen, title }) => (
              <li>
                <label>
                  <input type="checkbox" name="project_ids" value={String(id)} checked={isChosen} /> {title}
                </label>
              </li>
            ))}
          </ul>
        </fieldset>
      ) : null}
    </aside>
  );
}

/** People to choose from; nothing when there are none. */
export function PeopleTicks(props: { name: string; label: string; people: PlanChoices["assignees"] }) {
  const { label, name, people } = props;
  if (people.length === 0) return null;
  return (
    <fieldset class="side-part">
      <legend>{label}</legend>
      <ul class="side-ticks">
        {people.map((person) => (
          <li>
            <label>
              <input type="checkbox" name={name} value={person.name} checked={person.isChosen} />{" "}
              <Avatar person={person} /> {person.name}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
