import { Icon } from "../components/icon.tsx";
import { useLanguage, useWords } from "../language.ts";
import { conversationWords } from "./words/index.ts";

export interface ShownFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly uuid: string;
  readonly href: string;
}

/** The files of an item or a comment. */
export function FileList(props: {
  files: readonly ShownFile[];
  /** URL that removes one, and the page to return to; absent when the viewer may not. */
  remove: { readonly action: string; readonly back: string } | undefined;
}) {
  const { files, remove } = props;
  const t = useWords(conversationWords);
  const language = useLanguage();
  if (files.length === 0) return null;
  return (
    <ul class="attached" aria-label={t("files")}>
      {files.map((file) => (
        <li>
          <Icon name="file" /> <a href={file.href}>{file.name}</a>{" "}
          <span class="muted">{language.size(file.sizeBytes)}</span>
          {remove ? (
            <form method="post" action={remove.action} data-confirm={t("reallyRemoveFile", { name: file.name })}>
              <input type="hidden" name="file" value={file.uuid} />
              <input type="hidden" name="redirect_to" value={remove.back} />
              <button
                type="submit"
                class="btn btn-icon btn-quiet btn-small i-trash"
                aria-label={t("removeFile", { name: file.name })}
              />
            </form>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
