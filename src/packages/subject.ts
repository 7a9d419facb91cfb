import type { Call } from "../http/route.ts";
import type { SeenPackages } from "./types.ts";

/** The packages of the owner that the route declares. */
export function seenPackages(call: Call): SeenPackages {
  const seen = call.found.packages;
  if (!seen) throw new Error(`${call.path} was reached without an owner of packages`);
  return seen;
}
