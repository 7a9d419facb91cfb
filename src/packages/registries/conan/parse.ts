import { BadRequest } from "../../../kernel/errors.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { urlOf } from "../metadata.ts";

const MAX_RECIPE_BYTES = 1 << 20;
const MAX_INFO_BYTES = 1 << 20;

const ATTRIBUTE = /^[ \t]*(author|description|homepage|license|url)[ \t]*=[ \t]*(?:"([^"\n]*)"|'([^'\n]*)')/gm;
const TOPICS = /^[ \t]*topics[ \t]*=[ \t]*[([]([^)\]]*)/m;
const QUOTED = /"([^"\n]*)"|'([^'\n]*)'/g;

/** Parses a recipe's `conanfile.py`: only attributes that are plain strings. */
export async function readRecipe(file: Blob): Promise<JsonObject> {
  const text = new TextDecoder().decode(await file.slice(0, MAX_RECIPE_BYTES).arrayBuffer());
  const said = new Map<string, string>();
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) said.set(name, double ?? single ?? "");
  const topics = TOPICS.exec(text)?.[1] ?? "";
  return {
    author: said.get("author") ?? "",
    project_url: urlOf(said.get("homepage")),
    repository_url: urlOf(said.get("url")),
    license: said.get("license") ?? "",
    description: said.get("description") ?? "",
    keywords: [...topics.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? ""),
  };
}

/** Parses a binary's `conaninfo.txt`, and keeps its text, which newer clients use. @throws BadRequest */
export async function readInfo(file: Blob): Promise<JsonObject> {
  const content = await textOf(file);
  const sections = sectionsOf(content);
  const lines = (name: string) => sections.get(name) ?? [];
  const values = (name: string) => Object.fromEntries(lines(name).map(pairOf));
  return {
    settings: values("settings"),
    full_settings: values("full_settings"),
    requires: lines("requires"),
    full_requires: lines("full_requires"),
    options: values("options"),
    full_options: values("full_options"),
    recipe_hash: lines("recipe_hash")[0] ?? "",
    environment: Object.fromEntries(lines("env").map(pairOf).map(listed)),
    content,
  };
}

/** @throws BadRequest if it is too long, or not UTF-8 */
async function textOf(file: Blob): Promise<string> {
  if (file.size > MAX_INFO_BYTES) throw invalid();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw invalid();
  }
}

const invalid = () => new BadRequest("packages.conan-info");

/** The lines of each `[section]`. @throws BadRequest if a line precedes all sections */
function sectionsOf(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let lines: string[] | undefined;
  for (const given of text.split("\n")) {
    const line = given.trim();
    if (line === "") continue;
    if (line.startsWith("[") && line.endsWith("]")) {
      lines = [];
      sections.set(line.slice(1, -1), lines);
    } else if (lines) lines.push(line);
    else throw invalid();
  }
  return sections;
}

function pairOf(line: string): [name: string, value: string] {
  const at = line.indexOf("=");
  return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

/** A value in `[env]` may be a list in brackets. */
function listed([name, value]: [string, string]): [string, string[]] {
  if (!value.startsWith("[") || !value.endsWith("]")) return [name, [value]];
  const values = value.slice(1, -1).split(",");
  return [name, values.map((each) => each.trim().replace(/^(["'])(.*)\1$/, "$2")).filter((each) => each !== "")];
}
