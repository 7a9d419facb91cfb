import { type Static, Type } from "@sinclair/typebox";
import { text, time, whole, yesNo } from "../../http/fields.ts";
import { rfc3339, ZERO_TIME } from "../../kernel/clock.ts";
import { repoAddress } from "../../repos/addresses.ts";
import type { SeenRepo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import type { ListedArtifact } from "./types.ts";

const EMPTY = "Always empty.";

const ArtifactRunResource = Type.Object(
  {
    id: whole("Number of the run."),
    url: text(EMPTY),
    previous_attempt_url: Type.Null({ description: EMPTY }),
    html_url: text(EMPTY),
    display_title: text(EMPTY),
    path: text(EMPTY),
    event: text(EMPTY),
    run_attempt: whole("Always 0."),
    run_number: whole("Always 0."),
    repository_id: whole("Number of its repository."),
    head_sha: text("The commit it is for."),
    status: text(EMPTY),
    pull_requests: Type.Null({ description: EMPTY }),
    started_at: time("Always the year 1."),
    completed_at: time("Always the year 1."),
  },
  { $id: "ActionArtifactRun", description: "The run that left an artifact, in short." },
);

export const ArtifactResource = Type.Object(
  {
    id: whole("Number of the artifact; never used again."),
    name: text("What its job called it."),
    size_in_bytes: whole("The length of its file."),
    url: text("Its API address."),
    archive_download_url: text("Where its file is."),
    expired: yesNo("Whether its time is over, and its file gone."),
    workflow_run: ArtifactRunResource,
    created_at: time("When it was begun."),
    updated_at: time("When it was finished."),
    expires_at: time("When its file goes."),
  },
  { $id: "ActionArtifact", description: "What a job left behind." },
);
type ArtifactResource = Static<typeof ArtifactResource>;

export const ArtifactsResource = Type.Object(
  {
    artifacts: Type.Array(ArtifactResource, { description: "Those of this page." }),
    total_count: whole("How many there are on all pages."),
  },
  { $id: "ActionArtifactsResponse", description: "A page of artifacts." },
);

export function artifactResource(
  { artifacts, links }: Pick<Services, "artifacts" | "links">,
  seen: SeenRepo,
  artifact: ListedArtifact,
): ArtifactResource {
  const url = artifactAddress(seen, links, artifact.id);
  return {
    id: artifact.id,
    name: artifact.name,
    size_in_bytes: artifact.sizeBytes,
    url,
    archive_download_url: `${url}/zip`,
    expired: artifacts.isOver(artifact),
    workflow_run: {
      id: artifact.runId,
      url: "",
      previous_attempt_url: null,
      html_url: "",
      display_title: "",
      path: "",
      event: "",
      run_attempt: 0,
      run_number: 0,
      repository_id: artifact.repoId,
      head_sha: artifact.commit,
      status: "",
      pull_requests: null,
      started_at: ZERO_TIME,
      completed_at: ZERO_TIME,
    },
    created_at: rfc3339(artifact.createdAt),
    updated_at: rfc3339(artifact.updatedAt),
    expires_at: rfc3339(artifact.expiresAt),
  };
}

/** API address of an artifact. */
export const artifactAddress = (seen: SeenRepo, links: Services["links"], id: number): string =>
  `${repoAddress(seen, links)}/actions/artifacts/${id}`;
