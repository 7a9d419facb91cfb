import { commonName, isDevNull, isEpoch, nameOn, traditionalName } from "./names.ts";
import { type FilePatch, MalformedPatch } from "./patch.ts";
import type { PatchText } from "./text.ts";

/**
 * Reads a file header in git's format: `diff --git` and extended header lines up to the first hunk, or to any other
 * line. The text is positioned at `diff --git`.
 * @param strip number of leading components stripped from names
 * @param patch filled in; as in git, leftovers of an earlier header that came to nothing remain in it
 * @returns false if nothing follows that line
 * @throws MalformedPatch
 */
export function gitHeader(text: PatchText, strip: number, patch: FilePatch): boolean {
  return new GitHeader(text, strip, patch).read();
}

type Take = (rest: string) => void;

class GitHeader {
  private readonly commonName: string | undefined;
  private extensionLine = 0;
  /** The line number that git reports for most errors in a header. */
  private readonly number: number;
  private readonly takers: readonly (readonly [start: string, take: Take])[];

  constructor(
    private readonly text: PatchText,
    private readonly strip: number,
    private readonly patch: FilePatch,
  ) {
    this.commonName = commonName(text.line().slice("diff --git ".length), strip);
    this.number = text.number + 1;
    patch.isNew = false;
    patch.isDelete = false;
    const less = Math.max(0, strip - 1);
    this.takers = [
      ["--- ", (rest) => this.checkName("old", rest)],
      ["+++ ", (rest) => this.checkName("new", rest)],
      ["old mode ", (rest) => this.takeMode("oldMode", rest)],
      ["new mode ", (rest) => this.takeMode("newMode", rest)],
      [
        "deleted file mode ",
        (rest) => {
          patch.isDelete = true;
          patch.oldName = this.commonName;
          this.takeMode("oldMode", rest);
        },
      ],
      [
        "new file mode ",
        (rest) => {
          patch.isNew = true;
          patch.newName = this.commonName;
          this.takeMode("newMode", rest);
        },
      ],
      ["copy from ", (rest) => this.takeSource("isCopy", rest, less)],
      ["copy to ", (rest) => this.takeTarget("isCopy", rest, less)],
      ["rename old ", (rest) => this.takeSource("isRename", rest, less)],
      ["rename new ", (rest) => this.takeTarget("isRename", rest, less)],
      ["rename from ", (rest) => this.takeSource("isRename", rest, less)],
      ["rename to ", (rest) => this.takeTarget("isRename", rest, less)],
      ["similarity index ", () => {}],
      ["dissimilarity index ", () => {}],
      ["index ", (rest) => this.takeIds(rest)],
    ];
  }

  read(): boolean {
    const { text, patch } = this;
    text.skipLine();
    let lines = 0;
    for (; !text.atEnd; text.skipLine(), lines++) {
      const line = text.line();
      if (!line.endsWith("\n") || line.startsWith("@@ -")) break;
      const taker = this.takers.find(([start]) => line.startsWith(start));
      if (!taker) break;
      taker[1](line.slice(taker[0].length));
      this.checkExtensions();
    }
    if (patch.oldName === undefined && patch.newName === undefined) {
      if (this.commonName === undefined) {
        const components = `${this.strip} leading pathname component${this.strip === 1 ? "" : "s"}`;
        throw new MalformedPatch(
          `git diff header lacks filename information when removing ${components} (line ${text.number})`,
        );
      }
      patch.oldName = this.commonName;
      patch.newName = this.commonName;
    }
    if ((patch.newName === undefined && !patch.isDelete) || (patch.oldName === undefined && !patch.isNew))
      throw new MalformedPatch(`git diff header lacks filename information (line ${text.number})`);
    return lines > 0;
  }

