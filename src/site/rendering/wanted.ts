import { trimOf } from "../../git/text-ends.ts";
import { documentKind, isTextKind, type TextKind } from "../../markup/kinds.ts";
import type { LinkBase, RepoAddress } from "../../markup/links.ts";

/** A text to render, as sent by clients and forms. */
export interface Wanted {
  readonly text: string;
  readonly mode: string;
  /** `/{owner}/{repo}`, or the address of a folder below it. */
  readonly context: string;
  readonly filePath: string;
}

/** How to render it. */
export interface Rendering {
  readonly as: TextKind | "table";
  readonly base: LinkBase;
}

/** Longer than any file's address. */
const MAX_CONTEXT = 8192;

/** How to render it; a string instead says why it cannot be. */
export function renderingOf({ mode, context, filePath }: Wanted, repo: RepoAddress | undefined): Rendering | string {
  const place = placeOf(context);
  const at = repo ?? place?.repo;
  switch (mode) {
    case "":
    case "markdown":
      return { as: "markdown", base: { kind: "none" } };
    case "gfm":
      return { as: "markdown", base: fileBase(at, place) };
    case "comment":
      return { as: "markdown", base: at ? { kind: "repo", repo: at } : { kind: "none" } };
    case "wiki":
      return { as: "markdown", base: at ? { kind: "repo", repo: at, below: "wiki" } : { kind: "none" } };
    case "file": {
      const kind = documentKind(filePath);
      if (kind === "table") return { as: kind, base: { kind: "none" } };
      return isTextKind(kind) ? { as: kind, base: fileBase(at, place, filePath) } : "unable to find a render\n";
    }
    default:
      return `unsupported render mode: ${mode.slice(0, 100)}\n`;
  }
}

/** If the context names no folder, the file's path determines it. */
function fileBase(repo: RepoAddress | undefined, place: Place | undefined, filePath = ""): LinkBase {
  if (!repo) return { kind: "none" };
  if (!place?.at) return { kind: "repo", repo, below: "src" };
  const folder = trimOf(filePath.slice(0, MAX_CONTEXT), "/").split("/").slice(0, -1).join("/");
  return { kind: "file", repo, at: place.at, directory: place.directory || folder };
}

interface Place {
  readonly repo: RepoAddress;
  readonly at: { readonly kind: "branch" | "tag" | "commit"; readonly name: string } | undefined;
  readonly directory: string;
}

/**
 * `/{owner}/{repo}` or `/{owner}/{repo}/src/{branch|commit|tag}/{ref}/{folder}`. Only the text of the path is used
 * and no repository is read, since access has not been checked. Of a ref with slashes, only the first
 * part is taken as the ref.
 */
function placeOf(context: string): Place | undefined {
  const [owner, name, src, kind, ref, ...folder] = trimOf(context.slice(0, MAX_CONTEXT), "/").split("/");
  if (!owner || !name) return undefined;
  const isKind = kind === "branch" || kind === "tag" || kind === "commit";
  return {
    repo: { owner, name },
    at: src === "src" && isKind && ref ? { kind, name: ref } : undefined,
    directory: folder.join("/"),
  };
}
