import type { ObjectType } from "../../git/objects/types.ts";
import type { Ref } from "../../git/refs/types.ts";

export interface TypedRef extends Ref {
  readonly type: ObjectType;
}

/** A ref in the API's format. @param api the repository's URL in the API */
export function referenceResource(api: string, { name, oid, type }: TypedRef) {
  return {
    ref: name,
    url: `${api}/git/${name}`,
    object: { type, sha: oid, url: `${api}/git/${type}s/${oid}` },
  };
}
