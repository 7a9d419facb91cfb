import type { Setting } from "../setting.ts";

/** Large files. */
export const lfsSettings = {
  "lfs.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Repositories take large files (git LFS) over HTTP. Off: none of it is there, and what is stored stays stored.",
  },
  "lfs.max_object_mib": {
    type: { kind: "number", least: 0, most: 1 << 24 },
    standard: 0,
    doc: "The largest object a client may send, in MiB; 0: no limit but the owner's quota and the disk.",
  },
  "lfs.max_batch_objects": {
    type: { kind: "number", least: 0, most: 100_000 },
    standard: 1000,
    doc: "The most objects a client may ask about at once; 0: as many as fit into a request. git-lfs asks about 100.",
  },
  "lfs.locks_page": {
    type: { kind: "number", least: 1, most: 1000 },
    standard: 50,
    doc: "The most locks of one page, where a client asks for pages.",
  },
  "lfs.token_hours": {
    type: { kind: "number", least: 1, most: 720 },
    standard: 24,
    doc: "How long a token is good that git-lfs is given over SSH, in hours.",
  },
  "lfs.cleanup_days": {
    type: { kind: "number", least: 0, most: 36_500 },
    standard: 0,
    doc: "After so many days an object leaves its repository that no pointer on any branch, tag or pull request names; 0: never by itself.",
  },
} as const satisfies Record<string, Setting>;
