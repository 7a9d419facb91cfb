import type { PrintOptions } from "../../src/git/diff/print/options.ts";
import type { RepositoryFolder } from "../../src/git/folder.ts";
import { Fatal, type Terminal } from "./command.ts";
import { algorithmNamed } from "./diff-options.ts";
import { booleanOf, numberOf, settingOf, yesOrNo } from "./settings.ts";

/** Diff settings from the configuration (git-config(1), "diff.*"); command line options override them. */
export type DiffSettings = Pick<
  PrintOptions,
  | "asciiNames"
  | "renameLimit"
  | "renames"
  | "copies"
  | "context"
  | "interHunkContext"
  | "algorithm"
  | "minimal"
  | "indentHeuristic"
  | "oldPrefix"
  | "newPrefix"
  | "stat"
>;

/**
 * @param isForScripts for `diff-tree`, which honours few settings, so that scripts can rely on its output
 * @throws Fatal for an invalid value of a setting
 */
export function diffSettings(
  repository: RepositoryFolder,
  terminal: Terminal,
  isForScripts = false,
): Partial<DiffSettings> {
  const number = (key: string) => numberOf(repository, terminal, key);
  const yes = (key: string) => yesOrNo(repository, terminal, key);
  const found: { -readonly [Key in keyof DiffSettings]?: DiffSettings[Key] } = {
    asciiNames: yes("core.quotepath") ?? true,
    renameLimit: number("diff.renamelimit"),
  };
  if (isForScripts) return found;
  const renames = settingOf(repository, terminal, "diff.renames");
  if (renames !== undefined) {
    found.copies = /^cop(?:y|ies)$/i.test(renames);
    found.renames = found.copies || booleanOf("diff.renames", renames);
  }
  const lines = (key: string) => {
    const value = number(key);
    if (value !== undefined && value < 0) throw new Fatal(`bad config variable '${key}'`);
    return value;
  };
  const context = lines("diff.context");
  if (context !== undefined) found.context = context;
  const between = lines("diff.interhunkcontext");
  if (between !== undefined) found.interHunkContext = between;
  const graphWidth = number("diff.statgraphwidth");
  if (graphWidth !== undefined) found.stat = { graphWidth };
  const indents = yes("diff.indentheuristic");
  if (indents !== undefined) found.indentHeuristic = indents;
  const algorithm = settingOf(repository, terminal, "diff.algorithm");
  if (algorithm !== undefined) {
    const known = algorithmNamed(algorithm);
    if (!known) throw new Fatal("bad config variable 'diff.algorithm'");
    Object.assign(found, known);
  }
  if (yes("diff.noprefix")) {
    found.oldPrefix = "";
    found.newPrefix = "";
  }
  return found;
}
