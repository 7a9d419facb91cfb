/**
 * Positions of the checkboxes in task lists: the offset of their `[` in the stored text, in bytes of UTF-8 (contract
 * web.md 4.2). Only a position that was added can be taken, and only once: HTML written by an author has none.
 */
export class TaskPositions {
  private readonly known = new Set<string>();
  private line = 0;
  private lineStart = 0;
  private lineStartByte: number;

  /** @param before the number of bytes before the body */
  constructor(
    private readonly body: string,
    before: number,
  ) {
    this.lineStartByte = before;
  }

  /** @param line the item's line; must be called in line order */
  add(line: number): string {
    for (; this.line < line; this.line++) {
      const end = this.body.indexOf("\n", this.lineStart) + 1;
      if (end === 0) break;
      this.lineStartByte += Buffer.byteLength(this.body.slice(this.lineStart, end));
      this.lineStart = end;
    }
    // Only list and quote markers precede an item's text.
    const bracket = Math.max(this.body.indexOf("[", this.lineStart), this.lineStart);
    const position = String(this.lineStartByte + Buffer.byteLength(this.body.slice(this.lineStart, bracket)));
    this.known.add(position);
    return position;
  }

  take(position: string): boolean {
    return this.known.delete(position);
  }
}
