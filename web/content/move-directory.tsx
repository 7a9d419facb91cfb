import { defaultMessage } from "../../src/content/edits/message.ts";
import { ErrorSummary, TextField } from "../components/form.tsx";
import { useWords } from "../language.ts";
import { CommitCard, EditFrame, type EditProps, useLabels } from "./editor.tsx";
import { contentWords } from "./words/index.ts";

export interface MoveDirectoryProps extends EditProps {
  /** The directory's current path. */
  readonly from: string;
  /** Its new path. */
  readonly path: string;
}

/** `GET/POST {W}/_edit/{branch}/{directory}`: moves a directory with all its content. */
export function MoveDirectoryPage(props: MoveDirectoryProps) {
  const { from, path, errors } = props;
  const t = useWords(contentWords);
  const labels = useLabels();
  return (
    <EditFrame of={props} title={t("moveDirectoryNamed", { path: from })} crumbs={from}>
      <form class="form" method="post" action={props.action}>
        <ErrorSummary errors={errors} labels={labels} />
        <p>{t("moveDirectoryAbout")}</p>
        <TextField
          name="tree_path"
          label={t("newPath")}
          value={path}
          error={errors?.tree_path}
          hint={t("newPathHint")}
          maxLength={500}
          autocomplete="off"
          autofocus
          required
          code
        />
        <CommitCard
          of={props}
          placeholder={defaultMessage([{ kind: "move-directory", path }]).trim()}
          button={t("commitChanges")}
        />
      </form>
    </EditFrame>
  );
}
