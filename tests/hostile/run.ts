import { attacks } from "./attacks/index.ts";
import { LIMITS, line, violations } from "./limits.ts";
import { startTargets } from "./target.ts";
import { Watch } from "./watch.ts";

/** `bun tests/hostile/run.ts [SCALE] [WORDS OF A NAME]`: the attacks of the test, SCALE times as long (10 by default). */

const [scaleText = "10", ...words] = process.argv.slice(2);
const chosen = attacks.filter(({ name }) => words.every((word) => name.includes(word)));
const targets = await startTargets(Number(scaleText));
const watch = new Watch(targets.target, targets.idle);
let failed = 0;
for (const attack of chosen) {
  try {
    await attack.prepare?.(targets.target);
    const observed = await watch.during(() => attack.run(targets.target));
    const found = violations(observed, LIMITS, attack);
    if (found.length > 0) failed++;
    console.log(`${line(attack.name, observed)}${found.length > 0 ? `  <- ${found.join(", ")}` : ""}`);
  } catch (error) {
    failed++;
    console.log(`${attack.name}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
watch.close();
await targets.close();
process.exit(failed > 0 ? 1 : 0);
