/**
 * The change a request makes, made only once however often its handler is called: a handler whose answer reads what was
 * changed may have to wait until it is read elsewhere (RepoStorage.reading), and is then called again.
 */
export class Effect {
  private made: { readonly value: unknown } | undefined;

  /** @throws what `make` throws; a failed change counts as not made */
  once<T>(make: () => T): T {
    if (this.made) return this.made.value as T;
    const value = make();
    const made = { value };
    this.made = made;
    if (value instanceof Promise)
      value.catch(() => {
        this.made = undefined;
      });
    return value;
  }

  get isMade(): boolean {
    return this.made !== undefined;
  }
}
