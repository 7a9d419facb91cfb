import { Type } from "@sinclair/typebox";
import { administersSite } from "../../access/requirements.ts";
import { text, time, whole, yesNo } from "../../http/fields.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import { repoAddress } from "../../repos/addresses.ts";
import { RepoResource, repoResources } from "../../repos/resource.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import { keyLine } from "../ssh/resource.ts";
import type { DeployKey } from "../types.ts";

export const DeployKeyResource = Type.Object(
  {
    id: whole("Number of the deploy key."),
    key_id: whole("Number of the key itself, the same at every repository that has it."),
    key: text("Type, base64 and comment."),
    url: text("API address of the deploy key."),
    title: text("Its title in this repository."),
    fingerprint: text("SHA256: and the hash of the key in base64."),
    created_at: time("When it was added."),
    read_only: yesNo("Whether it gives only read access."),
    repository: Type.Optional(RepoResource),
  },
  { $id: "DeployKey", description: "A key that gives access to one repository." },
);

/** @param withRepo whether to include the repository for those allowed to see it: its owner and site administrators */
export function deployKeyResources(
  services: Services,
  seen: SeenRepo,
  keys: readonly DeployKey[],
  withRepo: boolean,
): unknown[] {
  const { principal, repo } = seen;
  const isShown = withRepo && (administersSite(principal) || principal.user?.id === repo.ownerId);
  const [repository] = isShown ? repoResources(services, [seen]) : [];
  return keys.map((key) => ({
    id: key.id,
    key_id: key.keyId,
    key: keyLine(key),
    url: `${repoAddress(seen, services.links)}/keys/${key.id}`,
    title: key.title,
    fingerprint: key.fingerprint,
    created_at: rfc3339(key.createdAt),
    read_only: key.isReadOnly,
    ...(repository ? { repository } : {}),
  }));
}
