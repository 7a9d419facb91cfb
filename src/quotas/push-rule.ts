import { Failure } from "../kernel/errors.ts";
import type { ProposedChange, PushRule } from "../repos/rules/types.ts";
import type { QuotaService } from "./service.ts";

/** Accounts over their limit may only delete and rename refs (contract git-content.md 2). */
export function quotaPushRule(quotas: QuotaService): PushRule {
  const grows = ({ newOid, via }: ProposedChange) => newOid !== null && via !== "rename";
  return {
    name: "quotas",
    needs: (change) => (quotas.isEnabled && grows(change) ? { facts: [] } : undefined),
    judge: ({ seen }, { incomingBytes = 0 }) => {
      try {
        quotas.requireForContent(seen, incomingBytes);
        return undefined;
      } catch (error) {
        if (error instanceof Failure) return { failure: error };
        throw error;
      }
    },
  };
}
