import { random } from "../../random.ts";
import { git, gitText } from "../objects/real-git.ts";

const NAMES = [
  "a.txt",
  "b.txt",
  "dir/c.c",
  "dir/d e.c",
  "dir/sub/x",
  "dir/sub/y",
  "ü/ö.md",
  'q"uote\\',
  "tab\there",
  "z",
];
const WORDS = [
  "alpha",
  "beta",
  "{",
  "}",
  "",
  "    return x;",
  "\tif (y) {",
  "int main(void)",
  "void f(int a)",
  "end",
  "ü",
  "\r",
];

interface File {
  mode: string;
  data: Buffer;
}

/**
 * Makes a bare repository with a line of commits whose files change in every way a diff must show: edits, renames with
 * and without edits, modes, links, submodules, binary data, missing newlines, odd names, files that become folders.
 * Answers the commits, oldest first.
 */
export function randomTrees(dir: string, commits: number, seed: number): string[] {
  const next = random(seed);
  const pick = (n: number) => Math.floor(next() * n);
  const word = () => (next() < 0.5 ? WORDS[pick(WORDS.length)]! : `line ${pick(400)}`);
  const text = (lines: string[]) =>
    Buffer.from(
      lines
        .map((line) => `${line}\n`)
        .join("")
        .slice(0, next() < 0.2 ? -1 : undefined),
    );
  const edit = (data: Buffer): Buffer => {
    const lines = data.toString().split("\n").slice(0, -1);
    for (let i = pick(6); i >= 0; i--) {
      const at = pick(lines.length + 1);
      const how = next();
      if (how < 0.4) lines.splice(at, 0, ...Array.from({ length: 1 + pick(5) }, word));
      else if (how < 0.7) lines.splice(at, 1 + pick(4));
      else if (how < 0.8) lines.splice(pick(lines.length + 1), 0, ...lines.splice(at, 4));
      else if (at < lines.length) lines[at] = `${lines[at]} ${word()}`;
    }
    return text(lines);
  };
  git(["init", "-q", "--bare", "-b", "main", dir]);
  const files = new Map<string, File>();
  const script: Buffer[] = [];
  for (let mark = 1; mark <= commits; mark++) {
    for (let i = pick(5); i >= 0; i--) {
      const path = NAMES[pick(NAMES.length)]!;
      const file = files.get(path);
      const how = next();
      const bytes = Buffer.from(Array.from({ length: pick(300) }, () => pick(256)));
      const link = { mode: "120000", data: Buffer.from(`target ${pick(9)}`) };
      if (!file || how < 0.05) files.set(path, { mode: "100644", data: text(Array.from({ length: pick(60) }, word)) });
      else if (how < 0.45 && file.mode.startsWith("100")) file.data = edit(file.data);
      else if (how < 0.55) files.delete(path);
      else if (how < 0.6 && file.mode.startsWith("100")) file.mode = file.mode === "100644" ? "100755" : "100644";
      else if (how < 0.65) files.set(path, link);
      else if (how < 0.7)
        files.set(path, {
          mode: "160000",
          data: Buffer.from("0123456789abcdef0123456789abcdef0123456".concat(String(pick(9)))),
        });
      else if (how < 0.78) files.set(path, { mode: "100644", data: Buffer.concat([Buffer.from("x\0"), bytes]) });
      else if (how < 0.9) {
        const to = next() < 0.5 ? `moved/${path.split("/").at(-1)}` : `new${pick(5)}`;
        files.set(to, next() < 0.5 || !file.mode.startsWith("100") ? file : { ...file, data: edit(file.data) });
        files.delete(path);
      }
    }
    // Sometimes a file gives way to a folder of its name, and back.
    if (next() < 0.1 && files.has("z")) {
      files.delete("z");
      files.set("z/file", { mode: "100644", data: Buffer.from("in a folder\n") });
    } else if (files.has("z")) files.delete("z/file");
    script.push(Buffer.from(`commit refs/heads/main\nmark :${mark}\nauthor Ä Ö <a@x> ${1_600_000_000 + mark} +0130\n`));
    script.push(
      Buffer.from(
        `committer C <c@x> ${1_600_000_000 + mark} +0000\ndata <<EOM\nChange ${mark} ünd\n more\n\nBody ${mark} ö\n\nEnd.\nEOM\n`,
      ),
    );
    if (mark > 1) script.push(Buffer.from(`from :${mark - 1}\n`));
    script.push(Buffer.from("deleteall\n"));
    for (const [path, { mode, data }] of files) {
      const quoted = `"${path.replace(/["\\]/g, "\\$&").replace(/\t/g, "\\t")}"`;
      if (mode === "160000") script.push(Buffer.from(`M 160000 ${data.toString()} ${quoted}\n`));
      else script.push(Buffer.from(`M ${mode} inline ${quoted}\ndata ${data.length}\n`), data, Buffer.from("\n"));
    }
    script.push(Buffer.from("\n"));
  }
  git(["-C", dir, "fast-import", "--quiet", "--force"], { input: Buffer.concat(script) });
  return gitText(["-C", dir, "rev-list", "--reverse", "main"]).split("\n");
}
