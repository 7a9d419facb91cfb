import { RE2JS } from "re2js";

export interface MatchInput {
  readonly pairs: readonly { readonly regex: string; readonly value: string }[];
}

/**
 * Whether each value matches the form's pattern for it, in linear time whatever the pattern. Patterns that do not
 * allow that (backreferences, lookaround) do not prevent submission.
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
