import { BadRequest } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf, textOf, urlOf } from "../metadata.ts";

/** A POM as far as it is shown. @throws BadRequest it is none, or names no group */
export function readPom(bytes: Uint8Array): JsonObject {
  const invalid = () => new BadRequest("packages.maven-pom");
  let parsed: unknown;
  try {
    const text = decoded(bytes);
    // Nothing that a document declares by itself is read.
    if (text.includes("<!DOCTYPE")) throw invalid();
    parsed = Bun.XML.parse(text);
  } catch {
    throw invalid();
  }
  const project = objectOf(objectOf(parsed)["project"]);
  const parent = objectOf(project["parent"]);
  const text = (value: unknown) => textOf(value).trim();
  const group = text(project["groupId"]) || text(parent["groupId"]);
  if (group === "") throw invalid();
  return {
    group_id: group,
    artifact_id: text(project["artifactId"]),
    name: text(project["name"]),
    description: text(project["description"]),
    project_url: urlOf(text(project["url"])),
    licenses: rowsOf(project["licenses"], "license")
      .map(({ name }) => text(name))
      .filter((name) => name !== ""),
    dependencies: rowsOf(project["dependencies"], "dependency").map((each) => ({
      group_id: text(each["groupId"]),
      artifact_id: text(each["artifactId"]),
      version: text(each["version"]),
    })),
  };
}

/** In the encoding that the document names. */
function decoded(bytes: Uint8Array): string {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 200));
  const [, encoding = "utf-8"] = /^<\?xml[^>]*encoding=["']([\w.-]+)["']/.exec(head) ?? [];
  return new TextDecoder(encoding as "utf-8", { fatal: true }).decode(bytes);
}

/** One element is no list. */
function rowsOf(parent: unknown, name: string): JsonObject[] {
  const rows = objectOf(parent)[name];
  if (rows === undefined) return [];
  return (Array.isArray(rows) ? rows : [rows]).map(objectOf);
}
