/**
 * Where the boxes of task lists stand: the offset of their `[` in the text as it is stored, in bytes of UTF-8 (contract
 * web.md 4.2). Only what was added can be taken, and once: HTML that an author wrote has no positions.
 */
export class TaskPositions {
  private readonly known = new Set<string>();
  private line = 0;
  private lineStart = 0;
  private lineStartByte: number;

  /** @param before bytes of what stands before the body */
  constructor(
    private readonly body: string,
    before: number,
  ) {
    this.lineStartByte = before;
  }

  /** @param line the item's line; lines come in their order */
  add(line: number): string {
    for (; this.line < line; this.line++) {
      const end = this.body.indexOf("\n", this.lineStart) + 1;
      if (end === 0) break;
      this.lineStartByte += Buffer.byteLength(this.body.slice(this.lineStart, end));
      this.lineStart = end;
    }
    // Before an item's text stand only marks of lists and quotes.
    const bracket = Math.max(this.body.indexOf("[", this.lineStart), this.lineStart);
    const position = String(this.lineStartByte + Buffer.byteLength(this.body.slice(this.lineStart, bracket)));
    this.known.add(position);
    return position;
  }

  take(position: string): boolean {
    return this.known.delete(position);
  }
}
