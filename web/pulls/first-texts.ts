import type { Comparison } from "../../src/content/compare/service.ts";
import type { Call } from "../../src/http/route.ts";
import type { IssueTemplate } from "../../src/issue-templates/types.ts";
import type { WebServices } from "../area.ts";

const MAX_PREFILLED = 10_000;
/** Longer subjects continue in the text (contract pulls.md 22.1). */
const MAX_TITLE = 255;

export interface FirstTexts {
  readonly title: string;
  readonly body: string;
  readonly template: IssueTemplate | undefined;
}

/**
 * The initial values of a new pull request's form (contract pulls.md 22.1): from the URL, else the message of the only
 * commit, or the branch's name; then the template of the base.
 */
export async function firstTexts(services: WebServices, call: Call, comparison: Comparison): Promise<FirstTexts> {
  const { base, head } = comparison;
  const asked = (name: string) => call.query.get(name)?.slice(0, MAX_PREFILLED);
  const { pull: template } = await services.issueTemplates.read(base.seen);
  const said = onlyCommit(services, comparison);
  const title = asked("title") ?? (template?.title || said?.title) ?? humanized(head.at.name);
  const body = asked("body") ?? [said?.body ?? "", template?.content ?? ""].filter((text) => text !== "").join("\n\n");
  return { title, body, template };
}

function onlyCommit({ commits }: WebServices, { commits: oids, head, total }: Comparison) {
  const [oid] = oids;
  const read = total === 1 && oid !== undefined ? commits.read(head.seen, oid) : undefined;
  if (!read) return undefined;
  const [subject = "", ...rest] = read.commit.message.trim().split("\n");
  const over = subject.slice(MAX_TITLE).trim();
  const body = rest.join("\n").trim();
  return { title: subject.slice(0, MAX_TITLE), body: [over, body].filter((text) => text !== "").join("\n\n") };
}

/** Turns `fix-the_parser` and `fixTheParser` into `Fix the parser`. */
function humanized(branch: string): string {
  const words = (branch.split("/").at(-1) ?? branch)
    .replace(/([a-z])([A-Z])/g, (_pair, end: string, begin: string) => `${end} ${begin.toLowerCase()}`)
    .replace(/[-_]+/g, " ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
