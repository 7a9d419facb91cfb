import { OpenButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { useWords } from "../language.ts";
import { actionsWords } from "./words/index.ts";

const dialogOf = (id: number) => `delete-${id}`;

/** Opens the confirmation dialog of the row with that id. */
export function DeleteButton({ id }: { id: number }) {
  const t = useWords(actionsWords);
  return (
    <OpenButton kind="danger" small opens={dialogOf(id)}>
      {t("delete")}
    </OpenButton>
  );
}

/** Asks for confirmation before deleting something. */
export function DeleteDialog(props: {
  id: number;
  name: string;
  action: string;
  hint: string;
  fields?: Readonly<Record<string, string>>;
}) {
  const t = useWords(actionsWords);
  const { action, fields = {}, hint, id, name } = props;
  return (
    <QuestionDialog
      id={dialogOf(id)}
      title={t("deleteTitle", { name })}
      action={action}
      fields={fields}
      label={t("delete")}
    >
      {hint}
    </QuestionDialog>
  );
}
