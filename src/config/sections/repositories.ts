import { readSize } from "../../kernel/size.ts";
import type { Setting } from "../setting.ts";

const branchName = (value: string): string | undefined =>
  /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(value) && !/\.\.|\/\/|\.lock$|[/.]$/.test(value)
    ? undefined
    : "must be a branch name";

const size = (value: string): string | undefined =>
  readSize(value) === undefined ? "must be a number of bytes, a size such as 10G, or -1" : undefined;

/** Repositories and how they are displayed. */
export const repositoriesSettings = {
  "quota.enabled": {
    type: { kind: "flag" },
    standard: false,
    doc: "Limit what accounts may store, by the rules of their quota groups.",
  },
  "quota.default_groups": {
    type: { kind: "list" },
    standard: [],
    doc: "Quota groups that apply to accounts that are in no group.",
  },
  "quota.default_total": {
    type: { kind: "text", check: size },
    standard: "-1",
    doc: "The total that accounts without a quota group may store if there are no default groups: bytes, or with a unit (`10G`); -1: no limit.",
  },
  "repository.default_branch": {
    type: { kind: "text", check: branchName },
    standard: "main",
    doc: "The default branch of a new repository.",
  },
  "repository.force_private": { type: { kind: "flag" }, standard: false, doc: "Make every new repository private." },
  "repository.stars": { type: { kind: "flag" }, standard: true, doc: "Let people star repositories." },
  "watch.new_repositories": {
    type: { kind: "flag" },
    standard: true,
    doc: "People watch the repositories they create.",
  },
  "watch.on_push": {
    type: { kind: "flag" },
    standard: false,
    doc: "People start watching a repository when they first push to it, until they choose otherwise.",
  },
  "repository.bin_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 7,
    doc: "Days that a deleted repository can be restored with everything in it. 0: it is deleted at once.",
  },
  "repository.trash_hours": {
    type: { kind: "number", least: 0, most: 24 * 365 },
    standard: 24,
    doc: "Hours that the files of a permanently deleted repository stay on disk.",
  },
  "repository.prune_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 14,
    doc: "Days that unreachable objects, such as those a forced push left behind, stay on disk before nightly maintenance removes them.",
  },
  "markup.timeout_seconds": {
    type: { kind: "number", least: 1, most: 60 },
    standard: 3,
    doc: "Seconds that rendering or highlighting a text may take; after that it is shown as plain source.",
  },
  "archives.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let people download the files of a commit as zip, tar.gz, tar or bundle.",
  },
  "archives.cache_mib": {
    type: { kind: "number", least: 0, most: 1 << 24 },
    standard: 1024,
    doc: "Disk space for cached archives, in MiB. The least recently used are removed first and created again on demand.",
  },
  "search.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Code search in default branches, and the index it needs (`search.db` in the data folder).",
  },
  "search.max_file_kib": {
    type: { kind: "number", least: 1, most: 16_384 },
    standard: 512,
    doc: "The largest file that code search indexes, in KiB.",
  },
} as const satisfies Record<string, Setting>;
