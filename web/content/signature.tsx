import { verify } from "../../src/content/commits/describe.ts";
import type { People, ReadCommit } from "../../src/content/commits/service.ts";
import type { Trust, Verification } from "../../src/keys/verification/service.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { Badge } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import { contentWords } from "./words/index.ts";

/** What is shown of a commit's signature. */
export interface ShownSignature {
  /** undefined: it is not verified. */
  readonly by: { readonly name: string; readonly key: string; readonly trust: Trust } | undefined;
  /** The contract's word for why not. */
  readonly reason: string;
}

/** The signatures of commits by id; those that have none are left out. */
export async function shownSignatures(
  services: Pick<WebServices, "signatures">,
  seen: SeenRepo,
  read: readonly ReadCommit[],
  people: People,
): Promise<Map<string, ShownSignature>> {
  const signed = read.filter(({ commit }) => commit.signature !== undefined);
  const found = await verify(services, seen, signed);
  return new Map(
    signed.flatMap(({ oid, commit }) => {
      const verification = found.get(oid);
      const committer = people.get(commit.committer.email.toLowerCase());
      return verification ? [[oid, shown(services, seen, verification, committer)] as const] : [];
    }),
  );
}

function shown(
  { signatures }: Pick<WebServices, "signatures">,
  seen: SeenRepo,
  { signer, key = "", reason }: Verification,
  committer: Parameters<WebServices["signatures"]["trustIn"]>[2],
): ShownSignature {
  return {
    by: signer && { name: signer.user.login, key, trust: signatures.trustIn(seen, signer.user, committer) },
    reason,
  };
}

/** Says in words whose signature it is, or why that is not known. */
export function SignatureBadge({ signature, short }: { signature: ShownSignature; short?: boolean }) {
  const t = useWords(contentWords);
  const { by, reason } = signature;
  if (by) {
    const { name, key, trust } = by;
    const words = { trusted: "verifiedBy", untrusted: "signedUntrusted", unmatched: "signedUnmatched" } as const;
    const text = t(words[trust], { name });
    return (
      <span class="signature" title={`${text} · ${key}`}>
        <Badge tone={trust === "trusted" ? "ok" : "warn"} icon={trust === "trusted" ? "check-circle" : "key"}>
          {short ? t("verified") : `${text} · ${key}`}
        </Badge>
      </span>
    );
  }
  const why = unverifiedReason(reason);
  const text = t("unverified", { reason: t(why) });
  return (
    <span class="signature" title={text}>
      <Badge icon="key">{short ? t("notVerified") : text}</Badge>
    </span>
  );
}

function unverifiedReason(reason: string) {
  switch (reason) {
    case "gpg.error.probable_bad_signature":
      return "signatureBad";
    case "gpg.error.extract_sign":
    case "gpg.error.generate_hash":
      return "signatureUnreadable";
    case "gpg.error.no_committer_account":
      return "committerUnknown";
    default:
      return "keyUnknown";
  }
}
