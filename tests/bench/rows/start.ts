import { median } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const STARTS = 7;
/** Long enough that what starting needed has been given back, as far as it ever is. */
const SETTLE_MS = 1_000;

export const startRows: RowGroup = {
  name: "start",
  doc: "start to first answer, idle memory",
  run: async (world, report) => {
    const times: number[] = [];
    for (let at = 0; at < STARTS; at++) {
      await world.restartHearth();
      times.push(world.hearth.startMs);
    }
    report(metric("start to first answer", "ms", median(times)));
    await Bun.sleep(SETTLE_MS);
    report(metric("idle memory", "MiB", world.idleMiB()));
  },
};
