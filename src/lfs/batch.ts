import type { LfsPointer } from "../git/lfs/pointer.ts";
import type { Fields } from "../http/body.ts";
import { BadRequest } from "../kernel/errors.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { LfsObjects } from "./service.ts";
import { type LfsOperation, operations } from "./types.ts";
import { isPointer } from "./values.ts";

/** A client's request about many objects (contract git-content.md 16.3). */
export interface BatchRequest {
  readonly operation: LfsOperation;
  readonly objects: readonly LfsPointer[];
}

/** @throws BadRequest */
export function readBatch({ objects = [], operation: given }: Fields): BatchRequest {
  const operation = operations.find((known) => known === given);
  if (!operation || (objects !== null && !Array.isArray(objects))) throw new BadRequest("lfs.bad-body");
  return { operation, objects: (objects ?? []).map(readPointer) };
}

/** Reads an object's name from a body, without validating it. @throws BadRequest */
export function readPointer(given: unknown): LfsPointer {
  if (typeof given !== "object" || given === null) throw new BadRequest("lfs.bad-body");
  const { oid, size = 0 } = given as { oid?: unknown; size?: unknown };
  if (typeof oid !== "string" || typeof size !== "number" || !Number.isInteger(size))
    throw new BadRequest("lfs.bad-body");
  return { oid, sizeBytes: size };
}

export interface BatchOptions {
  /** The repository's LFS endpoint. */
  readonly base: string;
  /** The client's header, to be sent again with the transfers. */
  readonly authorization: string | null;
  /** Per object; 0: unlimited. */
  readonly maxBytes: number;
}

/** One entry for each object, in order. */
export function batchAnswer(
  lfs: LfsObjects,
  seen: SeenRepo,
  { objects, operation }: BatchRequest,
  { authorization, base, maxBytes }: BatchOptions,
): unknown[] {
  const present = lfs.among(
    seen,
    objects.map(({ oid }) => oid),
  );
  if (operation === "upload" && present.size > 0) lfs.rely(seen, [...present.keys()]);
  const credentials = authorization === null ? {} : { Authorization: authorization };
  return objects.map((pointer) => {
    const { oid, sizeBytes } = pointer;
    const about = { oid, size: sizeBytes };
    const refused = (code: number, message: string) => ({ ...about, error: { code, message } });
    if (!isPointer(pointer)) return refused(422, "Oid or size are invalid");
    const found = present.get(oid);
    if (found && found.sizeBytes !== sizeBytes) return refused(422, `Object ${oid} is not ${sizeBytes} bytes`);
    const isHere = found !== undefined && lfs.isStored(found);
    if (operation === "download") {
      if (!isHere) return refused(404, "Not Found");
      return { ...about, actions: { download: { href: `${base}/objects/${oid}`, header: credentials } } };
    }
    if (isHere) return about;
    if (maxBytes > 0 && sizeBytes > maxBytes) return refused(422, `Size must be less than or equal to ${maxBytes}`);
    const upload = { ...credentials, "Transfer-Encoding": "chunked" };
    const verify = { ...credentials, Accept: "application/vnd.git-lfs+json;q=0.9, */*;q=0.8" };
    return {
      ...about,
      actions: {
        upload: { href: `${base}/objects/${oid}/${sizeBytes}`, header: upload },
        verify: { href: `${base}/verify`, header: verify },
      },
    };
  });
}
