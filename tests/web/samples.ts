/** Props with everything a view can show, for the gallery and for the tests of the views. */
import { fenceColours, highlightLines } from "../../src/markup/highlighter.ts";
import { render } from "../../src/markup/renderer.ts";
import { withoutMarks } from "../../src/references/marks.ts";
import { contributionsOf } from "../../web/area.ts";
import { WEB_AREAS } from "../../web/areas.ts";
import type { DiffLine, FileDiff } from "../../web/components/diff-types.ts";
import type { CommitSummary } from "../../web/content/commit-line.tsx";
import type { FileListEntry } from "../../web/content/file-list.tsx";
import type { Activity } from "../../web/home/activity.tsx";
import type { SafeHtml } from "../../web/jsx/raw.ts";
import type { RepoFrameProps } from "../../web/layout/repo-frame.tsx";
import type { Shell } from "../../web/layout/shell.tsx";
import type { RepoListItem } from "../../web/repos/repo-list.tsx";

export const NOW = Date.UTC(2026, 10, 21, 20, 0);
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
/** What must never come out as markup. */
export const EVIL = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;

export const shell: Shell = {
  contributions: contributionsOf(WEB_AREAS),
  headerCounts: new Map(),
  site: {
    name: "Hearth",
    rootUrl: "https://git.example.org",
    version: "0.1.0",
    registrationOpen: true,
    banner: "",
    hasApiDocument: true,
  },
  viewer: { name: "ada", fullName: "Ada Lovelace", isSiteAdmin: true },
  theme: "auto",
  path: "/",
};
export const visitor: Shell = { ...shell, viewer: null, path: "/ada/engine" };

export const ada = { name: "Ada Lovelace", href: "/ada" };
export const grace = { name: "Grace Hopper", href: "/grace" };
export const outsider = { name: "Someone Else" };

const hex = (seed: number) => new Bun.CryptoHasher("sha1").update(String(seed)).digest("hex");

export const repo: RepoFrameProps = {
  owner: "ada",
  name: "engine",
  visibility: "private",
  description: "An analytical engine: loops, branches and a store, in brass and punched cards.",
  isEmpty: false,
  defaultBranch: "main",
  openItems: { issues: 12, pulls: 3 },
  counts: { commits: 12_345, branches: 14, tags: 31, releases: 3 },
  cloneUrls: { http: "https://git.example.org/ada/engine.git", ssh: "ssh://git@git.example.org/ada/engine.git" },
  may: { write: true, propose: true, administer: true },
};

const SUBJECTS = [
  "Carry digits without a second pass over the columns",
  "Explain why the mill stops between cards",
  "Note G: compute the Bernoulli numbers, and a subject line that goes on for rather longer than anybody would like it to",
  "Fix the off-by-one in the store's addressing",
  "Merge branch 'variables' into main",
  "Draw the cards with the holes on the right side",
];

export function commit(at: number, overrides: Partial<CommitSummary> = {}): CommitSummary {
  return {
    sha: hex(at),
    subject: SUBJECTS[at % SUBJECTS.length] ?? "",
    body: at % 3 === 0 ? "The first pass left a carry behind when all columns were nines.\n\nFixes #12." : "",
    author: [ada, grace, outsider][at % 3] ?? ada,
    committer: at % 5 === 0 ? grace : undefined,
    at: NOW - at * 7 * HOUR,
    tags: at === 2 ? ["v1.2.0"] : undefined,
    ...overrides,
  };
}

const NAMES = [
  ".hearth",
  "docs",
  "src/mill/columns",
  "tests",
  ".editorconfig",
  ".gitignore",
  "LICENSE",
  "Makefile",
  "README.md",
  "engine.ts",
  "package.json",
];

export function entries(count = NAMES.length): FileListEntry[] {
  const plain = Array.from({ length: count }, (_, at): FileListEntry => {
    const name = NAMES[at] ?? `card-${String(at).padStart(4, "0")}.txt`;
    const last = commit(at);
    return { name, kind: at < 4 ? "dir" : "file", last: { sha: last.sha, subject: last.subject, at: last.at } };
  });
  return [
    ...plain.slice(0, 4),
    { name: "vendor", kind: "submodule", target: hex(99), targetHref: "/vendor/cards/src/commit/1" },
    { name: "current", kind: "symlink", target: "engine.ts" },
    ...plain.slice(4),
  ];
}

export const refs = {
  branches: ["main", "develop", "feature/bernoulli-numbers", "fix/carry"],
  tags: ["v1.2.0", "v1.1.0", "v1.0.0"],
  hasMore: false,
};

export const repos: RepoListItem[] = [
  {
    owner: "ada",
    name: "engine",
    visibility: "private",
    description: repo.description,
    updatedAt: NOW - HOUR,
    language: { name: "TypeScript", colour: "#3178c6" },
  },
  {
    owner: "ada",
    name: "notes",
    visibility: "public",
    description: "Notes on the translation of Menabrea's memoir.",
    updatedAt: NOW - 3 * DAY,
  },
  {
    owner: "grace",
    name: "compiler",
    visibility: "public",
    description: "",
    updatedAt: NOW - 40 * DAY,
    isFork: true,
    language: { name: "COBOL", colour: "#005ca5" },
  },
  {
    owner: "grace",
    name: "nanoseconds",
    visibility: "internal",
    description: "A bundle of wires, each 29.98 cm long.",
    updatedAt: NOW - 400 * DAY,
    isArchived: true,
  },
];

