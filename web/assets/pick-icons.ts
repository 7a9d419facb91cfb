/**
 * Writes icons.ts with only the octicons this site uses. Run after changing the list:
 *
 *   bun web/assets/pick-icons.ts
 */
import octicons from "@primer/octicons/build/data.json";

const WANTED = [
  "alert",
  "archive",
  "arrow-down",
  "arrow-left",
  "arrow-up",
  "bell",
  "bell-slash",
  "blocked",
  "bold",
  "bookmark",
  "calendar",
  "check",
  "check-circle",
  "chevron-down",
  "chevron-left",
  "chevron-right",
  "clock",
  "code",
  "columns",
  "comment",
  "copy",
  "database",
  "device-desktop",
  "diff-added",
  "diff-modified",
  "diff-removed",
  "diff-renamed",
  "download",
  "eye",
  "file",
  "file-binary",
  "file-directory-fill",
  "file-submodule",
  "file-symlink-file",
  "file-zip",
  "fold-down",
  "fold-up",
  "gear",
  "git-branch",
  "git-commit",
  "git-compare",
  "git-merge",
  "git-pull-request",
  "git-pull-request-closed",
  "git-pull-request-draft",
  "hash",
  "heading",
  "history",
  "home",
  "info",
  "issue-closed",
  "issue-opened",
  "issue-reopened",
  "italic",
  "kebab-horizontal",
  "key",
  "law",
  "link",
  "list-ordered",
  "list-unordered",
  "location",
  "lock",
  "mail",
  "milestone",
  "moon",
  "organization",
  "package",
  "paperclip",
  "pencil",
  "people",
  "person",
  "pin",
  "play",
  "plus",
  "project",
  "pulse",
  "quote",
  "repo",
  "repo-forked",
  "repo-push",
  "repo-template",
  "rows",
  "search",
  "shield-lock",
  "sidebar-collapse",
  "sign-in",
  "sign-out",
  "smiley",
  "square-fill",
  "star",
  "star-fill",
  "stop",
  "stopwatch",
  "sun",
  "sync",
  "tag",
  "tasklist",
  "three-bars",
  "trash",
  "triangle-down",
  "unfold",
  "upload",
  "webhook",
  "x",
] as const;

interface Octicon {
  heights: Record<string, { path: string } | undefined>;
}
const all: Record<string, Octicon | undefined> = octicons;
const lines = WANTED.map((name) => {
  const drawn = all[name]?.heights["16"]?.path;
  if (!drawn) throw new Error(`no 16 px octicon is called ${name}`);
  const path = [...drawn.matchAll(/ d="([^"]+)"/g)].map((match) => match[1]).join("");
  return `  ${/^[a-z]+$/.test(name) ? name : JSON.stringify(name)}:\n    ${JSON.stringify(path)},`;
});

await Bun.write(
  new URL("./icons.ts", import.meta.url),
  `/** Drawn by pick-icons.ts from @primer/octicons (MIT, GitHub): SVG path data on a 16 by 16 grid. */
export const ICONS = {
${lines.join("\n")}
} as const;

export type IconName = keyof typeof ICONS;
`,
);
