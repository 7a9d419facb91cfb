import type { Attack } from "./attack.ts";
import type { Observed } from "./watch.ts";

export interface Limits {
  readonly stallMs: number;
  readonly memoryMib: number;
}

/** What no attack may cost on a machine that does nothing else. */
export const LIMITS: Limits = { stallMs: 250, memoryMib: 300 };
/** The same where other tests take the cores: here a freeze or a flood is meant, `run.ts` measures. */
export const LIMITS_BESIDE_OTHERS: Limits = { stallMs: 5000, memoryMib: 1024 };
/** The default of `cache.mib`. */
const CACHE_MIB = 128;

/** Why it is too much; empty when it is not. */
export function violations(observed: Observed, limits: Limits, { isSweep = false }: Pick<Attack, "isSweep">): string[] {
  const found: string[] = [];
  if (observed.exited) found.push("the process ended");
  if (!isSweep && observed.stallMs > limits.stallMs) found.push(`others waited ${Math.round(observed.stallMs)} ms`);
  if (observed.memoryMib > limits.memoryMib + (isSweep ? CACHE_MIB : 0))
    found.push(`memory grew by ${Math.round(observed.memoryMib)} MiB`);
  return found;
}

/** One line of the table that a run prints. */
export function line(name: string, observed: Observed): string {
  const { stallMs, memoryMib, descriptors, threads, failedProbes } = observed;
  const numbers = [
    `${Math.round(stallMs)} ms`,
    `+${Math.round(memoryMib)} MiB`,
    `${descriptors} fds`,
    `${threads} threads`,
    failedProbes > 0 ? `${failedProbes} failed probes` : "",
  ];
  return `${numbers.map((text) => text.padStart(10)).join(" ")}  ${name}`;
}
