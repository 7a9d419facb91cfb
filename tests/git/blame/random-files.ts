import { random } from "../../random.ts";
import { git } from "../objects/real-git.ts";

const WORDS = [
  "if (ready)",
  "return",
  "}",
  "",
  "    call(this);",
  "\tnext();",
  "// why",
  "let sum = 0;",
  "sum += item;",
];

export interface FileHistory {
  readonly commits: number;
  readonly seed: number;
  /** Clocks go backwards at times. */
  readonly skewed?: boolean;
}

/**
 * Makes the bare repository `dir` with branches whose few files are edited, reindented, cut and shuffled, renamed,
 * copied and merged; one name is not ASCII, one author has a name in another encoding, one file lacks its last newline.
 */
export function randomFiles(dir: string, { commits, seed, skewed = false }: FileHistory): void {
  const next = random(seed);
  const pick = (n: number) => Math.floor(next() * n);
  git(["init", "-q", "--bare", "-b", "main", dir]);
  const script: Buffer[] = [];
  const say = (text: string) => script.push(Buffer.from(text));
  const branches = ["main", "side", "other"];
  const tips = new Map<string, { mark: number; files: Map<string, string[]> }>();
  let time = 1_600_000_000;
  for (let mark = 1; mark <= commits; mark++) {
    const branch = branches[mark < 3 ? 0 : pick(3)]!;
    const tip = tips.get(branch) ?? tips.get("main");
    time += [60, 3600, 90_000, skewed ? -4000 : 0][pick(4)]!;
    say(`commit refs/heads/${branch}\nmark :${mark}\n`);
    const author = ["Ada Lovelace <ada@example.org>", "Grace <grace@example.org>", "Jörg Müller <j@example.org>"][
      pick(3)
    ]!;
    say(
      `author ${author} ${time - 30} ${["+0000", "-0330", "+0200"][pick(3)]}\ncommitter C O <c@example.org> ${time} +0100\n`,
    );
    const message = `change ${mark}\n\nbody\n`;
    say(`data ${message.length}\n${message}`);
    let files = new Map<string, string[]>();
    if (tip) {
      say(`from :${tip.mark}\n`);
      files = new Map([...tip.files].map(([name, lines]) => [name, [...lines]]));
      const merged = [...tips.values()].find((other) => other.mark !== tip.mark);
      if (merged && next() < 0.3) {
        say(`merge :${merged.mark}\n`);
        for (const [name, lines] of merged.files) if (next() < 0.5) files.set(name, [...lines]);
      }
    } else {
      for (const name of ["src/main.c", "doc/ä b.txt"]) files.set(name, newLines(pick, 60 + pick(60)));
    }
    for (let edits = 1 + pick(3); edits > 0; edits--) editFiles(files, pick, mark);
    say("deleteall\n");
    for (const [name, lines] of files) {
      const text = Buffer.from(lines.join("\n") + (name.startsWith("doc") ? "" : "\n"));
      say(`M 100644 inline ${name}\ndata ${text.length}\n`);
      script.push(text);
      say("\n");
    }
    tips.set(branch, { mark, files });
  }
  git(["-C", dir, "fast-import", "--quiet", "--force"], { input: Buffer.concat(script) });
}

function newLines(pick: (n: number) => number, count: number): string[] {
  return Array.from({ length: count }, () =>
    pick(3) === 0 ? WORDS[pick(WORDS.length)]! : `line ${pick(500)} of text;`,
  );
}

function editFiles(files: Map<string, string[]>, pick: (n: number) => number, mark: number): void {
  const names = [...files.keys()];
  const name = names[pick(names.length)]!;
  const lines = files.get(name)!;
  const at = pick(lines.length + 1);
  switch (pick(9)) {
    case 0:
      files.delete(name);
      files.set(`src/moved-${pick(5)}.c`, lines);
      break;
    case 1:
      files.set(`copy-${pick(4)}`, [...lines, ...newLines(pick, pick(6))]);
      break;
    case 2:
      for (let i = at; i < Math.min(lines.length, at + 6); i++) lines[i] = `  ${lines[i]!.trimStart()}`;
      break;
    case 3: {
      const cut = lines.splice(at, pick(12));
      lines.splice(pick(lines.length + 1), 0, ...cut);
      break;
    }
    case 4: {
      const from = files.get(names[pick(names.length)]!)!;
      lines.splice(at, 0, ...from.slice(pick(from.length)).slice(0, 8));
      break;
    }
    case 5:
      if (lines.length > 30) lines.splice(at, pick(8));
      break;
    case 6:
      for (let i = at; i < Math.min(lines.length, at + 4); i++) lines[i] = lines[i]!.replace("line", `line${mark % 7}`);
      break;
    default:
      lines.splice(at, pick(4), ...newLines(pick, 1 + pick(5)));
  }
}
