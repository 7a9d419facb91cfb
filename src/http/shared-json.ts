import { randomHex } from "../kernel/ids.ts";

/** Starts the placeholder of a value. Random, so that no text in an answer can contain it. */
const MARK = randomHex(16);

/** Writes JSON in which the same large values occur repeatedly: each is serialized once. */
export class SharedJson {
  private readonly standIns = new Map<object, string>();
  private readonly texts: string[] = [];

  /** The placeholder for a value; the same for the same object. */
  standInOf(value: object): string {
    const known = this.standIns.get(value);
    if (known !== undefined) return known;
    const made = MARK + this.texts.length;
    this.texts.push(JSON.stringify(value));
    this.standIns.set(value, made);
    return made;
  }

  /** Serializes a value containing placeholders, with the real values in their place. */
  write(value: unknown): string {
    const [first = "", ...parts] = JSON.stringify(value).split(`"${MARK}`);
    let json = first;
    for (const part of parts) {
      const end = part.indexOf('"');
      json += this.texts[Number(part.slice(0, end))] + part.slice(end + 1);
    }
    return json;
  }
}
