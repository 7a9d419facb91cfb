/** Locations of templates (contract issues.md 16.2), in order of precedence. */

const directories = [".forgejo", ".gitea", ".github", ".gitlab"];
const spellings = ["ISSUE_TEMPLATE", "issue_template"];
const endings = ["md", "yaml", "yml"];

/** Directories whose files are templates. */
export const templateDirectories: readonly string[] = [
  ...spellings,
  ...directories.flatMap((directory) => spellings.map((name) => `${directory}/${name}`)),
];

const configDirectories = [".forgejo", ".gitea", ".github"];

/** The configuration: the first existing file. */
export const configFiles: readonly string[] = configDirectories.flatMap((directory) =>
  spellings.flatMap((name) => ["yaml", "yml"].map((ending) => `${directory}/${name}/config.${ending}`)),
);

function singleFiles(names: readonly string[]): string[] {
  const all = names.flatMap((name) => endings.map((ending) => `${name}.${ending}`));
  return ["", ...configDirectories.map((directory) => `${directory}/`)].flatMap((directory) =>
    all.map((name) => directory + name),
  );
}

/** The single template of a repository without a template directory: the first existing file. */
export const singleIssueFiles: readonly string[] = singleFiles(spellings);
export const singlePullFiles: readonly string[] = singleFiles(["PULL_REQUEST_TEMPLATE", "pull_request_template"]);

/** Whether a file in one of the directories is a template. */
export function isTemplateName(name: string): boolean {
  return /\.(md|yaml|yml)$/.test(name) && !/^config\.(yaml|yml)$/.test(name);
}
