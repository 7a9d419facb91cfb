import { CopyButton } from "../components/button.tsx";
import { useWords } from "../language.ts";
import { mergingWords } from "./words/index.ts";

export interface CommandLineProps {
  readonly cloneUrl: string;
  readonly number: number;
  readonly base: string;
}

/** How to look at it, or to merge it, with git. */
export function CommandLine({ base, cloneUrl, number }: CommandLineProps) {
  const t = useWords(mergingWords);
  const branch = `pull-${number}`;
  const quoted = `'${base.replaceAll("'", "'\\''")}'`;
  const lines = [
    `git fetch ${cloneUrl} refs/pull/${number}/head:${branch}`,
    `git switch ${quoted}`,
    `git merge --no-ff ${branch}`,
    `git push origin ${quoted}`,
  ].join("\n");
  return (
    <details class="command-line">
      <summary>{t("commandLine")}</summary>
      <div class="row">
        <pre tabindex={0}>{lines}</pre>
        <CopyButton text={lines} label={t("copyCommands")} small />
      </div>
    </details>
  );
}
