import type { Setting } from "../setting.ts";

/** Limits of pushes and fetches, and of the objects they carry. */
export const gitSettings = {
  "git.push_create": {
    type: { kind: "flag" },
    standard: true,
    doc: "Create a repository when someone pushes to one that does not exist in their own namespace.",
  },
  "git.push_create_private": {
    type: { kind: "flag" },
    standard: true,
    doc: "Make repositories created by a push private.",
  },
  "git.max_push_mib": {
    type: { kind: "number", least: 1, most: 1 << 20 },
    standard: 16384,
    doc: "The largest pack a push may send, in MiB.",
  },
  "git.max_object_mib": {
    type: { kind: "number", least: 1, most: 1 << 20 },
    standard: 4096,
    doc: "The largest single object a push may contain, in MiB.",
  },
  "git.max_file_mib": {
    type: { kind: "number", least: 0, most: 1 << 20 },
    standard: 0,
    doc: "The largest file a push or edit may add, in MiB; 0: as large as an object may be. A repository may set less.",
  },
  "git.refuse_secrets": {
    type: { kind: "flag" },
    standard: false,
    doc: "Refuse pushes and edits that add files with what looks like a secret: private keys, or tokens of well-known services. Repositories may refuse them even if the site does not.",
  },
  "git.accept_zero_padded_modes": {
    type: { kind: "flag" },
    standard: false,
    doc: "Accept histories in which old tools wrote file modes with leading zeros, as git does when it does not check objects (in git: `receive.fsck.zeroPaddedFilemode = warn`). People who clone them with `fetch.fsckObjects` are refused by their own git.",
  },
  "git.max_objects": {
    type: { kind: "number", least: 1, most: 100_000_000 },
    standard: 20_000_000,
    doc: "The maximum number of objects in one push.",
  },
  "git.concurrent_pushes": {
    type: { kind: "number", least: 1, most: 64 },
    standard: 2,
    doc: "How many pushes to one repository may be received at the same time; others wait.",
  },
  "git.remote_timeout_minutes": {
    type: { kind: "number", least: 1, most: 10080 },
    standard: 60,
    doc: "The maximum total time for fetching from or pushing to another server, in minutes.",
  },
  "git.remote_idle_seconds": {
    type: { kind: "number", least: 5, most: 3600 },
    standard: 120,
    doc: "How long another git server may be silent before the connection is closed, in seconds.",
  },
  "git.max_ref_changes": {
    type: { kind: "number", least: 1, most: 10_000_000 },
    standard: 20_000,
    doc: "The maximum number of branches, tags and other refs that one push may create, move or delete.",
  },
  "git.max_atomic_ref_changes": {
    type: { kind: "number", least: 1, most: 10_000_000 },
    standard: 5_000,
    doc: "The same for an `--atomic` push, which other requests wait for: about 20 ms for each 1,000 refs on a small machine.",
  },
} as const satisfies Record<string, Setting>;
