/** A part of a comment's text: prose, or a suggestion that replaces the lines commented on. */
export type CommentPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "suggestion"; readonly lines: readonly string[] };

const OPENS = /^ {0,3}(`{3,}|~{3,})[ \t]*suggestion[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Splits a comment's text into parts: every fence named `suggestion` is a part. */
export function commentParts(body: string): CommentPart[] {
  const parts: CommentPart[] = [];
  const lines = body.replaceAll("\r\n", "\n").split("\n");
  let words: string[] = [];
  const endWords = () => {
    if (words.some((line) => line.trim() !== "")) parts.push({ kind: "text", text: words.join("\n") });
    words = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const opening = FENCE.exec(line)?.[1];
    if (opening === undefined) {
      words.push(line);
      continue;
    }
    const end = lines.findIndex((each, place) => place > at && isEnd(each, opening));
    const until = end < 0 ? lines.length : end;
    if (OPENS.test(line)) {
      endWords();
      parts.push({ kind: "suggestion", lines: lines.slice(at + 1, until) });
    } else words.push(...lines.slice(at, until + 1));
    at = until;
  }
  endWords();
  return parts;
}

/** A closing fence has at least as many of the same characters as the opening one, and nothing else. */
function isEnd(line: string, opening: string): boolean {
  const text = line.trim();
  return text.length >= opening.length && text === (opening[0] ?? "").repeat(text.length);
}

export const suggestionsIn = (body: string): (readonly string[])[] =>
  commentParts(body).flatMap((part) => (part.kind === "suggestion" ? [part.lines] : []));

/** The lines of the new file that a comment refers to, from its hunk: the last ones that are not removed. */
export function linesSpokenOf(hunk: string, count: number): string[] {
  return hunk
    .split("\n")
    .slice(1)
    .filter((line) => !line.startsWith("-"))
    .map((line) => line.slice(1))
    .slice(-count);
}