  private checkName(side: "old" | "new", rest: string): void {
    const { patch } = this;
    const key = side === "old" ? "oldName" : "newName";
    const isNull = side === "old" ? patch.isNew : patch.isDelete;
    const known = patch[key];
    const bad = (why: string) => new MalformedPatch(`git apply: bad git-diff - ${why} on line ${this.number}`);
    if (known === undefined && !isNull) {
      patch[key] = nameOn(rest, this.strip, "tab");
      return;
    }
    if (known === undefined) {
      if (!isDevNull(rest)) throw bad("expected /dev/null");
      return;
    }
    if (isNull) throw bad(`expected /dev/null, got ${known}`);
    if (nameOn(rest, this.strip, "tab") !== known) throw bad(`inconsistent ${side} filename`);
  }

  private takeMode(key: "oldMode" | "newMode", rest: string): void {
    const mode = /^[0-7]+(?=\s)/.exec(rest);
    if (!mode || mode[0].length > 7) {
      throw new MalformedPatch(`invalid mode on line ${this.number}: ${rest.replace(/\n$/, "")}`);
    }
    this.patch[key] = Number.parseInt(mode[0], 8);
  }

  private takeSource(kind: "isCopy" | "isRename", rest: string, strip: number): void {
    this.patch[kind] = true;
    this.patch.oldName = nameOn(rest, strip, "line");
  }

  private takeTarget(kind: "isCopy" | "isRename", rest: string, strip: number): void {
    this.patch[kind] = true;
    this.patch.newName = nameOn(rest, strip, "line");
  }

  private takeIds(rest: string): void {
    const ids = /^([^.\n]{0,64})\.\.([^ \n]{0,64})(?: (.*))?\n$/s.exec(rest);
    if (!ids) return;
    this.patch.oldOid = ids[1]!;
    this.patch.newOid = ids[2]!;
    if (ids[3] !== undefined) this.takeMode("oldMode", `${ids[3]}\n`);
  }

  private checkExtensions(): void {
    const { isDelete, isNew, isRename, isCopy } = this.patch;
    const count = [isDelete, isNew, isRename, isCopy].filter(Boolean).length;
    const { number } = this.text;
    if (count > 1) throw new MalformedPatch(`inconsistent header lines ${this.extensionLine} and ${number}`);
    if (count === 1 && this.extensionLine === 0) this.extensionLine = number;
  }
}

/**
 * Reads the `---` and `+++` lines of a patch not produced by git; the text is positioned at the first. @throws
 * MalformedPatch
 */
export function traditionalHeader(text: PatchText, strip: number, patch: FilePatch): void {
  const first = text.line().slice(4);
  const number = text.number;
  text.skipLine();
  const second = text.line().slice(4);
  text.skipLine();
  let name: string | undefined;
  if (isDevNull(first)) {
    patch.isNew = true;
    patch.isDelete = false;
    name = traditionalName(second, undefined, strip);
    patch.newName = name;
  } else if (isDevNull(second)) {
    patch.isNew = false;
    patch.isDelete = true;
    name = traditionalName(first, undefined, strip);
    patch.oldName = name;
  } else {
    name = traditionalName(second, traditionalName(first, undefined, strip), strip);
    if (isEpoch(first)) {
      patch.isNew = true;
      patch.isDelete = false;
      patch.newName = name;
    } else if (isEpoch(second)) {
      patch.isNew = false;
      patch.isDelete = true;
      patch.oldName = name;
    } else {
      patch.oldName = name;
      patch.newName = name;
    }
  }
  if (name === undefined) throw new MalformedPatch(`unable to find filename in patch at line ${number}`);
}

/** How many components to strip from a plain patch's names by default: none if they have no directories. */
export function guessStrip(text: PatchText, usual: number): number {
  const [first, second] = text.peek(2);
  if (first === undefined || second === undefined) return usual;
  const guess = (line: string) => {
    const rest = line.slice(4);
    if (isDevNull(rest)) return -1;
    const name = traditionalName(rest, undefined, 0);
    return name === undefined || name.includes("/") ? -1 : 0;
  };
  const one = guess(first);
  const other = guess(second);
  return (one < 0 ? other : one) === 0 && other === 0 ? 0 : usual;
}
