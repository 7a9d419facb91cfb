import { type Static, Type } from "@sinclair/typebox";
import { text, whole, yesNo } from "../http/fields.ts";
import type { Links } from "../kernel/links.ts";
import { repoAddress } from "../repos/addresses.ts";
import type { SeenRepo } from "../repos/types.ts";
import type { Label } from "./types.ts";

export const LabelResource = Type.Object(
  {
    id: whole("Number of the label; never used again."),
    name: text("Name of the label; the part before the last slash is its scope."),
    exclusive: yesNo("Whether an item can have only one label of the same scope."),
    is_archived: yesNo("Whether it is archived: it stays on existing items but is no longer offered."),
    color: text("Six hexadecimal digits, without `#`."),
    description: text("Description."),
    url: text("API address of the label."),
  },
  { $id: "Label", description: "A label for issues and pull requests." },
);
export type LabelResource = Static<typeof LabelResource>;

/** A label as shown with a repository's items. */
export function labelResource(label: Label, seen: SeenRepo, links: Links): LabelResource {
  return label.repoId === undefined
    ? ownerLabelResource(label, seen.owner.login, links)
    : resourceAt(label, repoAddress(seen, links));
}

/** An organization's label. */
export function ownerLabelResource(label: Label, login: string, links: Links): LabelResource {
  return resourceAt(label, `${links.rootUrl}api/v1/orgs/${login}`);
}

/** @param home API address of the label's owner */
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
