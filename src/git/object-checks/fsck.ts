import type { ObjectFormat } from "../objects/format.ts";
import { headerEnd } from "../objects/headers.ts";
import type { ObjectType } from "../objects/types.ts";
import { checkGitattributes, checkGitmodules, MAX_ATTRIBUTES_BYTES } from "./gitmodules.ts";
import { type FsckId, type Problem, severityOf } from "./problems.ts";
import { checkCommit, checkTag } from "./text.ts";
import { checkTree } from "./tree.ts";

export type { FsckId, Problem } from "./problems.ts";

/** The special role that a blob has if a tree names it so. */
export type BlobRole = "gitmodules" | "gitattributes";

/**
 * Checks an object's content as `git fsck --strict` does (rules L1 to L3 of the security catalogue). A problem of
 * severity "error" refuses the object. Blobs are only checked in a role; which blobs have one is learned from trees
 * (`checkTree`).
 */
export function checkObject(format: ObjectFormat, type: ObjectType, data: Uint8Array, role?: BlobRole): Problem[] {
  const problems: Problem[] = [];
  const report = (id: FsckId, message: string): false => {
    problems.push({ id, severity: severityOf(id, true), message });
    return false;
  };
  const headerText = () => ({
    // To fsck the message is just bytes, and it is often the larger part.
    header: latin1(data.subarray(0, headerEnd(data) + 1)),
    format,
    whole: () => latin1(data),
  });
  if (type === "tree") checkTree(data, format, { entry() {}, special() {} }, report);
  else if (type === "commit") checkCommit(headerText(), data.includes(0), report);
  else if (type === "tag") checkTag(headerText(), report);
  else if (role === "gitmodules") checkGitmodules(latin1(data), report);
  else if (role === "gitattributes") checkGitattributes(data, report);
  return problems;
}

/** The problem of a special file that is too large to be examined: git refuses to trust what it does not read. */
export function tooLargeProblem(role: BlobRole, sizeBytes: number): Problem | undefined {
  const GITMODULES_BYTES = 16 * 1024 * 1024;
  const id = role === "gitmodules" ? "gitmodulesLarge" : "gitattributesLarge";
  const limit = role === "gitmodules" ? GITMODULES_BYTES : MAX_ATTRIBUTES_BYTES;
  if (sizeBytes <= limit) return undefined;
  return { id, severity: "error", message: `.${role} too large to parse` };
}

function latin1(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("latin1");
}
