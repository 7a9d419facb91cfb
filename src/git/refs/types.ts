import type { Oid } from "../objects/types.ts";

export interface Ref {
  /** Full name: `refs/heads/main`. */
  readonly name: string;
  readonly oid: Oid;
  /** The final target of an annotated tag; absent for everything else. */
  readonly peeled?: Oid;
}

export interface RefChange {
  readonly name: string;
  /** The value the caller expects; null: the ref must not exist yet. */
  readonly oldOid: Oid | null;
  /** null deletes. */
  readonly newOid: Oid | null;
}

/** `reason` is the text git prints after `! [remote rejected]`. */
export type RefResult =
  | { readonly name: string; readonly ok: true }
  | { readonly name: string; readonly ok: false; readonly reason: string };

/** The engine's interface to refs. Hearth backs it with the database; engine tests with a plain directory. */
export interface RefStore {
  /** All refs sorted by name (byte order); with `prefix`, those whose name begins with it. */
  list(prefix?: string): Ref[];
  resolve(name: string): Ref | undefined;
  /** The ref HEAD points to (`refs/heads/main`), whether it exists or not. */
  head(): string;
  /** Compare-and-swap of many refs at once. With `atomic`, none is applied when one is refused. */
  update(changes: readonly RefChange[], options: { readonly atomic: boolean }): RefResult[];
}
