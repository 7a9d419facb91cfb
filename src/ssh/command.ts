/** A client's parsed command over SSH. */
export type Command =
  | { readonly kind: "git"; readonly service: GitService; readonly path: RepoPath }
  | { readonly kind: "lfs"; readonly operation: "upload" | "download"; readonly path: RepoPath }
  | { readonly kind: "info" };

export type GitService = "git-upload-pack" | "git-receive-pack" | "git-upload-archive";

/** `owner/name`, as requested. */
export interface RepoPath {
  readonly owner: string;
  readonly name: string;
}

/** Why a command is not supported, in words for the person who typed it (contract git-content.md 14.4). */
export class BadCommand extends Error {
  override name = "BadCommand";
}

const SERVICES: ReadonlySet<string> = new Set<GitService>([
  "git-upload-pack",
  "git-receive-pack",
  "git-upload-archive",
]);
const isService = (verb: string): verb is GitService => SERVICES.has(verb);
const UNKNOWN = "Unknown git command";
/** No path git sends is longer. */
const MAX_CHARACTERS = 4096;

/**
 * Parses a command as git quotes it. It never reaches a shell or a process: the verbs are a fixed list, and any shell
 * syntax beyond quoting is refused.
 * @throws BadCommand
 */
export function parseCommand(text: string): Command {
  const [verb = "", given, ...more] = joined(wordsOf(text));
  if (verb === "ssh_info" && given === undefined) return { kind: "info" };
  if (given === undefined) throw new BadCommand("Too few arguments");
  const path = pathOf(given);
  if (isService(verb)) {
    if (more.length > 0) throw new BadCommand(UNKNOWN);
    return { kind: "git", service: verb, path };
  }
  if (verb === "git-lfs-transfer") throw new BadCommand("LFS SSH transfer is not enabled");
  if (verb !== "git-lfs-authenticate") throw new BadCommand(UNKNOWN);
  const [operation, ...rest] = more;
  // A third word is an object id, which old versions of git-lfs send.
  if ((operation !== "upload" && operation !== "download") || rest.length > 1)
    throw new BadCommand(operation === undefined ? "Too few arguments" : "Unknown LFS operation");
  return { kind: "lfs", operation, path };
}

/** `git upload-pack` is the same as `git-upload-pack`. */
function joined([first = "", second, ...more]: readonly string[]): string[] {
  if (first === "git" && second !== undefined && isService(`git-${second}`)) return [`git-${second}`, ...more];
  return second === undefined ? [first] : [first, second, ...more];
}

function pathOf(given: string): RepoPath {
  const [owner = "", name = "", ...more] = given.replace(/^\//, "").replace(/\/$/, "").split("/");
  if (owner === "" || name === "" || more.length > 0) throw new BadCommand("Invalid repository path");
  if (!/^[A-Za-z0-9._-]+$/.test(name) || name === "." || name === "..") throw new BadCommand("Invalid repo name");
  return { owner, name };
}

/** Splits shell words, refusing any other shell syntax. @throws BadCommand */
function wordsOf(text: string): string[] {
  if (text.length > MAX_CHARACTERS) throw new BadCommand(UNKNOWN);
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const token = TOKEN.exec(rest);
    if (!token) throw new BadCommand(UNKNOWN);
    at += token[0].length;
    const { space, single, double, escaped, plain } = token.groups ?? {};
    if (space !== undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + (single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain ?? "");
  }
  if (word !== undefined) words.push(word);
  return words;
}

const TOKEN =
  /^(?:(?<space>[ \t]+)|'(?<single>[^'\p{Cc}]*)'|"(?<double>(?:[^"\\$`\p{Cc}]|\\[^\p{Cc}])*)"|\\(?<escaped>[^\p{Cc}])|(?<plain>[^\s'"\\;&|<>()$`*?[\]{}#!\p{Cc}]+))/u;
