/** Patch text, latin1, read line by line. Line numbers are 1-based. */
export class PatchText {
  private at = 0;
  number = 1;

  constructor(readonly text: string) {}

  get atEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** The number of characters left. */
  get left(): number {
    return this.text.length - this.at;
  }

  /** The current line with its newline; empty at the end. */
  line(): string {
    return this.text.slice(this.at, this.lineEnd(this.at));
  }

  /** The next lines, the current one first. */
  peek(count: number): string[] {
    const lines: string[] = [];
    let at = this.at;
    for (let i = 0; i < count && at < this.text.length; i++) {
      const end = this.lineEnd(at);
      lines.push(this.text.slice(at, end));
      at = end;
    }
    return lines;
  }

  startsWith(start: string): boolean {
    return this.text.startsWith(start, this.at);
  }

  skipLine(): void {
    this.at = this.lineEnd(this.at);
    this.number++;
  }

  /** The current position, to return to with `reset`. */
  mark(): { at: number; number: number } {
    return { at: this.at, number: this.number };
  }

  reset(mark: { at: number; number: number }): void {
    this.at = mark.at;
    this.number = mark.number;
  }

  private lineEnd(from: number): number {
    const newline = this.text.indexOf("\n", from);
    return newline < 0 ? this.text.length : newline + 1;
  }
}
