import { type Checkbox, type FieldType, type FormField, fieldTypes, type Place, places } from "./types.ts";
import { BadTemplate, flagOf, type Mapping, mappingOf, memberOf, textOf } from "./yaml.ts";

/** Parses forms (contract issues.md 16.4); errors name the position: `body[2](input): …`. */

const MAX_FIELDS = 100;
const MAX_OPTIONS = 500;

/** @param body of the form's file @throws BadTemplate */
export function readFields(body: unknown): FormField[] {
  if (!Array.isArray(body) || body.length === 0) throw new BadTemplate("'body' is required");
  if (body.length > MAX_FIELDS) throw new BadTemplate(`'body' has more than ${MAX_FIELDS} fields`);
  const ids = new Set<string>();
  return body.map((given: unknown, at) => {
    const field = readField(given, at);
    if (ids.has(field.id)) throw new BadTemplate(`body[${at}](${field.type}): 'id' should be unique`);
    ids.add(field.id);
    return field;
  });
}

function readField(given: unknown, at: number): FormField {
  const field = mappingOf(given);
  const named = field && memberOf(field, "type");
  const type = fieldTypes.find((known) => known === named);
  if (!field || !type)
    throw new BadTemplate(`body[${at}](${typeof named === "string" ? named.slice(0, 50) : ""}): unknown type`);
  const where = `body[${at}](${type}): `;
  const attributes = section(field, "attributes", where);
  const validations = section(field, "validations", where);
  const visible = readPlaces(field, where) ?? (type === "markdown" ? ["form"] : ["form", "content"]);
  const isRequired = type !== "markdown" && type !== "checkboxes" && flagOf(validations, "required", where);
  if (isRequired && !visible.includes("form")) throw new BadTemplate(`${where}can not require a hidden field`);
  const options = type === "dropdown" ? readOptions(attributes, where) : [];
  return {
    type,
    id: readId(field, at, where),
    ...textAttributes(type, attributes, where),
    hidesLabel: flagOf(attributes, "hide_label", where),
    options,
    checkboxes: type === "checkboxes" ? readCheckboxes(attributes, where) : [],
    isMultiple: flagOf(attributes, "multiple", where),
    isList: flagOf(attributes, "list", where),
    default: type === "dropdown" ? readDefault(attributes, options.length, where) : undefined,
    isRequired,
    isNumber: type === "input" && flagOf(validations, "is_number", where),
    regex: type === "input" ? readRegex(validations, where) : "",
    visible,
  };
}

function section(field: Mapping, key: string, where: string): Mapping {
  const value = memberOf(field, key);
  const mapping = value === undefined ? {} : mappingOf(value);
  if (!mapping) throw new BadTemplate(`${where}'${key}' should be a mapping`);
  return mapping;
}

function readId(field: Mapping, at: number, where: string): string {
  const id = textOf(field, "id", where) ?? "";
  if (id === "") return String(at);
  if (id.length > 100 || !/^[a-zA-Z0-9_-]+$/.test(id))
    throw new BadTemplate(`${where}'id' should contain only alphanumeric, '-' and '_'`);
  return id;
}

function textAttributes(type: FieldType, attributes: Mapping, where: string) {
  const text = (key: string) => textOf(attributes, key, where) ?? "";
  const required = type === "markdown" ? "value" : "label";
  if (text(required) === "") throw new BadTemplate(`${where}'${required}' is required`);
  return {
    label: text("label"),
    description: text("description"),
    placeholder: text("placeholder"),
    value: text("value"),
    render: type === "textarea" ? text("render").replace(/[^\w+#.-]/g, "") : "",
  };
}

function readOptions(attributes: Mapping, where: string): string[] {
  return optionsOf(attributes, where).map((option, at) => {
    if (typeof option === "string" && option !== "") return option;
    if (typeof option === "number" || typeof option === "boolean") return String(option);
    throw new BadTemplate(`${where}option[${at}]: should be a text`);
  });
}

function optionsOf(attributes: Mapping, where: string): unknown[] {
  const options = memberOf(attributes, "options");
  if (!Array.isArray(options) || options.length === 0) throw new BadTemplate(`${where}'options' is required`);
  if (options.length > MAX_OPTIONS) throw new BadTemplate(`${where}'options' are more than ${MAX_OPTIONS}`);
  return options;
}

function readDefault(attributes: Mapping, count: number, where: string): number | undefined {
  const value = memberOf(attributes, "default");
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isInteger(value))
    throw new BadTemplate(`${where}'default' should be a number`);
  if (value < 0 || value >= count) throw new BadTemplate(`${where}'default' is out of the range of 'options'`);
  return value;
}

function readCheckboxes(attributes: Mapping, where: string): Checkbox[] {
  return optionsOf(attributes, where).map((given, at) => {
    const place = `${where}option[${at}]: `;
    const option = mappingOf(given);
    if (!option) throw new BadTemplate(`${place}should be a mapping`);
    const label = textOf(option, "label", place) ?? "";
    if (label === "") throw new BadTemplate(`${place}'label' is required`);
    const visible = readPlaces(option, place) ?? ["form", "content"];
    const isRequired = flagOf(option, "required", place);
    if (isRequired && !visible.includes("form")) throw new BadTemplate(`${place}can not require a hidden checkbox`);
    return { label, isRequired, visible };
  });
}

function readPlaces(field: Mapping, where: string): Place[] | undefined {
  const value = memberOf(field, "visible");
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) throw new BadTemplate(`${where}'visible' should be a list`);
  return value.map((given: unknown) => {
    const place = places.find((known) => known === given);
    if (!place) throw new BadTemplate(`${where}'visible' should be a list of 'form' and 'content'`);
    return place;
  });
}

function readRegex(validations: Mapping, where: string): string {
  const regex = textOf(validations, "regex", where) ?? "";
  try {
    new RegExp(regex);
  } catch {
    throw new BadTemplate(`${where}'regex' is not a regular expression`);
  }
  return regex;
}
