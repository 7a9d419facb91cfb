import type { Setting } from "../setting.ts";
import { sizeOf } from "../size.ts";

const isSize = (value: string) => (value === "-1" || sizeOf(value) !== undefined ? undefined : "is no size");

/** Package registries. */
export const packagesSettings = {
  "packages.enabled": {
    type: { kind: "flag" },
    standard: true,
    doc: "Whether there are package registries. Off: neither pages nor registries nor the API know of packages.",
  },
  "packages.max_owner_versions": {
    type: { kind: "number", least: -1, most: 1_000_000_000 },
    standard: -1,
    doc: "How many versions of packages an account may have in all. -1: no limit. Site administrators are exempt.",
  },
  "packages.max_owner_size": {
    type: { kind: "text", check: isSize },
    standard: "-1",
    doc: "What the files of an account's packages may add up to, such as `20 GiB`. -1: no limit. Site administrators are exempt.",
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
    doc: "The largest file of a type of packages, such as `npm=50 MiB`; types that are not named have no limit. Site administrators are exempt.",
  },
  "packages.cleanup_hours": {
    type: { kind: "number", least: 1, most: 100_000 },
    standard: 24,
    doc: "Hours that uploads nobody finished, and contents no package has any more, stay before a cleanup takes them away.",
  },
  "packages.sign_rpm": {
    type: { kind: "flag" },
    standard: false,
    doc: "Whether every uploaded RPM package is signed with its owner's key, also where the upload does not ask for it by `?sign=true`.",
  },
} as const satisfies Record<string, Setting>;
