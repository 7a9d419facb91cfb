import type { Setting } from "../setting.ts";

const attachmentType = (value: string): string | undefined =>
  /^(?:\.[a-z0-9+_-]{1,20}|[a-z0-9.+-]+\/(?:\*|[a-z0-9.+-]+)|\*\/\*)$/.test(value)
    ? undefined
    : "must be an ending such as .png or a type such as image/*, in lower case";

const reaction = (value: string): string | undefined =>
  /^[a-z0-9_+-]{1,50}$/.test(value) ? undefined : "must be the short name of an emoji, such as heart";

/** Issues and releases, and their attachments. */
export const issuesSettings = {
  "attachments.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let people attach files to issues, pull requests and comments.",
  },
  "attachments.allowed_types": {
    type: { kind: "list", check: attachmentType },
    standard: [
      ".avif,.cpuprofile,.csv,.dmp,.docx,.fodg,.fodp,.fods,.fodt,.gif,.gz,.jpeg,.jpg,.json,.jsonc,.log,.md,.mov,.mp4,.odf",
      ".odg,.odp,.ods,.odt,.patch,.pdf,.png,.pptx,.svg,.tgz,.txt,.webm,.webp,.xls,.xlsx,.zip",
    ].flatMap((some) => some.split(",")),
    doc: "What may be attached: file name extensions (`.png`), and types detected from the content (`image/*`, `text/plain`). Empty or `*/*`: everything.",
  },
  "attachments.max_size_mib": {
    type: { kind: "number", least: 1, most: 100_000 },
    standard: 100,
    doc: "The largest file that may be attached, in MiB.",
  },
  "attachments.max_files": {
    type: { kind: "number", least: 1, most: 100 },
    standard: 5,
    doc: "How many files a form in the browser accepts at once.",
  },
  "releases.allowed_types": {
    type: { kind: "list", check: attachmentType },
    standard: [],
    doc: "Which files releases may have: file name extensions (`.deb`), and types detected from the content (`application/zip`). Empty: everything.",
  },
  "releases.max_size_mib": {
    type: { kind: "number", least: 1, most: 100_000 },
    standard: 2048,
    doc: "The largest file that a release may have, in MiB.",
  },
  "issues.max_pinned": {
    type: { kind: "number", least: 0, most: 20 },
    standard: 3,
    doc: "How many issues, and how many pull requests, may be pinned in a repository. 0: none.",
  },
  "issues.cross_repository_dependencies": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let issues depend on issues of other repositories.",
  },
  "issues.bin_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 7,
    doc: "Days that a deleted issue, pull request or comment can be restored, with its number, timeline and files. 0: it is deleted at once.",
  },
  "notifications.mail": {
    type: { kind: "choice", of: ["enabled", "onmention", "disabled", "andyourown"] },
    standard: "enabled",
    doc: "Mail about issues and pull requests for people who have not chosen for themselves: about what others do, only when they are mentioned, none, or about their own actions as well.",
  },
  "issues.reactions": {
    type: { kind: "list", check: reaction },
    standard: ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"],
    doc: "The reactions people may use on issues and comments, as emoji short names. Existing reactions that are not in the list are hidden.",
  },
  "time.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let people track time on issues and pull requests, in repositories that allow it.",
  },
} as const satisfies Record<string, Setting>;
