import { BRANCHES, TAGS } from "../../git/refs/names.ts";
import { type JsonObject, objectOf, textOf } from "../../kernel/json.ts";

/** What a run is, as the server's expressions and its tasks see it. */
export interface RunFacts {
  readonly id: number;
  readonly number: number;
  readonly attempt: number;
  /** As workflows name it: `push`. */
  readonly event: string;
  readonly payload: JsonObject;
  readonly ref: string;
  readonly commit: string;
  /** The commit the workflow was read at. */
  readonly sourceCommit: string;
  readonly workflow: string;
  readonly owner: string;
  readonly repo: string;
  /** Who caused the run, and who this attempt. */
  readonly actor: string;
  readonly triggeringActor: string;
  /** Ends in `/`. */
  readonly rootUrl: string;
}

/** Fields that runners fill in or the server does not know: present but empty. */
const unknown = [
  "graphql_url",
  "env",
  "path",
  "event_path",
  "workspace",
  "action",
  "action_path",
  "action_ref",
  "action_repository",
  "action_status",
  "retention_days",
];

/** The `github` context, without what only a task has: its token, and which job it is (contract actions.md 6.9). */
export function githubContext(facts: RunFacts): JsonObject {
  const { owner, repo, payload, rootUrl } = facts;
  const pull = objectOf(payload["pull_request"]);
  const base = textOf(objectOf(pull["base"])["ref"]);
  const isTarget = facts.event === "pull_request_target" && base !== "";
  const ref = isTarget ? BRANCHES + base : facts.ref;
  return {
    ...Object.fromEntries(unknown.map((name) => [name, ""])),
    event: payload,
    event_name: facts.event,
    repository: `${owner}/${repo}`,
    repository_owner: owner,
    repositoryUrl: `${rootUrl}${owner}/${repo}`,
    ref,
    ref_name: shortRef(ref),
    ref_type: ref.startsWith(BRANCHES) ? "branch" : ref.startsWith(TAGS) ? "tag" : "",
    ref_protected: false,
    sha: isTarget ? facts.sourceCommit : facts.commit,
    base_ref: base,
    head_ref: textOf(objectOf(pull["head"])["ref"]),
    actor: facts.actor,
    triggering_actor: facts.triggeringActor,
    run_id: String(facts.id),
    run_number: String(facts.number),
    run_attempt: String(facts.attempt),
    job: "",
    workflow: facts.workflow,
    server_url: rootUrl,
    api_url: `${rootUrl}api/v1`,
    secret_source: "Actions",
  };
}

/** `main`, `v1`; for a pull request, its number. */
export function shortRef(ref: string): string {
  const [, kind, ...rest] = ref.split("/");
  if (!ref.startsWith("refs/")) return ref;
  return kind === "pull" ? (rest[0] ?? "") : rest.join("/");
}
