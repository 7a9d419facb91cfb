import { random } from "../../random.ts";
import { git } from "../objects/real-git.ts";

/** Two branches to be merged, by name. */
export interface Case {
  readonly ours: string;
  readonly theirs: string;
}

interface File {
  readonly mode: "100644" | "100755" | "120000" | "160000";
  /** Bytes as latin1 text; the id of a commit for a submodule. */
  readonly content: string;
}

type Tree = Map<string, File>;

const FOLDERS = ["", "a", "b", "a/b", "a/c", "d", "d/e", "a/b/c"];
const NAMES = ["f", "g", "h", "x", "y~z", "ä"];
const WORDS = ["alpha", "beta", "gamma", "delta", "", "}", "{", "return", "end"];

/**
 * Makes a repository full of small histories in which everything happens that makes merging hard: renames of files and
 * folders on both sides, criss-cross merges, files that become folders, links, submodules, modes, binary files.
 */
export function makeNastyHistories(
  dir: string,
  seed: number,
  count: number,
  format: "sha1" | "sha256" = "sha1",
): Case[] {
  git(["init", "-q", "--bare", `--object-format=${format}`, dir]);
  const writer = new HistoryWriter(seed, format === "sha1" ? 40 : 64);
  const cases = Array.from({ length: count }, (_, i) => writer.addCase(i));
  git(["-C", dir, "fast-import", "--quiet", "--force"], { input: Buffer.from(writer.text(), "latin1") });
  return cases;
}

class HistoryWriter {
  private readonly out: string[] = [];
  private readonly next: () => number;
  private marks = 0;

  constructor(
    seed: number,
    private readonly oidDigits: number,
  ) {
    this.next = random(seed);
  }

  text(): string {
    return this.out.join("");
  }

  addCase(index: number): Case {
    const ours = `c${index}/ours`;
    const theirs = `c${index}/theirs`;
    const scratch = `c${index}/base`;
    const tree = this.startingTree();
    const unrelated = this.chance(0.02);
    const base = this.commit(scratch, tree, []);
    let left = { mark: base, tree };
    let right = { mark: unrelated ? this.commit(`c${index}/other`, this.startingTree(), []) : base, tree };
    for (let rounds = this.chance(0.25) ? 1 + this.pick(2) : 0; rounds > 0; rounds--) {
      const a = this.changed(scratch, left.tree, [left.mark], 2);
      const b = this.changed(scratch, right.tree, [right.mark], 2);
      left = this.changed(scratch, this.mixed(a.tree, b.tree), [a.mark, b.mark], 1);
      right = this.changed(scratch, this.mixed(b.tree, a.tree), [b.mark, a.mark], 1);
    }
    this.changed(ours, left.tree, [left.mark], 4);
    this.changed(theirs, right.tree, [right.mark], 4);
    return { ours, theirs };
  }

  private changed(branch: string, from: Tree, parents: readonly number[], most: number): { mark: number; tree: Tree } {
    const tree = new Map(from);
    for (let left = 1 + this.pick(most); left > 0; left--) this.change(tree);
    return { mark: this.commit(branch, tree, parents), tree };
  }

  private commit(branch: string, tree: Tree, parents: readonly number[]): number {
    const mark = ++this.marks;
    const time = 1_600_000_000 + mark * 7;
    this.out.push(`commit refs/heads/${branch}\nmark :${mark}\ncommitter C <c@example.org> ${time} +0000\ndata 0\n`);
    if (parents.length > 0) this.out.push(`from :${parents[0]}\n`);
    for (const parent of parents.slice(1)) this.out.push(`merge :${parent}\n`);
    this.out.push("deleteall\n");
    for (const [path, { mode, content }] of tree) {
      const name = Buffer.from(path, "utf8").toString("latin1");
      if (mode === "160000") this.out.push(`M ${mode} ${content} ${name}\n`);
      else this.out.push(`M ${mode} inline ${name}\ndata ${content.length}\n${content}\n`);
    }
    this.out.push("\n");
    return mark;
  }

  private startingTree(): Tree {
    const tree: Tree = new Map();
    for (let left = 3 + this.pick(9); left > 0; left--) put(tree, this.path(), this.file());
    return tree;
  }

