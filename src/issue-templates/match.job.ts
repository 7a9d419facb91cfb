import { RE2JS } from "re2js";

export interface MatchInput {
  readonly pairs: readonly { readonly regex: string; readonly value: string }[];
}

/**
 * Whether each value matches the pattern that a repository's form has for it, in linear time whatever the pattern says.
 * One that cannot be tried so (references back, looks ahead) keeps nobody from saying something.
 */
export function run({ pairs }: MatchInput): boolean[] {
  return pairs.map(({ regex, value }) => compiled(regex)?.matcher(value).find() ?? true);
}

function compiled(regex: string): RE2JS | undefined {
  try {
    return RE2JS.compile(regex);
  } catch {
    return undefined;
  }
}
