import type { Setting } from "../setting.ts";

/** Repositories that come from elsewhere, once or again and again, and that go elsewhere. Where to, `network.allow` says. */
export const mirrorsSettings = {
  "imports.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Repositories may be brought in from other servers.",
  },
  "mirrors.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Repositories follow others, and others follow them. Off: those that there are rest.",
  },
  "mirrors.new_pull": {
    type: { kind: "flag" },
    standard: true,
    doc: "People may make repositories that follow one elsewhere.",
  },
  "mirrors.new_push": {
    type: { kind: "flag" },
    standard: true,
    doc: "Administrators of repositories may have them pushed elsewhere.",
  },
  "mirrors.default_interval_minutes": {
    type: { kind: "number", least: 1, most: 5_256_000 },
    standard: 480,
    doc: "How often a mirror is brought up to date when nobody says, in minutes; at least `mirrors.min_interval_minutes`.",
  },
  "mirrors.min_interval_minutes": {
    type: { kind: "number", least: 1, most: 5_256_000 },
    standard: 10,
    doc: "The shortest interval that a mirror may have, in minutes.",
  },
} as const satisfies Record<string, Setting>;
