import type { ErrorWords } from "../http/error-words.ts";

export const lfsErrorWords: ErrorWords = {
  "lfs.bad-accept": "the Accept header must name application/vnd.git-lfs+json",
  "lfs.bad-body": "bad request: the body is not what is needed here",
  "lfs.bad-lock-id": "bad request : the id of a lock is a number",
  "lfs.bad-path": "bad request: the path names no file",
  "lfs.bad-pointer": "Oid or size are invalid",
  "lfs.bad-range": "Requested Range Not Satisfiable",
  "lfs.batch-too-large": ({ max }) => `the batch asks about more than ${max} objects`,
  "lfs.lock-of-another": "unable to delete lock: it belongs to someone else",
  "lfs.no-lock-list": "You must have pull access to list locks",
  "lfs.no-lock-verify": "You must have push access to verify locks",
  "lfs.no-lock": "You must have push access to create locks",
  "lfs.no-pull": "You must have pull access to download objects",
  "lfs.no-push": "You must have push access to upload objects",
  "lfs.no-such-lock": "there is no such lock",
  "lfs.no-unlock": "You must have push access to delete locks",
  "lfs.refused-elsewhere": ({ code, oid }) => `the other server does not take the large file ${oid} (${code})`,
  "lfs.too-large": ({ maxBytes }) => `Size must be less than or equal to ${maxBytes}`,
  "lfs.too-many-locks": ({ max }) => `the repository has ${max} locks, which is as many as it may have`,
  "lfs.wrong-hash": "content hash does not match OID",
  "lfs.wrong-size": "content size does not match",
};
