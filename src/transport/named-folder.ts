import type { FolderKind } from "../repos/folders/types.ts";

/**
 * The git directory and repository that an address names: `name`, `name.git`, `name.wiki`, `name.wiki.git`.
 * @returns the name without its ending, which redirects keep
 */
export function namedFolder(given: string): { name: string; ending: string; folder: FolderKind } {
  const ending = /(?:\.wiki)?(?:\.git)?$/i.exec(given)?.[0] ?? "";
  const isWiki = /^\.wiki/i.test(ending);
  return { name: given.slice(0, given.length - ending.length), ending, folder: isWiki ? "wiki" : "code" };
}
