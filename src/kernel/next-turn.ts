/** Lets everyone else have a turn of the event loop before long work goes on. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
