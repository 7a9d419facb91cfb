/** What a run is called: the first line of a commit's message. */
export const titleOf = (message: string): string => message.trimStart().split("\n", 1)[0]?.trimEnd() ?? "";
