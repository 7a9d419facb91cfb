/** The values of variables in a template's files (contract repositories.md 6). */
export type Variables = ReadonlyMap<string, string>;

/** One of the two repositories that variables refer to. */
export interface NamedRepo {
  readonly owner: string;
  readonly name: string;
  readonly description: string;
  readonly pageUrl: string;
  readonly httpsUrl: string;
  readonly sshUrl: string;
}

/**
 * @param made the repository being created, `template` the one it is created from
 * @param now milliseconds since 1970; dates are UTC
 */
export function templateVariables(made: NamedRepo, template: NamedRepo, now: number): Variables {
  const date = new Date(now);
  const month = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" }).format(date);
  const twoDigits = (number: number) => String(number).padStart(2, "0");
  const variables = new Map([
    ["YEAR", String(date.getUTCFullYear())],
    ["MONTH", twoDigits(date.getUTCMonth() + 1)],
    ["DAY", twoDigits(date.getUTCDate())],
  ]);
  withForms(variables, "MONTH_ENGLISH", month);
  for (const [prefix, repo] of [
    ["REPO", made],
    ["TEMPLATE", template],
  ] as const) {
    withForms(variables, `${prefix}_NAME`, repo.name);
    withForms(variables, `${prefix}_OWNER`, repo.owner);
    variables.set(`${prefix}_DESCRIPTION`, repo.description);
    variables.set(`${prefix}_LINK`, repo.pageUrl);
    variables.set(`${prefix}_HTTPS_URL`, repo.httpsUrl);
    variables.set(`${prefix}_SSH_URL`, repo.sshUrl);
  }
  return variables;
}

/** `$NAME` and `${NAME}`; unknown names are replaced by themselves. */
export function expandVariables(text: string, variables: Variables): string {
  return text.replace(/\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g, (_, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? "";
    return variables.get(name) ?? name;
  });
}

function withForms(variables: Map<string, string>, name: string, value: string): void {
  const words = wordsOf(value);
  const capitals = words.map(capitalised);
  variables.set(name, value);
  variables.set(`${name}_SNAKE`, words.join("_"));
  variables.set(`${name}_KEBAB`, words.join("-"));
  variables.set(`${name}_CAMEL`, [words[0] ?? "", ...capitals.slice(1)].join(""));
  variables.set(`${name}_PASCAL`, capitals.join(""));
  variables.set(`${name}_LOWER`, value.toLowerCase());
  variables.set(`${name}_UPPER`, value.toUpperCase());
  variables.set(`${name}_TITLE`, value.replace(/[\p{L}\p{N}]+/gu, capitalised));
}

/** Lower-case words: split at anything but letters and digits, and before a capital that follows a small letter. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** One path element with its variables expanded: a name valid on every system that cannot leave the tree. */
export function expandName(name: string, variables: Variables): string {
  const expanded = expandVariables(name, variables);
  if (expanded === name) return name;
  const safe = expanded.replace(/[<>:"/\\|?*\x00-\x1f\x7f]/g, "_").replace(/^\.\./, "__");
  if (/^\.git$/i.test(safe)) return "_git";
  return DEVICE.test(safe) || safe === "" || safe === "." ? "_" : safe;
}
