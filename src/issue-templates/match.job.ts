export interface MatchInput {
  readonly pairs: readonly { readonly regex: string; readonly value: string }[];
}

/** Whether each value matches the pattern that a repository's form has for it. */
export function run({ pairs }: MatchInput): boolean[] {
  return pairs.map(({ regex, value }) => new RegExp(regex).test(value));
}
