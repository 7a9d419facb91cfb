import { defaultMessage } from "../../src/content/edits/message.ts";
import { ErrorSummary, TextArea } from "../components/form.tsx";
import { useWords } from "../language.ts";
import { CommitCard, EditFrame, type EditProps, useLabels } from "./editor.tsx";
import { contentWords } from "./words/index.ts";

export interface PatchProps extends EditProps {
  /** The patch as pasted. */
  readonly patch: string;
}

/** `GET/POST {W}/_diffpatch/{branch}/{path}`: commits a patch. */
export function PatchPage(props: PatchProps) {
  const { errors } = props;
  const t = useWords(contentWords);
  const labels = { ...useLabels(), content: t("patch") };
  return (
    <EditFrame of={props} title={t("applyPatch")} crumbs="" wide>
      <form class="form" method="post" action={props.action}>
        <ErrorSummary errors={errors} labels={labels} />
        <TextArea
          name="content"
          label={labels.content}
          value={props.patch}
          error={errors?.content}
          hint={t("patchHint")}
          rows={20}
          required
          code
        />
        <CommitCard
          of={props}
          placeholder={defaultMessage([], { kind: "patch", patch: new Uint8Array() }).trim()}
          button={t("commitChanges")}
        />
      </form>
    </EditFrame>
  );
}
