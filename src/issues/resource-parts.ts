import type { PullRequestMetaResource } from "./resource.ts";
import type { SeenIssue } from "./types.ts";

/**
 * Fields that other areas contribute to an item's resource, by name. An area adds its field here by declaration
 * merging, and to the schema in `resource.ts`.
 */
export interface ResourceParts {
  pull_request: PullRequestMetaResource;
}

/** Computes a field for many items at once, by item id; items without an entry get the empty value. */
type Maker<Value> = (items: readonly SeenIssue[]) => ReadonlyMap<number, Value>;

/** The resource fields of items that belong to other areas. */
export class ItemResourceParts {
  private readonly makers = new Map<keyof ResourceParts, Maker<unknown>>();

  /** Registers an area's field; called while areas are wired. */
  add<Name extends keyof ResourceParts>(name: Name, make: Maker<ResourceParts[Name]>): void {
    if (this.makers.has(name)) throw new Error(`two areas make ${name} of items`);
    this.makers.set(name, make);
  }

  of<Name extends keyof ResourceParts>(
    name: Name,
    items: readonly SeenIssue[],
  ): ReadonlyMap<number, ResourceParts[Name]> {
    const make = this.makers.get(name) as Maker<ResourceParts[Name]> | undefined;
    return make?.(items) ?? new Map();
  }
}
