import { randomHex } from "../kernel/ids.ts";

/** Begins what stands for a value until the end. Random, so that no one can write it into a text of an answer. */
const MARK = randomHex(16);

/** Writes JSON in which the same large values stand again and again: each of them is turned into text once. */
export class SharedJson {
  private readonly standIns = new Map<object, string>();
  private readonly texts: string[] = [];

  /** What to put in the place of the value; the same for the same object. */
  standInOf(value: object): string {
    const known = this.standIns.get(value);
    if (known !== undefined) return known;
    const made = MARK + this.texts.length;
    this.texts.push(JSON.stringify(value));
    this.standIns.set(value, made);
    return made;
  }

  /** The JSON of what has stand-ins in it, with the values in their places. */
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
