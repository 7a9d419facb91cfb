import { type BlobRole, checkObject } from "../object-checks/fsck.ts";
import { isSpecialFile } from "../object-checks/special-names.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { encodeName } from "../objects/names.ts";
import { MODE_EXECUTABLE, MODE_FILE, MODE_GITLINK, MODE_SYMLINK, MODE_TREE, serializeTree } from "../objects/tree.ts";
import { EditRefused } from "./refused.ts";

const MAX_PATH_BYTES = 4096;

/** The modes git writes for entries other than directories. */
export const FILE_MODES: ReadonlySet<number> = new Set([MODE_FILE, MODE_EXECUTABLE, MODE_SYMLINK, MODE_GITLINK]);

/**
 * Splits a path that is about to be written. Refuses what `git fsck --strict` would refuse in a tree: empty parts, `.`
 * and `..`, every spelling of `.git` that a file system may recognize, a link named `.gitmodules`.
 * @param path names as returned by `decodeName`, joined by `/`
 * @param mode of the entry to be written
 * @throws EditRefused "bad path"
 */
export function partsOfNewPath(path: string, mode: number, format: ObjectFormat): string[] {
  const refuse = (why: string) => new EditRefused("bad path", path, `${why} [path: ${path}]`);
  if (path === "" || path.startsWith("/") || path.endsWith("/")) throw refuse("this is no path of a file");
  if (encodeName(path).length > MAX_PATH_BYTES) throw refuse("the path is too long");
  const parts = path.split("/");
  for (const [at, part] of parts.entries()) {
    if (part === "" || part.includes("\0")) throw refuse("the path has an empty part");
    const problem = nameProblem(part, at === parts.length - 1 ? mode : MODE_TREE, format);
    if (problem !== undefined) throw refuse(`the path has a part that no tree may hold: ${problem}`);
  }
  return parts;
}

/** Why no tree may contain an entry with this name, in fsck's words; undefined if it may. The name has no NUL. */
function nameProblem(name: string, mode: number, format: ObjectFormat): string | undefined {
  const oid = format.emptyTree;
  const problems = checkObject(format, "tree", serializeTree([{ mode, name, oid }]));
  return problems.find(({ severity }) => severity === "error")?.message;
}

/**
 * Refuses content that git would interpret but must not, if the path gives it that role.
 * @throws EditRefused "bad content"
 */
export function checkContent(path: string, data: Uint8Array, format: ObjectFormat): void {
  const name = Buffer.from(encodeName(path.slice(path.lastIndexOf("/") + 1))).toString("latin1");
  for (const role of ["gitmodules", "gitattributes"] satisfies BlobRole[]) {
    if (!isSpecialFile(name, role)) continue;
    const problem = checkObject(format, "blob", data, role).find(({ severity }) => severity === "error");
    if (problem) throw new EditRefused("bad content", path, `${problem.id}: ${problem.message} [path: ${path}]`);
  }
}
