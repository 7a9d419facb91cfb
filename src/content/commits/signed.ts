import type { SignedObject } from "../../keys/verification/service.ts";
import type { ReadCommit, ReadTag } from "./service.ts";

/** A commit in the form used for checking signatures. */
export function signedCommit({ oid, commit, signed }: ReadCommit): SignedObject {
  return { oid, signature: commit.signature, data: signed, email: commit.committer.email };
}

/** The same for a tag. */
export function signedTag({ oid, tag, signed }: ReadTag): SignedObject {
  return { oid, signature: tag.signature, data: signed, email: tag.tagger?.email ?? "" };
}
