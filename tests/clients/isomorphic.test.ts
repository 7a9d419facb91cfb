import { test } from "bun:test";
import { startHearth } from "../git/hosts/hearth.ts";
import { isomorphic } from "./isomorphic.ts";
import { playThrough } from "./scene.ts";

/** The other clients need compilers and registries: `bun tests/clients/run.ts`. */
test("isomorphic-git clones, fetches and pushes", async () => {
  await using hearth = await startHearth();
  await playThrough(isomorphic, hearth);
});
