import type { Unit } from "../../src/access/levels.ts";
import type { Call } from "../../src/http/route.ts";
import { unitsOn } from "../../src/repos/settings/defaults.ts";
import type { SettingsEdit } from "../../src/repos/settings/edit.ts";
import { seenRepo } from "../../src/repos/subject.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions, SelectField } from "../components/form.tsx";
import { Card, type Flash } from "../components/surface.tsx";
import type { Form } from "../form-data.ts";
import { useWords } from "../language.ts";
import { reposWords } from "./words/index.ts";

/** Features switched on and off by checkboxes; issues, pull requests and the wiki have their own pages. */
const boxes = {
  enable_projects: "projects",
  enable_releases: "releases",
  enable_packages: "packages",
  enable_actions: "actions",
} as const satisfies Readonly<Record<string, Unit>>;
type Box = keyof typeof boxes;
const boxNames = Object.keys(boxes) as Box[];

const projectsModes = ["all", "repo", "owner"] as const;

export interface FeaturesProps {
  readonly action: string;
  readonly on: ReadonlySet<Box>;
  readonly projectsMode: string;
}

/** The current values. */
export function featuresOf(call: Call): Omit<FeaturesProps, "action"> {
  const { settings } = seenRepo(call).repo;
  const on = unitsOn(settings);
  return {
    on: new Set(boxNames.filter((name) => on.has(boxes[name]))),
    projectsMode: settings.projectsMode ?? "all",
  };
}

/** An unchecked box is not sent, so all of them are changed at once. */
export function featuresEdit(form: Form): SettingsEdit {
  const mode = form.text("projects_mode");
  return {
    units: Object.fromEntries(boxNames.map((name) => [boxes[name], form.checked(name)])),
    ...(mode === "" ? {} : { projectsMode: mode }),
  };
}

export function FeaturesCard({ action, flash, on, projectsMode }: FeaturesProps & { flash: Flash | undefined }) {
  const t = useWords(reposWords);
  return (
    <Card title={t("features")}>
      <form class="form" method="post" action={action}>
        <input type="hidden" name="action" value="advanced" />
        {boxNames.map((name) => (
          <CheckField name={name} label={t(`feature-${name}`)} checked={on.has(name)} />
        ))}
        <SelectField
          name="projects_mode"
          label={t("projectsMode")}
          value={projectsMode}
          choices={projectsModes.map((value) => ({ value, label: t(`projectsMode-${value}`) }))}
        />
        <FormActions form="features" flash={flash}>
          <SubmitButton>{t("save")}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}
