import type { ObjectFormat } from "./format.ts";
import { checkGitattributes, checkGitmodules, MAX_ATTRIBUTES_BYTES } from "./fsck/gitmodules.ts";
import { FSCK_SEVERITY, type FsckId, type Problem } from "./fsck/problems.ts";
import { checkCommit, checkTag } from "./fsck/text.ts";
import { checkTree } from "./fsck/tree.ts";
import { headerEnd } from "./headers.ts";
import type { ObjectType } from "./types.ts";

export type { FsckId, Problem } from "./fsck/problems.ts";

/** What a blob is used as, when a tree names it so. */
export type BlobRole = "gitmodules" | "gitattributes";

/**
 * Checks an object's content as `git fsck --strict` does (rules L1 to L3 of the security catalogue).
 * A problem of severity "error" refuses the object. Blobs are only checked in a role; which blobs have one is
 * learned from trees (`checkTree`).
 */
export function checkObject(format: ObjectFormat, type: ObjectType, data: Uint8Array, role?: BlobRole): Problem[] {
  const problems: Problem[] = [];
  const report = (id: FsckId, message: string): false => {
    problems.push({ id, severity: FSCK_SEVERITY[id], message });
    return false;
  };
  if (type === "tree") checkTree(data, format, { entry() {}, special() {} }, report);
  else if (type === "commit") checkCommit(headerText(data), data.includes(0), format, report);
  else if (type === "tag") checkTag(headerText(data), format, report);
  else if (role === "gitmodules") checkGitmodules(latin1(data), report);
  else if (role === "gitattributes") checkGitattributes(data, report);
  return problems;
}

/** The problem of a special file that is too large to be looked into: git refuses to trust what it does not read. */
export function tooLargeProblem(role: BlobRole, sizeBytes: number): Problem | undefined {
  const GITMODULES_BYTES = 16 * 1024 * 1024;
  const id = role === "gitmodules" ? "gitmodulesLarge" : "gitattributesLarge";
  const limit = role === "gitmodules" ? GITMODULES_BYTES : MAX_ATTRIBUTES_BYTES;
  if (sizeBytes <= limit) return undefined;
  return { id, severity: "error", message: `${role} file is too large` };
}

/** The header with the empty line that ends it: the message is only bytes to fsck, and often the larger part. */
function headerText(data: Uint8Array): string {
  return latin1(data.subarray(0, headerEnd(data) + 1));
}

function latin1(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
}
