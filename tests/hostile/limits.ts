import type { Attack } from "./attack.ts";
import type { Observed } from "./watch.ts";

/** What no attack may cost. */
export const LIMITS = { stallMs: 250, memoryMib: 300 } as const;
/** The default of `cache.mib`. */
const CACHE_MIB = 128;

/** Why it is too much; empty when it is not. */
export function violations(observed: Observed, { isSweep = false }: Pick<Attack, "isSweep"> = {}): string[] {
  const found: string[] = [];
  if (observed.exited) found.push("the process ended");
  if (!isSweep && Math.min(observed.stallMs, observed.heldMs) > LIMITS.stallMs)
    found.push(`others waited ${Math.round(observed.stallMs)} ms`);
  if (observed.memoryMib > LIMITS.memoryMib + (isSweep ? CACHE_MIB : 0))
    found.push(`memory grew by ${Math.round(observed.memoryMib)} MiB`);
  return found;
}

/** One line of the table that a run prints. */
export function line(name: string, observed: Observed): string {
  const { stallMs, heldMs, memoryMib, descriptors, threads, failedProbes } = observed;
  const numbers = [
    `${Math.round(stallMs)} ms`,
    `${Math.round(heldMs)} held`,
    `+${Math.round(memoryMib)} MiB`,
    `${descriptors} fds`,
    `${threads} threads`,
    failedProbes > 0 ? `${failedProbes} failed probes` : "",
  ];
  return `${numbers.map((text) => text.padStart(10)).join(" ")}  ${name}`;
}
