export interface Key {
  readonly key: string;
  /** The name of its description (see `word`), or the description itself. */
  readonly name: string;
  /** Whether the key does something on this page. */
  isUseful(): boolean;
  press(): void;
}

export const ADD_KEY = "hearth:add-key";

/** Registers a key. Uses an event, because page modules are separate bundles. */
export function addKey(key: Key): void {
  document.dispatchEvent(new CustomEvent<Key>(ADD_KEY, { detail: key }));
}
