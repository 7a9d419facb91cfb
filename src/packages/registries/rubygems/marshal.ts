/** Writes Ruby's Marshal 4.8: `04 08`, then a value. A repeated symbol is written as a reference to its index. */

export class RubySymbol {
  constructor(readonly name: string) {}
}

/** `U`: a class that restores itself from a value. */
export class UserMarshal {
  constructor(
    readonly name: string,
    readonly value: unknown,
  ) {}
}

/** `u`: a class that restores itself from bytes. */
export class UserDefined {
  constructor(
    readonly name: string,
    readonly bytes: Uint8Array,
  ) {}
}

/** `o`: an object with its instance variables. */
export class RubyObject {
  constructor(
    readonly name: string,
    readonly variables: Readonly<Record<string, unknown>>,
  ) {}
}

/** Serializes a Ruby value: null, booleans, integers, strings, arrays, hashes (Map), and the classes above. */
export function marshal(value: unknown): Uint8Array {
  const writer = new Writer();
  writer.write(value);
  return Buffer.concat([Buffer.from([4, 8]), ...writer.parts]);
}

class Writer {
  readonly parts: Uint8Array[] = [];
  private readonly symbols = new Map<string, number>();

  write(value: unknown): void {
    if (value === null || value === undefined) this.text("0");
    else if (typeof value === "boolean") this.text(value ? "T" : "F");
    else if (typeof value === "number") {
      this.text("i");
      this.number(value);
    } else if (typeof value === "string") this.string(value);
    else if (value instanceof RubySymbol) this.symbol(value.name);
    else if (Array.isArray(value)) {
      this.text("[");
      this.number(value.length);
      for (const item of value) this.write(item);
    } else if (value instanceof Map) {
      this.text("{");
      this.number(value.size);
      for (const [key, item] of value) {
        this.write(key);
        this.write(item);
      }
    } else if (value instanceof UserMarshal) {
      this.text("U");
      this.symbol(value.name);
      this.write(value.value);
    } else if (value instanceof UserDefined) {
      this.text("u");
      this.symbol(value.name);
      this.bytes(value.bytes);
    } else if (value instanceof RubyObject) {
      const variables = Object.entries(value.variables);
      this.text("o");
      this.symbol(value.name);
      this.number(variables.length);
      for (const [name, item] of variables) {
        this.symbol(name);
        this.write(item);
      }
    } else throw new Error(`Ruby has no ${typeof value}`);
  }

  /** Written as UTF-8, which is marked by an instance variable of the string. */
  private string(text: string): void {
    this.text('I"');
    this.bytes(Buffer.from(text));
    this.number(1);
    this.symbol("E");
    this.text("T");
  }

  private symbol(name: string): void {
    const known = this.symbols.get(name);
    if (known !== undefined) {
      this.text(";");
      this.number(known);
      return;
    }
    this.symbols.set(name, this.symbols.size);
    this.text(":");
    this.bytes(Buffer.from(name));
  }

  private bytes(bytes: Uint8Array): void {
    this.number(bytes.byteLength);
    this.parts.push(bytes);
  }

  private text(text: string): void {
    this.parts.push(Buffer.from(text));
  }

  /** Small numbers take one byte, offset by five; others a byte count followed by the bytes. */
  private number(value: number): void {
    if (value === 0) this.parts.push(Buffer.from([0]));
    else if (value > 0 && value < 123) this.parts.push(Buffer.from([value + 5]));
    else if (value < 0 && value > -124) this.parts.push(Buffer.from([(value - 5) & 0xff]));
    else {
      const bytes: number[] = [];
      for (let rest = value; rest !== 0 && rest !== -1; rest >>= 8) bytes.push(rest & 0xff);
      this.parts.push(Buffer.from([value > 0 ? bytes.length : 256 - bytes.length, ...bytes]));
    }
  }
}
