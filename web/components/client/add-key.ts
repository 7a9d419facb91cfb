export interface Key {
  readonly key: string;
  /** The name of its sentence (`word`), or the sentence. */
  readonly name: string;
  /** Whether it does something on this page. */
  isUseful(): boolean;
  press(): void;
}

export const ADD_KEY = "hearth:add-key";

/** Gives a key a meaning. By an event, because modules of single pages are bundles of their own. */
export function addKey(key: Key): void {
  document.dispatchEvent(new CustomEvent<Key>(ADD_KEY, { detail: key }));
}
