import { type BadLine, type OwnersRule, parseOwners } from "./code-owners.ts";

export interface OwnersFile {
  readonly rules: readonly Pick<OwnersRule, "line" | "owners">[];
  readonly badLines: readonly BadLine[];
}

/** The owners named by the file, without its patterns. */
export function run({ text }: { readonly text: string }): OwnersFile {
  const { badLines, rules } = parseOwners(text);
  return { badLines, rules: rules.map(({ line, owners }) => ({ line, owners })) };
}
