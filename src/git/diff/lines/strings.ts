/** Splits a string into lines that keep their newlines. */
export function splitLines(text: string): string[] {
  const lines: string[] = [];
  let start = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    lines.push(text.slice(start, end + 1));
    start = end + 1;
  }
  if (start < text.length) lines.push(text.slice(start));
  return lines;
}

/** Assigns numbers to strings, the same number to equal ones. For the words of a line; texts use `Interner`. */
export class StringNumbers {
  private readonly numbers = new Map<string, number>();

  of(strings: readonly string[]): Int32Array {
    const result = new Int32Array(strings.length);
    for (let i = 0; i < strings.length; i++) {
      let number = this.numbers.get(strings[i]!);
      if (number === undefined) {
        number = this.numbers.size;
        this.numbers.set(strings[i]!, number);
      }
      result[i] = number;
    }
    return result;
  }

  get size(): number {
    return this.numbers.size;
  }
}
