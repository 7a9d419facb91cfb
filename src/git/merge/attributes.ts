import type { Attributes } from "../attributes/attributes.ts";
import { type AttributeOptions, directoryAttributes, TreeAttributes } from "../attributes/tree.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { MergeAttributes } from "./content/drivers.ts";

const WANTED = ["merge", "conflict-marker-size"];

/** Merge attributes from the `.gitattributes` files of a tree, for `MergeOptions.attributesOf`. */
export function treeAttributes(store: ObjectSource, tree: Oid): (path: string) => MergeAttributes {
  const attributes = new TreeAttributes(store, tree, { only: WANTED });
  return (path) => mergeAttributes(attributes.of(path));
}

/** Merge attributes as git uses them in a bare repository: from the repository's and the user's files. */
export function fileAttributes(
  files: Pick<AttributeOptions, "info" | "user">,
  defaultDriver: string | undefined,
): (path: string) => MergeAttributes {
  const attributes = directoryAttributes({ ...files, only: WANTED });
  return (path) => mergeAttributes(attributes.of(path), defaultDriver);
}

/**
 * Drivers other than "text", "binary" and "union" are custom programs: such files are merged as text.
 * @param defaultDriver for files without a `merge` attribute (`merge.default`)
 */
function mergeAttributes(attributes: Attributes, defaultDriver?: string): MergeAttributes {
  const driver = attributes.get("merge") ?? defaultDriver;
  const size = attributes.get("conflict-marker-size");
  const markerSize = typeof size === "string" ? Number.parseInt(size, 10) : 0;
  return {
    driver: driver === false || driver === "binary" ? "binary" : driver === "union" ? "union" : "text",
    markerSize: markerSize > 0 && markerSize <= MAX_MARKER_SIZE ? markerSize : undefined,
  };
}

/** Keeps a huge marker size from filling the disk. */
const MAX_MARKER_SIZE = 1000;
