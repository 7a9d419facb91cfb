import type { Core } from "../../core.ts";
import type { Services } from "../../services.ts";
import { ArtifactService } from "./service.ts";
import { ArtifactSignatures } from "./signatures.ts";
import { ArtifactUploads } from "./uploads.ts";

declare module "../../services.ts" {
  interface Services {
    /** The artifacts of jobs. */
    readonly artifacts: ArtifactService;
    readonly artifactUploads: ArtifactUploads;
    readonly artifactSignatures: ArtifactSignatures;
  }
}

const MIB = 2 ** 20;

/** Uploading, serving and expiring the artifacts of jobs (contract actions.md 7.5). */
export function openArtifacts(
  { clock, config, db, secret }: Core,
  { blobs, quotas, repos }: Services,
): Pick<Services, "artifactSignatures" | "artifactUploads" | "artifacts"> {
  const artifacts = new ArtifactService({ blobs, clock, db, repos });
  const artifactUploads = new ArtifactUploads({
    blobs,
    clock,
    db,
    quotas,
    repos,
    maxBytes: config["actions.artifact_mib"] * MIB,
    standardDays: config["actions.artifact_days"],
  });
  return { artifacts, artifactUploads, artifactSignatures: new ArtifactSignatures(secret, clock) };
}
