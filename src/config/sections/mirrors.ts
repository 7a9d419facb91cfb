import type { Setting } from "../setting.ts";

/** Imports, and mirrors in both directions. `network.allow` decides which servers they may use. */
export const mirrorsSettings = {
  "imports.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let people import repositories from other servers.",
  },
  "mirrors.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let repositories mirror others and be mirrored. Off: existing mirrors are paused.",
  },
  "mirrors.new_pull": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let people create repositories that mirror one elsewhere.",
  },
  "mirrors.new_push": {
    type: { kind: "flag" },
    standard: true,
    doc: "Let repository administrators set up push mirrors.",
  },
  "mirrors.default_interval_minutes": {
    type: { kind: "number", least: 1, most: 5_256_000 },
    standard: 480,
    doc: "How often a mirror is updated by default, in minutes; at least `mirrors.min_interval_minutes`.",
  },
  "mirrors.min_interval_minutes": {
    type: { kind: "number", least: 1, most: 5_256_000 },
    standard: 10,
    doc: "The shortest interval that a mirror may have, in minutes.",
  },
} as const satisfies Record<string, Setting>;
