/** Yields to the event loop, so that long work does not block everyone else. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
