import { readMtimes } from "./mtimes.ts";
import type { PackingData } from "./packing-data.ts";
import { writtenAt } from "./packing-data.ts";

/**
 * When each object was last written, in seconds since 1970, by slot: the latest mtime of its loose file and of
 * the packs that contain it; a cruft pack records the time of each of its objects.
 */
export function agesOf(repoDir: string, packing: PackingData): Float64Array {
  const ages = new Float64Array(packing.table.size);
  const note = (slot: number, seconds: number) => {
    if (seconds > ages[slot]!) ages[slot] = seconds;
  };
  for (const slot of packing.loose) {
    const oid = packing.table.oidOf(slot);
    note(slot, Math.floor(writtenAt(repoDir, `${oid.slice(0, 2)}/${oid.slice(2)}`) / 1000));
  }
  packing.packs.forEach((pack, at) => {
    const first = packing.firstOf(at);
    const { rows } = pack.index.packOrder();
    const each = readMtimes(`${pack.stem}.mtimes`, packing.store.format, pack.index.objectCount);
    const whole = Math.floor(writtenAt(repoDir, `pack/${pack.name}.pack`) / 1000);
    for (let place = 0; place < rows.length; place++)
      note(packing.slots[first + place]!, each?.[rows[place]!] ?? whole);
  });
  return ages;
}
