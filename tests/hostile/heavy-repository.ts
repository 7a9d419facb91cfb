import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git, removeFolder } from "../executable/process.ts";
import type { Target } from "./attack.ts";
import { type NewRef, push, pushBody, remoteOf } from "./raw-push.ts";

/** Where the stranger's repository of everything that is large lies. */
export const HEAVY = "heavy";

const REFS = 4_900;
const WIDE = 50_000;

const repeated = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join("");

/** Files that are read where a page or an answer is made. */
const FILES: Readonly<Record<string, () => string>> = {
  "README.md": () =>
    repeated(
      9_000,
      (at) => `## Part ${at}\n\n* [a](b) *c* \`d\` #${at} @stranger ${at.toString(16).padStart(40, "0")}\n\n`,
    ),
  ".editorconfig": () => `root = true\n${repeated(20_000, (at) => `[{a,b,c}*.${at}]\nindent_size = ${at}\n`)}`,
  ".gitmodules": () =>
    repeated(8_000, (at) => `[submodule "m${at}"]\n\tpath = m${at}\n\turl = https://example.org/${at}\n`),
  ".mailmap": () => repeated(20_000, (at) => `Name ${at} <n${at}@example.org> <old${at}@example.org>\n`),
  ".gitattributes": () => repeated(9_000, (at) => `*.${at} linguist-language=C diff=cpp -text\n`),
  LICENSE: () => repeated(20_000, (at) => `${at} permission is hereby granted, free of charge\n`),
  "lines.txt": () => repeated(100_000, (at) => `${at} of many lines\n`),
  "long.ts": () => `const a = [${repeated(60_000, (at) => `{ b: "${at}" }, `)}];\n`,
  "table.csv": () => repeated(60_000, (at) => `${at},"a ""quoted"" cell",${at}\n`),
  "page.html": () => repeated(60_000, (at) => `<p onclick="x">${at}</p>\n`),
  [`${"d/".repeat(500)}deep.txt`]: () => "deep\n",
};

/** The paths of its largest things, as a part of an address names them. */
export const heavyPaths: readonly string[] = [
  "",
  "wide",
  ...Object.keys(FILES).filter((path) => !path.includes("/")),
  `${"d/".repeat(499)}d`,
];

/** Pushes it. @returns the id of the commit of the longest message */
export async function pushHeavyRepository(target: Target): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "hearth-heavy-"));
  try {
    await git(folder, "init", "-q", "--bare", ".");
    const stream: string[] = [];
    const who = "A <a@example.org> 1700000000 +0000";
    const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
    stream.push("blob\nmark :1\n", data("small\n"));
    stream.push(`commit refs/heads/main\nmark :2\nauthor ${who}\ncommitter ${who}\n`, data("First\n"));
    for (const [path, text] of Object.entries(FILES)) stream.push(`M 100644 inline ${path}\n`, data(text()));
    for (let at = 0; at < WIDE; at++) stream.push(`M 100644 :1 wide/${at}.txt\n`);
    // What a page shows of a commit, and what it compares.
    stream.push(`commit refs/heads/main\nmark :3\nauthor ${who}\ncommitter ${who}\n`);
    stream.push(data(`Long\n\n${repeated(20_000, (at) => `${at} #${at} @stranger https://example.org/${at}\n`)}`));
    stream.push("from :2\nM 100644 inline lines.txt\n", data(repeated(100_000, (at) => `${at} of other lines\n`)));
    const importing = Bun.spawn(["git", "fast-import", "--quiet"], {
      cwd: folder,
      stdin: new Blob(stream),
      stderr: "inherit",
    });
    if ((await importing.exited) !== 0) throw new Error("git fast-import failed");
    await git(folder, "push", "-q", "-o", "repo.private=false", remoteOf(target, target.stranger, HEAVY), "main");
    const [first = "", last = ""] = (await git(folder, "rev-parse", "main^", "main")).split("\n");
    const refs = Array.from({ length: REFS }, (_, at): NewRef[] => [
      [`refs/heads/b/${at}`, first],
      [`refs/tags/t/${at}`, last],
    ]);
    const answer = await push(target, target.stranger, HEAVY, pushBody(refs.flat()));
    if (!answer.text.includes(`ok refs/tags/t/${REFS - 1}`))
      throw new Error(`the refs were refused: ${answer.text.slice(0, 200)}`);
    return last;
  } finally {
    removeFolder(folder);
  }
}
