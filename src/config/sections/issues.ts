import type { Setting } from "../setting.ts";

const attachmentType = (value: string): string | undefined =>
  /^(?:\.[a-z0-9+_-]{1,20}|[a-z0-9.+-]+\/(?:\*|[a-z0-9.+-]+)|\*\/\*)$/.test(value)
    ? undefined
    : "must be an ending such as .png or a type such as image/*, in lower case";

const reaction = (value: string): string | undefined =>
  /^[a-z0-9_+-]{1,50}$/.test(value) ? undefined : "must be the short name of an emoji, such as heart";

/** Issues and releases, and what is attached to them. */
export const issuesSettings = {
  "attachments.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Files may be attached to issues, pull requests and comments.",
  },
  "attachments.allowed_types": {
    type: { kind: "list", check: attachmentType },
    standard: [
      ".avif,.cpuprofile,.csv,.dmp,.docx,.fodg,.fodp,.fods,.fodt,.gif,.gz,.jpeg,.jpg,.json,.jsonc,.log,.md,.mov,.mp4,.odf",
      ".odg,.odp,.ods,.odt,.patch,.pdf,.png,.pptx,.svg,.tgz,.txt,.webm,.webp,.xls,.xlsx,.zip",
    ].flatMap((some) => some.split(",")),
    doc: "What may be attached: endings of names (`.png`), and types told from the content (`image/*`, `text/plain`). Empty or `*/*`: everything.",
  },
  "attachments.max_size_mib": {
    type: { kind: "number", least: 1, most: 100_000 },
    standard: 100,
    doc: "The largest file that may be attached, in MiB.",
  },
  "attachments.max_files": {
    type: { kind: "number", least: 1, most: 100 },
    standard: 5,
    doc: "Files that a form in the browser takes at once.",
  },
  "releases.allowed_types": {
    type: { kind: "list", check: attachmentType },
    standard: [],
    doc: "What files releases may have: endings of names (`.deb`), and types told from the content (`application/zip`). Empty: everything.",
  },
  "releases.max_size_mib": {
    type: { kind: "number", least: 1, most: 100_000 },
    standard: 2048,
    doc: "The largest file that a release may have, in MiB.",
  },
  "issues.max_pinned": {
    type: { kind: "number", least: 0, most: 20 },
    standard: 3,
    doc: "Issues, and pull requests, that may be pinned in a repository. 0: none.",
  },
  "issues.cross_repository_dependencies": {
    type: { kind: "flag" },
    standard: true,
    doc: "Issues may depend on those of other repositories.",
  },
  "issues.bin_days": {
    type: { kind: "number", least: 0, most: 3650 },
    standard: 7,
    doc: "Days that a deleted issue, pull request or comment can be restored, with its number, its timeline and its files. 0: it goes at once.",
  },
  "notifications.mail": {
    type: { kind: "choice", of: ["enabled", "onmention", "disabled", "andyourown"] },
    standard: "enabled",
    doc: "Which mails about issues and pull requests people get who have not said: of what others do, only when they are mentioned, none, or of what they do themselves, too.",
  },
  "issues.reactions": {
    type: { kind: "list", check: reaction },
    standard: ["+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes"],
    doc: "What people may react with to issues and comments, as the short names of emoji. What is no longer here is not shown.",
  },
  "time.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let people track the time that issues and pull requests take, where the repository does, too.",
  },
} as const satisfies Record<string, Setting>;
