/**
 * Resolves the links of a rendered text (contract: web.md section 4.4). Plain data, so that it can be sent to a worker.
 */
import { segment, segments, unescaped } from "../kernel/url-path.ts";

export interface RepoAddress {
  readonly owner: string;
  readonly name: string;
}

export type LinkBase =
  /** A file in a repository: links are relative to its directory at the same branch, tag or commit. */
  | {
      readonly kind: "file";
      readonly repo: RepoAddress;
      readonly at: { readonly kind: "branch" | "tag" | "commit"; readonly name: string };
      /** Directory of the file, without leading or trailing slashes; empty for the root. */
      readonly directory: string;
    }
  /** A comment or a description: links are relative to the repository's URL, or to a path below it. */
  | { readonly kind: "repo"; readonly repo: RepoAddress; readonly below?: "src" | "wiki" }
  /** No repository: relative links stay as they are. */
  | { readonly kind: "none" };

const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i;

/** The URL of a link or an image. `media` are images and videos, which need their bytes rather than a page. */
export function resolveLink(target: string, base: LinkBase, use: "page" | "media"): string {
  const trimmed = target.trim();
  if (trimmed === "" || trimmed.startsWith("//") || HAS_SCHEME.test(trimmed)) return trimmed;
  // Ids in user text are prefixed, so links to them are too; `#L10` of a file page is not in the text.
  if (trimmed.startsWith("#")) return trimmed === "#" ? trimmed : `#${prefixedId(unescaped(trimmed.slice(1)))}`;
  if (base.kind === "none") return trimmed;
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(trimmed) ?? [];
  if (path === "") return trimmed;
  const root = `/${segment(base.repo.owner)}/${segment(base.repo.name)}`;
  if (base.kind === "repo") {
    // Images of a wiki are raw bytes, which have a URL of their own.
    const below = base.below === "wiki" && use === "media" ? "wiki/raw" : base.below;
    return `${root}${below ? `/${below}` : ""}${joined("", path)}${rest}`;
  }
  const page = use === "media" ? "media" : "src";
  const directory = path.startsWith("/") ? "" : base.directory;
  return `${root}/${page}/${base.at.kind}/${segments(base.at.name)}${joined(directory, path)}${rest}`;
}

/** Prefixes an id from a user's text so that it cannot clash with those of the page itself. */
export function prefixedId(id: string): string {
  return /^(?:fn:|fnref:)?user-content-/.test(id) ? id : `user-content-${id}`;
}

/** A path below a directory; `..` never leaves the root. Starts with a slash unless empty. */
function joined(directory: string, path: string): string {
  const parts = directory === "" ? [] : directory.split("/");
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") parts.pop();
    else parts.push(unescaped(part));
  }
  return parts.map((part) => `/${segment(part)}`).join("");
}