export const activity: Activity[] = [
  {
    principal: { name: "ada", href: "/ada" },
    repo,
    at: NOW - 2 * HOUR,
    event: {
      kind: "push",
      branch: "main",
      total: 7,
      commits: [1, 2, 3].map((at) => ({ sha: hex(at), subject: commit(at).subject })),
      compareHref: "/ada/engine/compare/a...b",
    },
  },
  {
    principal: { name: "grace", href: "/grace" },
    repo: { owner: "grace", name: "compiler" },
    at: NOW - DAY,
    event: { kind: "fork-repo" },
  },
  { principal: { name: "ada", href: "/ada" }, repo, at: NOW - 2 * DAY, event: { kind: "create-tag", tag: "v1.2.0" } },
  {
    principal: { name: "grace", href: "/grace" },
    repo,
    at: NOW - 5 * DAY,
    event: { kind: "delete-branch", branch: "wip/cards" },
  },
  {
    principal: { name: "ada", href: "/ada" },
    repo: { owner: "ada", name: "notes" },
    at: NOW - 30 * DAY,
    event: { kind: "create-repo" },
  },
];

export const languages = [
  { name: "TypeScript", share: 71.4, colour: "#3178c6" },
  { name: "CSS", share: 14.2, colour: "#663399" },
  { name: "Shell", share: 9.1, colour: "#89e051" },
  { name: "Other", share: 5.3, colour: "#8b949e" },
];

const context = (text: string, oldNo: number, newNo: number): DiffLine => ({ kind: "context", text, oldNo, newNo });

export const files: FileDiff[] = [
  {
    oldPath: "src/mill/columns.ts",
    newPath: "src/mill/columns.ts",
    status: "modified",
    oldMode: "100644",
    newMode: "100644",
    oldOid: hex(1),
    newOid: hex(2),
    binary: false,
    tooLarge: false,
    additions: 3,
    deletions: 2,
    hunks: [
      {
        oldStart: 10,
        oldLines: 6,
        newStart: 10,
        newLines: 7,
        heading: "export function carry(columns: number[]): number[] {",
        lines: [
          context("  const out = [...columns];", 10, 10),
          {
            kind: "del",
            text: "  for (let at = 0; at < out.length; at++) {",
            oldNo: 11,
            marks: [
              [14, 15],
              [21, 31],
            ],
          },
          {
            kind: "add",
            text: "  for (let at = out.length - 1; at >= 0; at--) {",
            newNo: 11,
            marks: [
              [16, 30],
              [35, 39],
            ],
          },
          context("    if (out[at] < 10) continue;", 12, 12),
          { kind: "del", text: "    out[at] -= 10;", oldNo: 13 },
          { kind: "add", text: "    out[at] = (out[at] ?? 0) - 10; // <script>alert(1)</script>", newNo: 13 },
          { kind: "add", text: "    out[at - 1] = (out[at - 1] ?? 0) + 1;", newNo: 14 },
          context("  }", 14, 15),
          { kind: "context", text: "  return out;", oldNo: 15, newNo: 16, noNewline: true },
        ],
      },
    ],
  },
  {
    oldPath: "docs/old-name-of-a-rather-long-document.md",
    newPath: "docs/notes/new-name.md",
    status: "renamed",
    oldMode: "100644",
    newMode: "100755",
    oldOid: hex(3),
    newOid: hex(3),
    similarity: 97,
    binary: false,
    tooLarge: false,
    additions: 0,
    deletions: 0,
    hunks: [],
  },
  {
    oldPath: "cards/hole.png",
    newPath: "cards/hole.png",
    status: "added",
    oldMode: "0",
    newMode: "100644",
    oldOid: "",
    newOid: hex(4),
    binary: true,
    tooLarge: false,
    additions: 0,
    deletions: 0,
    hunks: [],
  },
  {
    oldPath: "cards/all.txt",
    newPath: "cards/all.txt",
    status: "deleted",
    oldMode: "100644",
    newMode: "0",
    oldOid: hex(5),
    newOid: "",
    binary: false,
    tooLarge: false,
    additions: 0,
    deletions: 1200,
    hunks: [
      {
        oldStart: 1,
        oldLines: 1200,
        newStart: 0,
        newLines: 0,
        heading: "",
        lines: Array.from({ length: 1200 }, (_, at): DiffLine => ({ kind: "del", text: `card ${at}`, oldNo: at + 1 })),
      },
    ],
  },
];

export const source = `/** Carries tens through the columns, from the lowest to the highest. */
export function carry(columns: number[]): number[] {
\tconst out = [...columns];
\tfor (let at = out.length - 1; at >= 0; at--) {
\t\tif ((out[at] ?? 0) < 10) continue;
\t\tout[at] = (out[at] ?? 0) - 10;

\t\tout[at - 1] = (out[at - 1] ?? 0) + 1; // the next column takes it
\t}
\treturn out;
}
`;

export function sourceLines(repeat = 12): readonly SafeHtml[] {
  return highlightLines(source.repeat(repeat), { fileName: "columns.ts" }).lines;
}

const README = `# Engine

Weaves *algebraical patterns* just as the Jacquard loom weaves flowers and leaves. See [the docs](docs) or www.example.org.

\`\`\`sh
bun install   # once
bun run engine --cards notes/G.txt
\`\`\`

- [x] store
- [ ] mill

> [!NOTE]
> The engine has no pretensions to originate anything.

| Card | Does |
|---:|:---|
| 1 | Multiply |
| 2 | Carry |

## How it works

1. Columns hold digits[^1].
2. Cards say what to do with \`columns\`.

> A new, a vast, and a powerful language is developed.

[^1]: Up to fifty.
`;

export const readmeHtml = withoutMarks(
  render(
    README,
    { links: { kind: "file", repo, at: { kind: "branch", name: "main" }, directory: "" } },
    { colour: fenceColours() },
  ),
  () => undefined,
);
