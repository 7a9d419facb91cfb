import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole } from "../../http/fields.ts";
import { EPOCH_TIME, rfc3339, ZERO_TIME } from "../../kernel/clock.ts";
import { segment, segments } from "../../kernel/url-path.ts";
import { repoAddress, repoPage } from "../../repos/addresses.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import type { WorkflowFile } from "./service.ts";

export const WorkflowResource = Type.Object(
  {
    id: text("The file, relative to its workflow folder: `build.yml`."),
    name: text("The name given in the file, or the file name."),
    path: text("The file, from the root of the repository."),
    state: text("`active`, or `disabled_manually` if someone disabled it."),
    created_at: time("When the commit it was read from was written."),
    updated_at: time("The same."),
    url: text("Its API address."),
    html_url: text("The page of its file."),
    badge_url: text("Address of the badge that shows the result of its last run."),
    deleted_at: time("Always the year 1, because it exists."),
  },
  { $id: "ActionWorkflow", description: "A workflow." },
);
type WorkflowResource = Static<typeof WorkflowResource>;

export const WorkflowsResource = Type.Object(
  {
    workflows: Type.Array(WorkflowResource, { description: "Sorted by file." }),
    total_count: whole("How many there are."),
  },
  { $id: "ActionWorkflowResponse", description: "The workflows of a repository." },
);

export const RunDetailsResource = Type.Object(
  {
    workflow_run_id: whole("Number of the run."),
    run_url: text("Its API address."),
    html_url: text("Its page."),
  },
  { $id: "RunDetails", description: "The run that was started." },
);

/** Where a workflow was read. */
export interface WorkflowPlace {
  /** undefined if there are no commits yet. */
  readonly commit: string | undefined;
  /** The branch with that commit as its tip; undefined: it was read at the commit. */
  readonly branch: string | undefined;
}

export function workflowResource(
  { commits, links }: Pick<Services, "commits" | "links">,
  seen: SeenRepo,
  workflow: Pick<WorkflowFile, "id" | "isEnabled" | "name" | "path">,
  { branch, commit }: WorkflowPlace,
): WorkflowResource {
  const page = repoPage(seen, links);
  const author = commit === undefined ? undefined : commits.read(seen, commit)?.commit.author;
  const at = author ? rfc3339(author.timestamp * 1000) : EPOCH_TIME;
  const place = branch === undefined ? `commit/${commit}` : `branch/${segments(branch)}`;
  const badgeBranch = branch ?? seen.repo.defaultBranch;
  return {
    id: workflow.id,
    name: workflow.name,
    path: workflow.path,
    state: workflow.isEnabled ? "active" : "disabled_manually",
    created_at: at,
    updated_at: at,
    url: `${repoAddress(seen, links)}/actions/workflows/${segment(workflow.id)}`,
    html_url: `${page}/src/${place}/${segments(workflow.path)}`,
    badge_url: `${page}/actions/workflows/${segment(workflow.id)}/badge.svg?branch=${encodeURIComponent(badgeBranch)}`,
    deleted_at: ZERO_TIME,
  };
}
