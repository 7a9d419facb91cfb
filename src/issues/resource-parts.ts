import type { PullRequestMetaResource } from "./resource.ts";
import type { SeenIssue } from "./types.ts";

/**
 * What other areas say in the resource of an item, by its field there. An area adds its field by declaration merging, and
 * to the schema in `resource.ts`.
 */
export interface ResourceParts {
  pull_request: PullRequestMetaResource;
}

/** Makes a field for many items at once, by their ids; items without an entry have the empty value. */
type Maker<Value> = (items: readonly SeenIssue[]) => ReadonlyMap<number, Value>;

/** The fields of items' resources that belong to other areas. */
export class ItemResourceParts {
  private readonly makers = new Map<keyof ResourceParts, Maker<unknown>>();

  /** Areas say what their field holds, while they are wired. */
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
