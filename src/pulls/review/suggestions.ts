/** A part of a comment's text: words, or what a suggestion puts in the place of the lines the comment speaks of. */
export type CommentPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "suggestion"; readonly lines: readonly string[] };

const OPENS = /^ {0,3}(`{3,}|~{3,})[ \t]*suggestion[ \t]*$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** The parts of a comment's text: every fence named `suggestion` is one of its own. */
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

/** A fence ends with as many of its signs, or more, and nothing else. */
function isEnd(line: string, opening: string): boolean {
  const text = line.trim();
  return text.length >= opening.length && text === (opening[0] ?? "").repeat(text.length);
}

export const suggestionsIn = (body: string): (readonly string[])[] =>
  commentParts(body).flatMap((part) => (part.kind === "suggestion" ? [part.lines] : []));

/** The lines of the new file that a comment speaks of, as its hunk has them: the last ones that are not removed. */
export function linesSpokenOf(hunk: string, count: number): string[] {
  return hunk
    .split("\n")
    .slice(1)
    .filter((line) => !line.startsWith("-"))
    .map((line) => line.slice(1))
    .slice(-count);
}
