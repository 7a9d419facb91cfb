import { isObject, type JsonObject, objectOf, textOf } from "../../src/kernel/json.ts";

export interface Dependency {
  readonly name: string;
  /** The version range; empty: any, or it is part of the name. */
  readonly version: string;
}

/** Keys under which registries record a version's dependencies. */
const MEMBERS = ["dependencies", "require", "runtime_dependencies", "depends", "imports", "linking_to"];
const MAX_SHOWN = 200;

/** The dependencies of a version, from its registry metadata; each pair of name and version once. */
export function dependenciesOf(read: JsonObject): Dependency[] {
  const groups = Array.isArray(read["dependency_groups"]) ? read["dependency_groups"].map(objectOf) : [];
  const lists = [read, objectOf(read["pubspec"]), ...groups].flatMap((from) => MEMBERS.map((name) => from[name]));
  const found = new Map(lists.flatMap(listed).map((each) => [`${each.name} ${each.version}`, each]));
  return [...found.values()].slice(0, MAX_SHOWN);
}

/** From a list of names or of objects, or an object with versions by name. */
function listed(value: unknown): Dependency[] {
  const all = Array.isArray(value)
    ? value.map((each) => (typeof each === "string" ? { name: each, version: "" } : dependencyOf(objectOf(each))))
    : Object.entries(objectOf(value)).map(([name, version]) => ({ name, version: textOf(version) }));
  return all.filter(({ name }) => name !== "");
}

function dependencyOf(row: JsonObject): Dependency {
  const { artifact_id: artifact, group_id: group, id, name, range, req, version } = row;
  const named = textOf(artifact) === "" ? textOf(name) || textOf(id) : `${textOf(group)}:${textOf(artifact)}`;
  const requirements = (Array.isArray(version) ? version : []).filter(isObject);
  const joined = requirements.map((each) => `${textOf(each["restriction"])} ${textOf(each["version"])}`).join(", ");
  return { name: named, version: textOf(version) || textOf(req) || textOf(range) || joined };
}
