import { type Static, Type } from "@sinclair/typebox";
import { text, whole, yesNo } from "../http/fields.ts";
import type { Links } from "../kernel/links.ts";
import { repoAddress } from "../repos/addresses.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Label } from "./types.ts";

export const LabelResource = Type.Object(
  {
    id: whole("Number of the label; never used again."),
    name: text("The word itself; with a slash, what stands before it is the label's scope."),
    exclusive: yesNo("Whether an item has at most one label of the same scope."),
    is_archived: yesNo("Whether it is out of use: it stays where it is, and is not offered any more."),
    color: text("Six hexadecimal digits, without `#`."),
    description: text("What it is for."),
    url: text("API address of the label."),
  },
  { $id: "Label", description: "A word that sorts issues and pull requests." },
);
export type LabelResource = Static<typeof LabelResource>;

/** A label as it is shown with the items of a repository. */
export function labelResource(label: Label, seen: SeenRepo, links: Links): LabelResource {
  return label.repoId === undefined
    ? ownerLabelResource(label, seen.owner.login, links)
    : resourceAt(label, repoAddress(seen, links));
}

/** A label of an organization. */
export function ownerLabelResource(label: Label, login: string, links: Links): LabelResource {
  return resourceAt(label, `${links.rootUrl}api/v1/orgs/${login}`);
}

/** @param home API address of what has the label */
function resourceAt(label: Label, home: string): LabelResource {
  return {
    id: label.id,
    name: label.name,
    exclusive: label.isExclusive,
    is_archived: label.archivedAt !== undefined,
    color: label.color,
    description: label.description,
    url: `${home}/labels/${label.id}`,
  };
}
