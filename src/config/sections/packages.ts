import type { Setting } from "../setting.ts";
import { sizeOf } from "../size.ts";

const isSize = (value: string) => (value === "-1" || sizeOf(value) !== undefined ? undefined : "is no size");

/** Package registries. */
export const packagesSettings = {
  "packages.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Provide package registries. Off: pages, registries and the API have no packages.",
  },
  "packages.max_owner_versions": {
    type: { kind: "number", least: -1, most: 1_000_000_000 },
    standard: -1,
    doc: "How many package versions an account may have in all. -1: no limit. Site administrators are exempt.",
  },
  "packages.max_owner_size": {
    type: { kind: "text", check: isSize },
    standard: "-1",
    doc: "The total size of an account's package files, such as `20 GiB`. -1: no limit. Site administrators are exempt.",
  },
  "packages.max_file_sizes": {
    type: {
      kind: "list",
      check: (value) => {
        const [type = "", size = ""] = value.split("=");
        return /^[a-z]+$/.test(type) ? isSize(size.trim()) : "must look like `npm=50 MiB`";
      },
    },
    standard: [],
    doc: "The largest file by package type, such as `npm=50 MiB`; types that are not listed have no limit. Site administrators are exempt.",
  },
  "packages.cleanup_hours": {
    type: { kind: "number", least: 1, most: 100_000 },
    standard: 24,
    doc: "Hours to keep unfinished uploads, and contents that no package uses any more, before a cleanup removes them.",
  },
  "packages.sign_rpm": {
    type: { kind: "flag" },
    standard: false,
    doc: "Sign every uploaded RPM package with its owner's key, even if the upload does not ask for it with `?sign=true`.",
  },
} as const satisfies Record<string, Setting>;
