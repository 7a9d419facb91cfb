import { afterAll, beforeAll, expect, test } from "bun:test";
import { attacks } from "./attacks/index.ts";
import { LIMITS_BESIDE_OTHERS, line, violations } from "./limits.ts";
import { startTargets, type Targets } from "./target.ts";
import { Watch } from "./watch.ts";

/**
 * No request, push or crowd that a stranger can afford stalls others, takes the memory or ends the process (issue 10).
 * `bun tests/hostile/run.ts` does more of each by hand, and holds it to the bounds of a quiet machine.
 */

let targets: Targets;
let watch: Watch;

beforeAll(async () => {
  targets = await startTargets(1);
  watch = new Watch(targets.target, targets.idle);
});
afterAll(async () => {
  watch.close();
  await targets.close();
});

test.each(attacks.map((attack) => [attack.name, attack] as const))(
  "%s",
  async (name, attack) => {
    await attack.prepare?.(targets.target);
    const observed = await watch.during(() => attack.run(targets.target));
    console.log(line(name, observed));
    expect(violations(observed, LIMITS_BESIDE_OTHERS, attack)).toEqual([]);
  },
  600_000,
);
