import type { Attributes } from "../attributes/attributes.ts";
import { TreeAttributes } from "../attributes/tree.ts";
import type { ObjectSource } from "../objects/source.ts";
import type { Oid } from "../objects/types.ts";
import type { MergeAttributes } from "./content/drivers.ts";

const WANTED = ["merge", "conflict-marker-size"];

/** What the `.gitattributes` of a tree say about merging, for `MergeOptions.attributesOf`. */
export function treeAttributes(store: ObjectSource, tree: Oid, info?: Uint8Array): (path: string) => MergeAttributes {
  const attributes = new TreeAttributes(store, tree, { only: WANTED, ...(info ? { info } : {}) });
  return (path) => mergeAttributes(attributes.of(path));
}

/** Drivers that are neither "text", "binary" nor "union" are programs of somebody's own: those files are merged as text. */
function mergeAttributes(attributes: Attributes): MergeAttributes {
  const driver = attributes.get("merge");
  const size = attributes.get("conflict-marker-size");
  const markerSize = typeof size === "string" ? Number.parseInt(size, 10) : 0;
  return {
    driver: driver === false || driver === "binary" ? "binary" : driver === "union" ? "union" : "text",
    markerSize: markerSize > 0 && markerSize <= MAX_MARKER_SIZE ? markerSize : undefined,
  };
}

/** A marker is to be seen, not to fill the disk. */
const MAX_MARKER_SIZE = 1000;
