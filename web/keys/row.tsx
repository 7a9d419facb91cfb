import { OpenButton } from "../components/button.tsx";
import { QuestionDialog } from "../components/dialog.tsx";
import { Icon } from "../components/icon.tsx";
import { type Instant, TIME, Time } from "../components/time.tsx";
import type { Children } from "../jsx/types.ts";
import { useWords } from "../language.ts";
import { keysWords } from "./words/index.ts";

/** A key in a list: name, identification, last use, and a remove button. */
export function KeyRow(props: {
  name: string;
  /** Fingerprint or id. */
  code?: string;
  createdAt: Instant;
  /** null: never; absent: not recorded for this kind of key. */
  usedAt?: Instant | null;
  badges?: Children;
  deletes: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
  children?: Children;
}) {
  const t = useWords(keysWords);
  const { usedAt } = props;
  const dialog = `delete-${Object.values(props.deletes.fields).join("-")}`;
  return (
    <li class="danger-row key-row">
      <div>
        <p>
          <Icon name="key" /> <strong>{props.name}</strong> {props.badges}
        </p>
        {props.code ? <code class="key-code muted">{props.code}</code> : null}
        <p class="repo-facts">
          <Time at={props.createdAt} text={t("added", { time: TIME })} />
          {usedAt === undefined ? null : usedAt === null ? (
            <span>{t("neverUsed")}</span>
          ) : (
            <Time at={usedAt} text={t("lastUsed", { time: TIME })} />
          )}
        </p>
        {props.children}
      </div>
      <OpenButton kind="danger" small opens={dialog}>
        {t("delete")}
      </OpenButton>
      <QuestionDialog
        id={dialog}
        title={t("deleteTitle", { name: props.name })}
        action={props.deletes.action}
        fields={props.deletes.fields}
        label={t("delete")}
      >
        {t("deleteWarning")}
      </QuestionDialog>
    </li>
  );
}
