import type { Setting } from "../setting.ts";

/** Limits of pushes, fetches and what they may bring. */
export const gitSettings = {
  "git.push_create": {
    type: { kind: "flag" },
    standard: true,
    doc: "A push to a repository that does not exist, in the pusher's own namespace, makes it.",
  },
  "git.push_create_private": {
    type: { kind: "flag" },
    standard: true,
    doc: "Repositories made by a push are private.",
  },
  "git.max_push_mib": {
    type: { kind: "number", least: 1, most: 1 << 20 },
    standard: 16384,
    doc: "The largest pack one push may send, in MiB.",
  },
  "git.max_object_mib": {
    type: { kind: "number", least: 1, most: 1 << 20 },
    standard: 4096,
    doc: "The largest single object a push may hold, in MiB.",
  },
  "git.max_file_mib": {
    type: { kind: "number", least: 0, most: 1 << 20 },
    standard: 0,
    doc: "The largest file a push or an edit may bring, in MiB; 0: as large as an object may be. A repository may set less.",
  },
  "git.refuse_secrets": {
    type: { kind: "flag" },
    standard: false,
    doc: "Refuse pushes and edits that bring files with what looks like a secret: private keys, tokens of well-known services. A repository may refuse them where the site does not.",
  },
  "git.accept_zero_padded_modes": {
    type: { kind: "flag" },
    standard: false,
    doc: "Accept histories whose directories were written by old tools with zeros before the modes of files, as git does where it checks no objects (to git, `receive.fsck.zeroPaddedFilemode = warn`). Whoever clones them with `fetch.fsckObjects` is refused by their own git.",
  },
  "git.max_objects": {
    type: { kind: "number", least: 1, most: 100_000_000 },
    standard: 20_000_000,
    doc: "The most objects one push may send.",
  },
  "git.concurrent_pushes": {
    type: { kind: "number", least: 1, most: 64 },
    standard: 2,
    doc: "Pushes to one repository that may be received at the same time; others wait.",
  },
  "git.remote_timeout_minutes": {
    type: { kind: "number", least: 1, most: 10080 },
    standard: 60,
    doc: "How long fetching from another server, or pushing to it, may take in all, in minutes.",
  },
  "git.remote_idle_seconds": {
    type: { kind: "number", least: 5, most: 3600 },
    standard: 120,
    doc: "How long another git server may be silent before it is given up, in seconds.",
  },
  "git.max_ref_changes": {
    type: { kind: "number", least: 1, most: 10_000_000 },
    standard: 20_000,
    doc: "The most branches, tags and other refs that one push may make, move or delete.",
  },
  "git.max_atomic_ref_changes": {
    type: { kind: "number", least: 1, most: 10_000_000 },
    standard: 5_000,
    doc: "The same for a push that is all or nothing (`--atomic`), which others wait for: some 20 ms for each 1,000 on a small machine.",
  },
} as const satisfies Record<string, Setting>;
