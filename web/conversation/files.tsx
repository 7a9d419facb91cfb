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
export function FileList({ files }: { files: readonly ShownFile[] }) {
  const t = useWords(conversationWords);
  const language = useLanguage();
  if (files.length === 0) return null;
  return (
    <ul class="attached" aria-label={t("files")}>
      {files.map((file) => (
        <li>
          <Icon name="file" /> <a href={file.href}>{file.name}</a>{" "}
          <span class="muted">{language.size(file.sizeBytes)}</span>
        </li>
      ))}
    </ul>
  );
}
