import type { ForgeItem } from "../forge/types.ts";

/** Per list: a server may report everything as pinned. */
const MAX_PINNED = 100;

/** Collects the pinned items of a list: their order is known at its end. */
export class PinnedItems {
  private readonly items: Pick<ForgeItem, "number" | "pinOrder">[] = [];

  note(page: readonly ForgeItem[]): void {
    for (const { number, pinOrder } of page)
      if (pinOrder > 0 && this.items.length < MAX_PINNED) this.items.push({ number, pinOrder });
  }

  /** In order. @param offset added to their numbers here */
  numbers(offset: number): number[] {
    return this.items.toSorted((a, b) => a.pinOrder - b.pinOrder).map(({ number }) => number + offset);
  }
}
