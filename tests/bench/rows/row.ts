import type { Metric, Unit } from "../metric.ts";
import { ratioTargets, targets } from "../targets.ts";
import type { World } from "../world.ts";

/** A group of lines that are measured together; `bun run bench NAME…` runs only those. */
export interface RowGroup {
  readonly name: string;
  readonly doc: string;
  run(world: World, report: (metric: Metric) => void): Promise<void>;
}

/** A metric with the target of its row. */
export function metric(row: string, unit: Unit, hearth: number, git?: number): Metric {
  const target = targets[row];
  const ratioTarget = ratioTargets[row];
  return {
    row,
    unit,
    hearth,
    ...(git === undefined ? {} : { git }),
    ...(target === undefined ? {} : { target }),
    ...(ratioTarget === undefined ? {} : { ratioTarget }),
  };
}
