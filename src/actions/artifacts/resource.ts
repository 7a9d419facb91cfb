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
  { $id: "ActionArtifactRun", description: "The run that produced an artifact, in short." },
);

export const ArtifactResource = Type.Object(
  {
    id: whole("Number of the artifact; never used again."),
    name: text("Name of the artifact, given by its job."),
    size_in_bytes: whole("Size of its file."),
    url: text("Its API address."),
    archive_download_url: text("Address of its file."),
    expired: yesNo("Whether it has expired and its file is gone."),
    workflow_run: ArtifactRunResource,
    created_at: time("When the upload started."),
    updated_at: time("When the upload finished."),
    expires_at: time("When it expires."),
  },
  { $id: "ActionArtifact", description: "An artifact of a job." },
);
type ArtifactResource = Static<typeof ArtifactResource>;

export const ArtifactsResource = Type.Object(
  {
    artifacts: Type.Array(ArtifactResource, { description: "The items on this page." }),
    total_count: whole("The total number on all pages."),
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
