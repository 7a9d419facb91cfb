import { TAGS } from "../../git/refs/names.ts";
import { Forbidden, ValidationFailed } from "../../kernel/errors.ts";
import { perSeen } from "../../repos/rules/per-seen.ts";
import type { PushRule } from "../../repos/rules/types.ts";
import type { TagProtections } from "./service.ts";

/** The tag rules as a push rule, applied to pushes and pages (contract git-content.md 10.2 and 13.2). */
export function tagRule(protections: TagProtections): PushRule {
  const permission = perSeen((seen) => protections.permission(seen));
  return {
    name: "tag protection",
    needs: ({ name }) => (name.startsWith(TAGS) ? { facts: [] } : undefined),
    judge: ({ seen, name, newOid, via }) => {
      const tag = name.slice(TAGS.length);
      if (permission(seen)(tag)) return undefined;
      if (via === "push") return { failure: new Forbidden("protection.tag-refused", { params: { tag } }) };
      const code = newOid === null ? "protection.tag-delete-refused" : "protection.tag-create-refused";
      return { failure: new ValidationFailed(code, { field: "tag_name" }) };
    },
  };
}
