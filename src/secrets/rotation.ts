import type { Database } from "../db/database.ts";
import type { CrashPoint } from "../kernel/crash.ts";
import { placeOf, type SecretBox } from "./box.ts";
import { newKey, readKeys, writeKeys } from "./key-file.ts";
import { putSealed, sealedRows } from "./store.ts";

export interface RotationNeeds {
  readonly db: Database;
  readonly box: SecretBox;
  /** The path of `secret.key`. */
  readonly keyPath: string;
  readonly crash: CrashPoint;
}

/**
 * Replaces the key: writes the new one to the file before the old one, seals everything again in one transaction, then
 * removes the old one from the file. Whenever the process dies, the file holds every key in use.
 */
export class SecretRotation {
  constructor(private readonly needs: RotationNeeds) {}

  /**
   * Only while no other process holds the keys: a running server would continue to seal with the old one.
   * @returns how many values were sealed again
   * @throws SecretUnreadable if a value opens with none of the keys; then everything stays as it is, with both keys in
   * the file
   */
  rotate(): number {
    const { box, crash, keyPath } = this.needs;
    const keys = [newKey(), ...readKeys(keyPath)];
    writeKeys(keyPath, keys);
    crash("secrets.key-added");
    box.useKeys(keys);
    return this.finish();
  }

  /** At start: completes an interrupted rotation. @returns how many values were sealed again */
  finish(): number {
    const { box, crash, db, keyPath } = this.needs;
    if (!box.hasOldKeys) return 0;
    const sealed = db.transaction(() => this.sealAll());
    crash("secrets.re-encrypted");
    const keys = readKeys(keyPath).slice(0, 1);
    writeKeys(keyPath, keys);
    box.useKeys(keys);
    crash("secrets.old-keys-removed");
    return sealed;
  }

  private sealAll(): number {
    const { box, db } = this.needs;
    let count = 0;
    for (const column of box.columns)
      for (const { rowKey, sealed } of sealedRows(db, column)) {
        if (box.isCurrent(sealed)) continue;
        const place = placeOf(column, rowKey);
        putSealed(db, column, { rowKey, sealed: box.seal(place, box.open(place, sealed)) });
        count++;
      }
    return count;
  }
}
