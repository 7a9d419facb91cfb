import { expect, test } from "bun:test";
import { expandName, expandVariables, templateVariables } from "../../src/generation/variables.ts";

const repo = (owner: string, name: string, description = "") => {
  const pageUrl = `https://git.example.org/${owner}/${name}`;
  return {
    owner,
    name,
    description,
    pageUrl,
    httpsUrl: `${pageUrl}.git`,
    sshUrl: `git@git.example.org:${owner}/${name}.git`,
  };
};
const at = Date.UTC(2026, 2, 7);
const variables = templateVariables(repo("ada", "my-newRepo 2", "A/B"), repo("grace", "base"), at);

test.each([
  ["$YEAR-$MONTH-$DAY", "2026-03-07"],
  ["${MONTH_ENGLISH} ${MONTH_ENGLISH_UPPER}", "March MARCH"],
  ["$REPO_NAME", "my-newRepo 2"],
  ["${REPO_NAME_SNAKE} ${REPO_NAME_KEBAB}", "my_new_repo_2 my-new-repo-2"],
  ["${REPO_NAME_CAMEL} ${REPO_NAME_PASCAL}", "myNewRepo2 MyNewRepo2"],
  ["${REPO_NAME_LOWER}|${REPO_NAME_TITLE}", "my-newrepo 2|My-NewRepo 2"],
  ["$REPO_OWNER/$TEMPLATE_OWNER_UPPER/$TEMPLATE_NAME", "ada/GRACE/base"],
  [
    "$REPO_HTTPS_URL $REPO_SSH_URL",
    "https://git.example.org/ada/my-newRepo 2.git git@git.example.org:ada/my-newRepo 2.git",
  ],
  ["${FOO} $BAR $1 $$ ${ } $", "FOO BAR $1 $$ ${ } $"],
])("%s becomes %s", (text, expanded) => {
  expect(expandVariables(text, variables)).toBe(expanded);
});

test.each([
  ["plain.txt", "plain.txt"],
  ["$REPO_DESCRIPTION.txt", "A_B.txt"],
  ["${REPO_NAME_KEBAB}.md", "my-new-repo-2.md"],
  ["..$EMPTY", "__EMPTY"],
  [".${git}", "_git"],
  ["${CON}", "_"],
])("as a name %s becomes %s", (name, expanded) => {
  expect(expandName(name, variables)).toBe(expanded);
});
