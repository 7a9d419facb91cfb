import { decodeText, readHeaders } from "../../objects/headers.ts";
import { posixPattern } from "../../patterns/posix.ts";

/** Whether a commit matches, given its stored bytes. */
export type CommitMatch = (data: Uint8Array) => boolean;

/** Search criteria for commits, as in `git log`: any one of each kind must match, for every kind given. */
export interface MatchRequest {
  /** Patterns for `Name <address>` lines. */
  readonly author?: readonly string[] | undefined;
  readonly committer?: readonly string[] | undefined;
  /** Patterns for lines of the message. */
  readonly grep?: readonly string[] | undefined;
  readonly allMatch?: boolean | undefined;
  readonly invertGrep?: boolean | undefined;
  readonly ignoreCase?: boolean | undefined;
  /** "basic" by default, as in grep(1). */
  readonly syntax?: "basic" | "extended" | "fixed" | "perl" | undefined;
  /** Maps identities as a `.mailmap` says. */
  readonly mapped?: ((person: string) => string) | undefined;
}

/**
 * Prepares a search; returns undefined if there are no patterns.
 * @throws SyntaxError when a pattern is invalid
 */
export function commitMatch(request: MatchRequest): CommitMatch | undefined {
  const compile = (patterns: readonly string[] | undefined) =>
    (patterns ?? []).map((pattern) => posixPattern(pattern, request.syntax ?? "basic", request.ignoreCase ?? false));
  const author = compile(request.author);
  const committer = compile(request.committer);
  const grep = compile(request.grep);
  if (author.length + committer.length + grep.length === 0) return undefined;
  const mapped = request.mapped ?? ((person) => person);
  return (data) => {
    const { lines, header } = linesOf(data);
    const signatureMatches = (name: string, patterns: readonly RegExp[]) => {
      if (patterns.length === 0) return true;
      const person = mapped(header(name));
      return patterns.some((pattern) => pattern.test(person));
    };
    if (!signatureMatches("author", author) || !signatureMatches("committer", committer)) return false;
    if (grep.length === 0) return true;
    const isThere = (pattern: RegExp) => lines.some((line) => pattern.test(line));
    const found = request.allMatch ? grep.every(isThere) : grep.some(isThere);
    return found !== (request.invertGrep ?? false);
  };
}

function linesOf(data: Uint8Array) {
  const { headers, messageStart } = readHeaders(data, (bytes) => Buffer.from(bytes).toString("latin1"));
  const encoding = headers.find(({ name }) => name === "encoding")?.value;
  const lines = decodeText(data.subarray(messageStart), encoding).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const header = (wanted: string) => {
    const value = headers.find(({ name }) => name === wanted)?.value ?? "";
    const text = decodeText(Buffer.from(value, "latin1"), encoding);
    return text.slice(0, text.lastIndexOf(">") + 1) || text;
  };
  return { lines, header };
}
