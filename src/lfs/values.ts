import type { LfsPointer } from "../git/lfs/pointer.ts";
import { BadRequest, ValidationFailed } from "../kernel/errors.ts";

const OID = /^[0-9a-f]{64}$/;
const MAX_PATH_BYTES = 4096;

export function isPointer({ oid, sizeBytes }: LfsPointer): boolean {
  return OID.test(oid) && Number.isSafeInteger(sizeBytes) && sizeBytes >= 0;
}

/** @throws ValidationFailed not a valid object id or size (contract git-content.md 16.4) */
export function checkPointer(pointer: LfsPointer): LfsPointer {
  if (!isPointer(pointer)) throw new ValidationFailed("lfs.bad-pointer", { field: "oid" });
  return pointer;
}

/** @throws ValidationFailed */
export function checkOid(oid: string): string {
  return checkPointer({ oid, sizeBytes: 0 }).oid;
}

/**
 * The normalized path of a lock from the root: `./a//b` and `/a/b` are `a/b` (contract git-content.md 16.5).
 * @throws BadRequest nothing is left of it, it is too long, or no file can have it
 */
export function checkLockPath(given: string): string {
  const parts: string[] = [];
  for (const part of given.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  const path = parts.join("/");
  const isBad = path === "" || Buffer.byteLength(path) > MAX_PATH_BYTES || /[\0-\x1f]/.test(path);
  if (isBad || !path.isWellFormed()) throw new BadRequest("lfs.bad-path", { field: "path" });
  return path;
}
