/** The title of a run: the first line of a commit message. */
export const titleOf = (message: string): string => message.trimStart().split("\n", 1)[0]?.trimEnd() ?? "";
