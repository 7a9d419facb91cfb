import { shellWord } from "../../src/kernel/shell-word.ts";
import { CopyButton } from "../components/button.tsx";
import { useWords } from "../language.ts";
import { mergingWords } from "./words/index.ts";

export interface CommandLineProps {
  readonly cloneUrl: string;
  readonly number: number;
  readonly base: string;
}

/** Commands to check it out or merge it with git. */
export function CommandLine({ base, cloneUrl, number }: CommandLineProps) {
  const t = useWords(mergingWords);
  const branch = `pull-${number}`;
  const lines = [
    `git fetch ${shellWord(cloneUrl)} refs/pull/${number}/head:${branch}`,
    `git switch ${shellWord(base)}`,
    `git merge --no-ff ${branch}`,
    `git push origin ${shellWord(base)}`,
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
