import { builtExecutable, startHearth } from "../git/hosts/hearth.ts";
import { externalClients } from "./external.ts";
import { isomorphic } from "./isomorphic.ts";
import { playThrough } from "./scene.ts";

/**
 * Clients other than git against the compiled executable: `bun tests/clients/run.ts [NAME…]`. Needs python3, go, javac
 * and mvn, and their package registries once; keeps what it makes in `.cache/clients`.
 */

const wanted = process.argv.slice(2);
await using hearth = await startHearth({ command: builtExecutable() });
let passed = 0;
let failed = 0;
for (const client of [isomorphic, ...externalClients]) {
  if (wanted.length > 0 && !wanted.includes(client.name)) continue;
  const began = performance.now();
  try {
    const missing = await client.prepare();
    if (missing) throw new Error(`it needs ${missing}`);
    await playThrough(client, hearth);
    passed++;
    console.log(`${client.name}: clone, fetch, push (${((performance.now() - began) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`${client.name}: ${error instanceof Error ? error.message : error}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
