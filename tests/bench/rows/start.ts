import { median } from "../world.ts";
import { metric, type RowGroup } from "./row.ts";

const STARTS = 7;

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
    await world.settle();
    report(metric("idle memory", "MiB", world.idleMiB()));
  },
};
