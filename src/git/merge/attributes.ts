import type { Attributes } from "../attributes/attributes.ts";
import { type AttributeOptions, directoryAttributes, TreeAttributes } from "../attributes/tree.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { MergeAttributes } from "./content/drivers.ts";

const WANTED = ["merge", "conflict-marker-size"];

/** What the `.gitattributes` of a tree say about merging, for `MergeOptions.attributesOf`. */
export function treeAttributes(store: ObjectSource, tree: Oid): (path: string) => MergeAttributes {
  const attributes = new TreeAttributes(store, tree, { only: WANTED });
  return (path) => mergeAttributes(attributes.of(path));
}

/** What git goes by in a bare repository: the files of the repository and the user. */
export function fileAttributes(
  files: Pick<AttributeOptions, "info" | "user">,
  defaultDriver: string | undefined,
): (path: string) => MergeAttributes {
  const attributes = directoryAttributes({ ...files, only: WANTED });
  return (path) => mergeAttributes(attributes.of(path), defaultDriver);
}

/**
 * Drivers that are neither "text", "binary" nor "union" are programs of someone's own: those files are merged as text.
 * @param defaultDriver of files of which nothing is said (`merge.default`)
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

/** A marker is to be seen, not to fill the disk. */
const MAX_MARKER_SIZE = 1000;
