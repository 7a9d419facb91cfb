import { type Commit, serializeCommit, signedCommit } from "../objects/commit.ts";
import type { ObjectFormat } from "../objects/format.ts";
import { hashObject } from "../objects/hash.ts";
import { serializeTag, type Tag } from "../objects/tag.ts";
import type { ObjectType, Oid } from "../objects/types.ts";
import type { NewObject } from "../odb/write.ts";
import { trimEndOf } from "../text-ends.ts";

/** An object that is not stored yet, and its id. */
export interface Made extends NewObject {
  readonly oid: Oid;
}

/**
 * Signs a payload and returns the armoured signature (OpenPGP, SSH or X.509), as printed by `gpg --detach-sign --armor`
 * and `ssh-keygen -Y sign -n git`. The caller has the key.
 */
export type Sign = (payload: Uint8Array) => string;

/** Creates an object with any content. */
export function make(format: ObjectFormat, type: ObjectType, data: Uint8Array): Made {
  return { type, data, oid: hashObject(format, type, data) };
}

/** Creates a commit; if signed, the signature goes in a header (`gpgsig`, `gpgsig-sha256`). */
export function makeCommit(format: ObjectFormat, commit: Omit<Commit, "signature">, sign?: Sign): Made {
  const data = serializeCommit(commit);
  return make(format, "commit", sign ? signedCommit(data, format, sign(data)) : data);
}

/** Creates an annotated tag; if signed, the signature follows the message, which then ends with a line feed. */
export function makeTag(format: ObjectFormat, tag: Omit<Tag, "signature">, sign?: Sign): Made {
  if (!sign) return make(format, "tag", serializeTag(tag));
  const message = tag.message === "" || tag.message.endsWith("\n") ? tag.message : `${tag.message}\n`;
  const data = serializeTag({ ...tag, message });
  const signature = `${trimEndOf(sign(data), "\n")}\n`;
  return make(format, "tag", Buffer.concat([data, new TextEncoder().encode(signature)]));
}
