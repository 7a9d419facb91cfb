import { compact, urlOf } from "../metadata.ts";

/** The index entry from a `control` file: a stanza, whose fields may continue in lines that begin with a blank. */
export interface Control {
  /** As it appears in the index. */
  readonly stanza: string;
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly metadata: object;
}

/** Fields that the index itself provides for a file. */
const ofIndex = new Set(["filename", "size", "md5sum", "sha1", "sha256", "sha512"]);

/** Reads only the first stanza; another one would be a separate index entry. */
export function readControl(text: string): Control {
  const fields = fieldsOf(text).filter(({ key }) => !ofIndex.has(key));
  const value = (key: string) =>
    fields
      .find((field) => field.key === key)
      ?.lines.join("\n")
      .trim() ?? "";
  const [name, version, architecture] = [value("package"), value("version"), value("architecture")];
  const dependencies = value("depends").split(",");
  return {
    stanza: fields.map(({ lines, name: title }) => `${title}:${lines.join("\n")}`).join("\n"),
    name,
    version,
    architecture,
    metadata: compact({
      maintainer: value("maintainer")
        .replace(/<[^<>]*>/g, "")
        .trim(),
      project_url: urlOf(value("homepage")),
      description: value("description"),
      dependencies: dependencies.map((each) => each.trim()).filter((each) => each !== ""),
    }),
  };
}

interface Field {
  readonly name: string;
  readonly key: string;
  /** The first line without the field name. */
  readonly lines: string[];
}

function fieldsOf(text: string): Field[] {
  const fields: Field[] = [];
  for (const each of text.split("\n")) {
    const line = each.replace(/[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]/g, "").trimEnd();
    if (line === "") {
      if (fields.length > 0) break;
      continue;
    }
    if (/^[ \t]/.test(line)) {
      fields.at(-1)?.lines.push(line);
      continue;
    }
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon));
    const key = name.toLowerCase();
    // Different readers would interpret duplicate fields differently.
    if (/^[!-9;-~]+$/.test(name) && !name.startsWith("#") && !fields.some((field) => field.key === key))
      fields.push({ name, key, lines: [line.slice(colon + 1)] });
  }
  return fields;
}
