import { Forbidden } from "../../kernel/errors.ts";
import { perSeen } from "../../repos/rules/per-seen.ts";
import type { ProposedChange, PushRule } from "../../repos/rules/types.ts";
import type { PushLimitService } from "./service.ts";

/** The limits as a push rule. Branches and tags created here add no files. */
export function pushLimitRule(limits: PushLimitService): PushRule {
  const bringsFiles = ({ newOid, via }: ProposedChange) => newOid !== null && via !== "ref" && via !== "rename";
  const effective = perSeen((seen) => limits.effective(seen));
  return {
    name: "push limits",
    needs: (change) => {
      if (!bringsFiles(change)) return undefined;
      const { maxFileBytes, patterns } = effective(change.seen);
      return maxFileBytes === 0 && patterns.length === 0 ? undefined : { facts: ["blobs"], patterns };
    },
    judge: ({ seen }, { received }) => {
      if (!received) return undefined;
      const { maxFileBytes } = effective(seen);
      const { largest, found } = received;
      if (maxFileBytes > 0 && largest && largest.sizeBytes > maxFileBytes) {
        const params = { path: largest.path ?? largest.oid, bytes: largest.sizeBytes, max: maxFileBytes };
        return { failure: new Forbidden("push-limits.file-too-large", { params }) };
      }
      const [first] = found;
      if (!first) return undefined;
      const params = { path: first.blob.path ?? first.blob.oid, pattern: first.pattern };
      return { failure: new Forbidden("push-limits.secret-found", { params }) };
    },
  };
}
