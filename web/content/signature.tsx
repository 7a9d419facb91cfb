import type { People, ReadCommit } from "../../src/content/commits/service.ts";
import { signedCommit } from "../../src/content/commits/signed.ts";
import type { SignedObject, Trust, Verification } from "../../src/keys/verification/service.ts";
import type { Translate } from "../../src/language/catalogue.ts";
import type { SeenRepo } from "../../src/repos/types.ts";
import type { WebServices } from "../area.ts";
import { Badge } from "../components/surface.tsx";
import { useWords } from "../language.ts";
import type { en } from "./words/en.ts";
import { contentWords } from "./words/index.ts";

/** What is shown of a commit's signature. */
export interface ShownSignature {
  /** undefined: not verified. */
  readonly by: { readonly name: string; readonly key: string; readonly trust: Trust } | undefined;
  /** Why not, as one of the contract's reasons. */
  readonly reason: string;
}

/** The signatures of commits by id; unsigned commits are left out. */
export function shownSignatures(
  services: Pick<WebServices, "signatures">,
  seen: SeenRepo,
  read: readonly ReadCommit[],
  people: People,
): Promise<Map<string, ShownSignature>> {
  return shownOf(services, seen, read.map(signedCommit), people);
}

/** The same for commits and tags. @param people accounts of committers and taggers, by email address */
export async function shownOf(
  { signatures }: Pick<WebServices, "signatures">,
  seen: SeenRepo,
  objects: readonly SignedObject[],
  people: People,
): Promise<Map<string, ShownSignature>> {
  const signed = objects.filter(({ signature }) => signature !== undefined);
  const found = await signatures.verify(seen.principal, signed);
  return new Map(
    signed.flatMap(({ oid, email }) => {
      const verification = found.get(oid);
      const committer = people.get(email.toLowerCase());
      return verification ? [[oid, shown({ signatures }, seen, verification, committer)] as const] : [];
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
    by: signer && { name: signer.user?.login ?? signer.name, key, trust: signatures.trustIn(seen, signer, committer) },
    reason,
  };
}

/** Names the signer, or says why the signature is not verified. */
export function SignatureBadge({ signature, short }: { signature: ShownSignature; short?: boolean }) {
  const t = useWords(contentWords);
  const { by } = signature;
  const text = signatureText(t, signature);
  const isTrusted = by?.trust === "trusted";
  return (
    <span class="signature" title={text}>
      <Badge {...(by ? { tone: isTrusted ? "ok" : "warn" } : {})} icon={isTrusted ? "check-circle" : "key"}>
        {short ? t(by ? "verified" : "notVerified") : text}
      </Badge>
    </span>
  );
}

const byTrust = { trusted: "verifiedBy", untrusted: "signedUntrusted", unmatched: "signedUnmatched" } as const;

export function signatureText(t: Translate<typeof en>, { by, reason }: ShownSignature): string {
  if (!by) return t("unverified", { reason: t(unverifiedReason(reason)) });
  return `${t(byTrust[by.trust], { name: by.name })} · ${by.key}`;
}

function unverifiedReason(reason: string) {
  switch (reason) {
    case "gpg.error.probable_bad_signature":
    case "gpg.error.probable_bad_default_signature":
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
