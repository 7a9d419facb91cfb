import type { ForgeItem } from "../forge/types.ts";

/** Of one list: a server may call everything pinned. */
const MAX_PINNED = 100;

/** Which items of a list are pinned there: in what order is known at its end. */
export class PinnedItems {
  private readonly items: Pick<ForgeItem, "number" | "pinOrder">[] = [];

  note(page: readonly ForgeItem[]): void {
    for (const { number, pinOrder } of page)
      if (pinOrder > 0 && this.items.length < MAX_PINNED) this.items.push({ number, pinOrder });
  }

  /** The first at the top. @param offset what is added to them here */
  numbers(offset: number): number[] {
    return this.items.toSorted((a, b) => a.pinOrder - b.pinOrder).map(({ number }) => number + offset);
  }
}
