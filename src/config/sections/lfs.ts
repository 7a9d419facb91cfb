import type { Setting } from "../setting.ts";

/** Git LFS. */
export const lfsSettings = {
  "lfs.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Accept large files (git LFS) over HTTP. Off: git LFS is not available, and what is stored is kept.",
  },
  "lfs.max_object_mib": {
    type: { kind: "number", least: 0, most: 1 << 24 },
    standard: 0,
    doc: "The largest object a client may send, in MiB; 0: limited only by the owner's quota and the disk.",
  },
  "lfs.max_batch_objects": {
    type: { kind: "number", least: 0, most: 100_000 },
    standard: 1000,
    doc: "The maximum number of objects a client may ask about at once; 0: as many as fit into a request. git-lfs asks about 100.",
  },
  "lfs.locks_page": {
    type: { kind: "number", least: 1, most: 1000 },
    standard: 50,
    doc: "The maximum number of locks on a page, if a client asks for pages.",
  },
  "lfs.token_hours": {
    type: { kind: "number", least: 1, most: 720 },
    standard: 24,
    doc: "How long a token handed to git-lfs over SSH is valid, in hours.",
  },
  "lfs.cleanup_days": {
    type: { kind: "number", least: 0, most: 36_500 },
    standard: 0,
    doc: "Days after which an object is removed from its repository if no pointer on any branch, tag or pull request refers to it; 0: never automatically.",
  },
} as const satisfies Record<string, Setting>;