  /** Most of one tree, some of another: what a person may have made of a merge. */
  private mixed(tree: Tree, other: Tree): Tree {
    const mixed = new Map(tree);
    for (const [path, file] of other) if (this.chance(0.4)) put(mixed, path, file);
    return mixed;
  }

  private change(tree: Tree): void {
    const path = this.anyOf([...tree.keys()]) ?? this.path();
    const file = tree.get(path) ?? this.file();
    const kind = this.next();
    if (kind < 0.3) put(tree, path, this.edited(file));
    else if (kind < 0.45) {
      tree.delete(path);
      put(tree, this.path(), this.chance(0.6) ? file : this.edited(file));
    } else if (kind < 0.62) this.renameFolder(tree);
    else if (kind < 0.72) put(tree, this.path(), this.file());
    else if (kind < 0.8) tree.delete(path);
    else if (kind < 0.85) put(tree, path, { ...file, mode: file.mode === "100644" ? "100755" : "100644" });
    else if (kind < 0.9) put(tree, path, this.file());
    else if (kind < 0.95) put(tree, `${path}/${this.anyOf(NAMES)}`, this.chance(0.5) ? file : this.file());
    else {
      const folder = this.anyOf(FOLDERS.slice(1))!;
      if (this.chance(0.5)) put(tree, folder, this.file());
      else for (const inside of [...tree.keys()]) if (inside.startsWith(`${folder}/`)) tree.delete(inside);
    }
    if (tree.size === 0) put(tree, "f", this.file());
  }

  private renameFolder(tree: Tree): void {
    const folder = this.anyOf(FOLDERS.slice(1))!;
    const target = this.chance(0.5) ? this.anyOf(FOLDERS)! : this.anyOf(["n", "n/m", "a/n"])!;
    for (const [path, file] of [...tree]) {
      if (!path.startsWith(`${folder}/`) || this.chance(0.1)) continue;
      tree.delete(path);
      put(tree, join(target, path.slice(folder.length + 1)), this.chance(0.85) ? file : this.edited(file));
    }
    if (this.chance(0.3)) put(tree, join(target, this.anyOf(NAMES)!), this.file());
  }

  private path(): string {
    return join(this.anyOf([...FOLDERS, "n"])!, this.anyOf(NAMES)!);
  }

  private file(): File {
    const kind = this.next();
    if (kind < 0.05) return { mode: "120000", content: `to/${this.anyOf(WORDS)}${this.pick(3)}` };
    if (kind < 0.09) return { mode: "160000", content: String(this.pick(9) + 1).repeat(this.oidDigits) };
    if (kind < 0.13) return { mode: "100644", content: `\0binary ${this.pick(1000)}\n${this.lines(5).join("\n")}` };
    if (kind < 0.15) return { mode: "100644", content: "" };
    const newline = this.chance(0.1) ? "\r\n" : "\n";
    const text = this.lines(4 + this.pick(24)).join(newline) + (this.chance(0.9) ? newline : "");
    return { mode: this.chance(0.9) ? "100644" : "100755", content: text };
  }

  private edited(file: File): File {
    if (file.mode === "160000") return { ...file, content: String(this.pick(9) + 1).repeat(this.oidDigits) };
    if (file.mode === "120000") return { ...file, content: `${file.content}${this.pick(9)}` };
    const lines = file.content.split("\n");
    for (let left = 1 + this.pick(3); left > 0; left--) {
      const at = this.pick(lines.length);
      lines.splice(at, this.pick(3), ...this.lines(this.pick(3)));
    }
    return { ...file, content: lines.join("\n") };
  }

  private lines(count: number): string[] {
    return Array.from({ length: count }, () =>
      this.chance(0.3) ? this.anyOf(WORDS)! : `${this.anyOf(WORDS)} ${this.pick(40)} ${this.anyOf(WORDS)}`,
    );
  }

  private anyOf<T>(items: readonly T[]): T | undefined {
    return items[this.pick(items.length)];
  }

  private pick(below: number): number {
    return Math.floor(this.next() * below);
  }

  private chance(part: number): boolean {
    return this.next() < part;
  }
}

function join(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Puts a file somewhere; what cannot be there beside it goes. */
function put(tree: Tree, path: string, file: File): void {
  for (const other of [...tree.keys()])
    if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) tree.delete(other);
  tree.set(path, file);
}
