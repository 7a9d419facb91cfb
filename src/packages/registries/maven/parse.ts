import { BadRequest } from "../../../kernel/errors.ts";
import { type JsonObject, objectOf, textOf } from "../../../kernel/json.ts";
import { urlOf } from "../metadata.ts";
import { parseXml, rowsOf, textOfXml } from "../xml-texts.ts";

/** Parses the fields of a POM that pages show. @throws BadRequest if it is invalid, or names no group */
export function readPom(bytes: Uint8Array): JsonObject {
  const invalid = () => new BadRequest("packages.maven-pom");
  let parsed: unknown;
  try {
    parsed = parseXml(textOfXml(bytes));
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
