import { readCode } from "../../src/content/access.ts";
import { trimOf } from "../../src/git/text-ends.ts";
import { json } from "../../src/http/respond.ts";
import type { Call, Route } from "../../src/http/route.ts";
import { NotFound } from "../../src/kernel/errors.ts";
import type { RefKind } from "../links.ts";
import { pathOf, placeOf } from "./place.ts";
import type { Sources } from "./sources.ts";
import type { TreeLevel, TreeNode } from "./tree-levels.ts";

const KINDS: readonly RefKind[] = ["branch", "tag", "commit"];

/** A directory's entries for the file tree beside a page (contract web.md 1.6). */
export function treeViewPages(sources: Sources): Route[] {
  return KINDS.map((kind) => ({
    method: "GET",
    path: `/:owner/:repo/tree-view/${kind}/*`,
    surface: "page",
    access: readCode,
    handle: (call) => treeView(sources, call, kind),
  }));
}

/** `sub_path` names what is open below the directory. */
async function treeView({ services, levels }: Sources, call: Call, kind: RefKind): Promise<Response> {
  const { seen, at, path } = placeOf(services, call, "tree-view", kind);
  const directory = services.files.entry(seen, at.commit, path);
  if (directory.kind !== "dir") throw new NotFound();
  const below = trimOf(call.query.get("sub_path") ?? "", "/");
  const level = await levels.of(seen, directory, below === "" ? "" : pathOf(below.split("/")));
  return json({ fileTreeNodes: nodesOf(level), renderedIconPool: {} });
}

const MODES = { dir: "tree", file: "blob", symlink: "symlink", submodule: "commit" } as const;

function nodesOf({ nodes }: TreeLevel): object[] {
  return nodes.map((node: TreeNode) => ({
    entryName: node.name,
    entryMode: node.isExecutable ? "exec" : MODES[node.kind],
    entryIcon: "",
    entryIconOpen: "",
    fullPath: node.path,
    ...(node.children ? { children: nodesOf(node.children) } : {}),
  }));
}
