import { readSize } from "../../kernel/size.ts";
import type { Setting } from "../setting.ts";

const branchName = (value: string): string | undefined =>
  /^[A-Za-z0-9_][A-Za-z0-9_./-]*$/.test(value) && !/\.\.|\/\/|\.lock$|[/.]$/.test(value)
    ? undefined
    : "must be a branch name";

const size = (value: string): string | undefined =>
  readSize(value) === undefined ? "must be a number of bytes, a size such as 10G, or -1" : undefined;

/** Repositories and what is shown of them. */
export const repositoriesSettings = {
  "quota.enabled": {
    type: { kind: "flag" },
    standard: false,
    doc: "Accounts may store as much as the rules of their quota groups say.",
  },
  "quota.default_groups": {
    type: { kind: "list" },
    standard: [],
    doc: "Names of the quota groups whose rules count for accounts that are in none.",
  },
  "quota.default_total": {
    type: { kind: "text", check: size },
    standard: "-1",
    doc: "What accounts may store in all that are in no quota group, where there are no default groups: bytes, or with a unit (`10G`); -1: no limit.",
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
    doc: "Whoever creates a repository watches it.",
  },
  "watch.on_push": {
    type: { kind: "flag" },
    standard: false,
    doc: "Whoever pushes to a repository for the first time watches it from then on, until they say otherwise.",
  },
  "repository.bin_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 7,
    doc: "Days that a deleted repository can be restored, with all that it had. 0: it goes at once.",
  },
  "repository.trash_hours": {
    type: { kind: "number", least: 0, most: 24 * 365 },
    standard: 24,
    doc: "Hours before the files of a repository that is gone for good leave the disk.",
  },
  "repository.prune_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 14,
    doc: "Days that objects stay which nothing leads to any more, such as what a forced push took away; they leave the disk in the nightly maintenance after that.",
  },
  "markup.timeout_seconds": {
    type: { kind: "number", least: 1, most: 60 },
    standard: 3,
    doc: "Seconds a text may take to be rendered or coloured; after that it is shown as it was written.",
  },
  "archives.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let people download the files of a commit as zip, tar.gz, tar or bundle.",
  },
  "archives.cache_mib": {
    type: { kind: "number", least: 0, most: 1 << 24 },
    standard: 1024,
    doc: "Disk for such archives that were made and may be asked for again, in MiB. Those not used for longest go first, and are made again.",
  },
  "search.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Search in the code of default branches, and the index for it (`search.db` in the data folder).",
  },
  "search.max_file_kib": {
    type: { kind: "number", least: 1, most: 16_384 },
    standard: 512,
    doc: "Larger files are not searched, in KiB.",
  },
} as const satisfies Record<string, Setting>;
