import { type EntryTopic, entryTopicNames } from "../../src/issues/hidden-entries/types.ts";
import type { SettingsPanel } from "../area.ts";
import { SubmitButton } from "../components/button.tsx";
import { CheckField, FormActions } from "../components/form.tsx";
import { Card } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { hiddenEntriesWords } from "./words/index.ts";

export const HIDDEN_ENTRIES = "/user/settings/appearance/hidden_comments";

/** On the appearance page: which entries conversations hide. */
export const hiddenEntriesPanel: SettingsPanel = {
  id: "hidden-entries",
  section: "appearance",
  order: 50,
  show: ({ hiddenEntries }, call) => <HiddenEntriesCard hidden={hiddenEntries.of(call.principal)} />,
};

function HiddenEntriesCard({ hidden }: { hidden: ReadonlySet<EntryTopic> }) {
  const t = useWords(hiddenEntriesWords);
  return (
    <Card title={t("conversations")}>
      <form class="form" method="post" action={HIDDEN_ENTRIES}>
        <fieldset class="field">
          <legend>{t("leftOut")}</legend>
          <p class="hint">{t("hint")}</p>
          {entryTopicNames.map((topic) => (
            <CheckField name={topic} label={t(`topic-${topic}`)} checked={hidden.has(topic)} />
          ))}
        </fieldset>
        <FormActions>
          <SubmitButton kind="primary">{t("save")}</SubmitButton>
        </FormActions>
      </form>
    </Card>
  );
}
