import { Avatar, type Person, PersonName } from "../components/avatar.tsx";
import { SubmitButton } from "../components/button.tsx";
import { FormActions, type FormState, TextField } from "../components/form.tsx";
import { type PageOf, Pagination } from "../components/navigation.tsx";
import { Card, EmptyState } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { blocksWords } from "./words/index.ts";

export interface BlockItem {
  readonly person: Person;
  readonly note: string;
}

export interface BlocksProps {
  /** URL that its forms post to. */
  readonly action: string;
  readonly blocks: readonly BlockItem[];
  readonly pages: PageOf;
  readonly form: FormState<"blockee" | "note">;
  /** What a block does here, and who can read the notes. */
  readonly hint: string;
  readonly noteHint: string;
}

/** The users an account or organization blocks, and a form to block another one. */
export function Blocks({ action, blocks, pages, form, hint, noteHint }: BlocksProps) {
  const t = useWords(blocksWords);
  const { values, errors } = form;
  return (
    <>
      <Card flush>
        {blocks.length === 0 ? (
          <EmptyState icon="stop" title={t("noBlocks")} />
        ) : (
          <ul class="list">
            {blocks.map((block) => (
              <BlockRow action={action} block={block} />
            ))}
          </ul>
        )}
      </Card>
      <Pagination of={pages} />
      <Card title={t("blockUser")}>
        <form class="form" method="post" action={action}>
          <input type="hidden" name="action" value="block" />
          <p class="muted">{hint}</p>
          <TextField
            name="blockee"
            label={t("userName")}
            value={values?.blockee}
            error={errors?.blockee ?? errors?.form}
            autocomplete="off"
            required
            code
          />
          <TextField
            name="note"
            label={t("note")}
            hint={noteHint}
            value={values?.note}
            error={errors?.note}
            maxLength={255}
          />
          <FormActions>
            <SubmitButton kind="danger">{t("block")}</SubmitButton>
          </FormActions>
        </form>
      </Card>
    </>
  );
}

function BlockRow({ action, block: { person, note } }: { action: string; block: BlockItem }) {
  const t = useWords(blocksWords);
  return (
    <li class="danger-row">
      <div class="row">
        <Avatar person={person} size={32} />
        <div>
          <PersonName person={person} />
          <form class="row nowrap" method="post" action={action}>
            <input type="hidden" name="action" value="note" />
            <input type="hidden" name="blockee" value={person.name} />
            <input
              type="text"
              name="note"
              value={note}
              maxlength={255}
              aria-label={t("changeNote", { name: person.name })}
              placeholder={t("note")}
            />
            <SubmitButton small>{t("saveNote")}</SubmitButton>
          </form>
        </div>
      </div>
      <form method="post" action={action}>
        <input type="hidden" name="action" value="unblock" />
        <input type="hidden" name="blockee" value={person.name} />
        <SubmitButton>{t("unblock")}</SubmitButton>
      </form>
    </li>
  );
}
