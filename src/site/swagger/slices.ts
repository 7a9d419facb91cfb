import { nextTurn } from "../../kernel/next-turn.ts";

/** Items built before others get a turn: the whole document takes a tenth of a second. */
const SLICE = 20;

/** Parts of a list, yielding to other work after each. */
export async function* inSlices<T>(items: readonly T[]): AsyncGenerator<readonly T[], void> {
  for (let at = 0; at < items.length; at += SLICE) {
    yield items.slice(at, at + SLICE);
    await nextTurn();
  }
}

/** A large object as JSON, serializing two levels of members a few at a time. */
export async function slicedJson(value: object): Promise<string> {
  const members: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const isMap = typeof member === "object" && member !== null && !Array.isArray(member);
    members.push(`${JSON.stringify(name)}:${isMap ? await mapJson(member) : JSON.stringify(member)}`);
  }
  return `{${members.join(",")}}`;
}

async function mapJson(map: object): Promise<string> {
  const parts: string[] = [];
  for await (const slice of inSlices(Object.entries(map)))
    for (const [name, member] of slice)
      if (member !== undefined) parts.push(`${JSON.stringify(name)}:${JSON.stringify(member)}`);
  return `{${parts.join(",")}}`;
}
