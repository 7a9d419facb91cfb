import { isHttpUrl } from "../kernel/web-address.ts";
import { readFields } from "./form.ts";
import type { ContactLink, IssueConfig, IssueTemplate } from "./types.ts";
import { BadTemplate, mappingOf, memberOf, parseMapping, textOf, textsOf } from "./yaml.ts";

/** Parses template files and their configuration (contract issues.md 16.3 and 16.5). */

const FRONT_MATTER = /^-{3,}[ \t]*\r?\n([\s\S]*?)\r?\n-{3,}[ \t]*(?:\r?\n|$)/;
const MAX_FRONT_MATTER = 64 * 1024;
const MAX_LINKS = 100;

/** @throws BadTemplate */
export function readTemplate(path: string, text: string): IssueTemplate {
  return /\.ya?ml$/i.test(path) ? readForm(path, text) : readMarkdown(path, text);
}

/** A Markdown file; without readable front matter its whole text is the initial text. @throws BadTemplate */
function readMarkdown(path: string, text: string): IssueTemplate {
  const found = FRONT_MATTER.exec(text);
  const header = found?.[1] !== undefined && found[1].length <= MAX_FRONT_MATTER ? headerOf(found[1]) : undefined;
  if (!found || !header) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    return { ...withoutHeader, path, name, about: text.slice(0, 80).toWellFormed(), content: text, fields: undefined };
  }
  return { path, ...fieldsOf(header), content: text.slice(found[0].length), fields: undefined };
}

function headerOf(yaml: string): ReturnType<typeof parseMapping> | undefined {
  try {
    return parseMapping(yaml);
  } catch {
    return undefined;
  }
}

function readForm(path: string, text: string): IssueTemplate {
  const form = parseMapping(text);
  return { path, ...fieldsOf(form), content: "", fields: readFields(memberOf(form, "body")) };
}

const withoutHeader = { title: "", labels: [], assignees: [], ref: "" };

function fieldsOf(header: ReturnType<typeof parseMapping>) {
  const name = textOf(header, "name")?.trim() ?? "";
  if (name === "") throw new BadTemplate("'name' is required");
  const about = (textOf(header, "about") || textOf(header, "description") || "").trim();
  if (about === "") throw new BadTemplate("'about' is required");
  const ref = textOf(header, "ref")?.trim() ?? "";
  return {
    name,
    about,
    title: textOf(header, "title") ?? "",
    labels: textsOf(header, "labels"),
    assignees: textsOf(header, "assignees"),
    ref: ref === "" || ref.startsWith("refs/") ? ref : `refs/heads/${ref}`,
  };
}

/** @throws BadTemplate */
export function readConfig(text: string): IssueConfig {
  // A file with nothing but comments means the defaults.
  if (text.split("\n").every((line) => /^\s*(#.*)?$/.test(line))) return { allowsBlank: true, contactLinks: [] };
  const config = parseMapping(text);
  const allowsBlank = memberOf(config, "blank_issues_enabled") ?? true;
  if (typeof allowsBlank !== "boolean") throw new BadTemplate("blank_issues_enabled should be true or false");
  const links = memberOf(config, "contact_links") ?? [];
  if (!Array.isArray(links)) throw new BadTemplate("contact_links should be a list");
  if (links.length > MAX_LINKS) throw new BadTemplate(`contact_links are more than ${MAX_LINKS}`);
  return { allowsBlank, contactLinks: links.map(readLink) };
}

function readLink(given: unknown, at: number): ContactLink {
  const link = mappingOf(given) ?? {};
  const required = (key: string) => {
    const value = textOf(link, key)?.trim() ?? "";
    if (value === "") throw new BadTemplate(`contact_link at position ${at + 1} is missing ${key} key`);
    return value;
  };
  const found = { name: required("name"), url: required("url"), about: required("about") };
  if (!isHttpUrl(found.url)) throw new BadTemplate(`${found.url} is not a valid URL`);
  return found;
}
