import type { SignedObject } from "../../keys/verification/service.ts";
import type { ReadCommit, ReadTag } from "./service.ts";

/** A commit as its signature is checked. */
export function signedCommit({ oid, commit, signed }: ReadCommit): SignedObject {
  return { oid, signature: commit.signature, data: signed, email: commit.committer.email };
}

/** A tag likewise. */
export function signedTag({ oid, tag, signed }: ReadTag): SignedObject {
  return { oid, signature: tag.signature, data: signed, email: tag.tagger?.email ?? "" };
}
