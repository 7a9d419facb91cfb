import type { Status } from "../actions/runs/statuses.ts";
import type { Services } from "../services.ts";
import { jobPayload, runPayload } from "./payloads/actions.ts";
import { pushPayload } from "./payloads/push.ts";
import { statusPayload } from "./payloads/status.ts";

/** The stored source of a payload whose construction reads commits; stored until it is sent. */
export type PayloadSource = JobSource | PushSource | RunSource | StatusSource;

export interface PushSource {
  readonly source: "push";
  readonly repoId: number;
  /** In full. */
  readonly ref: string;
  readonly oldOid: string | null;
  readonly newOid: string | null;
  readonly userId: number | null;
}

export interface StatusSource {
  readonly source: "status";
  readonly repoId: number;
  readonly commit: string;
  readonly number: number;
  readonly userId: number | null;
}

/** The progress of a run or a job. */
interface Progress {
  readonly status: Status;
  readonly startedAt?: number | undefined;
  readonly stoppedAt?: number | undefined;
}

export interface RunSource extends Progress {
  readonly source: "workflow-run";
  readonly action: "requested" | "in_progress" | "completed";
  readonly repoId: number;
  readonly runId: number;
  readonly attempt: number;
}

export interface JobSource extends Progress {
  readonly source: "workflow-job";
  readonly repoId: number;
  readonly jobId: number;
  readonly taskId?: number | undefined;
}

/** Builds the payload. @param stored the stored source @returns undefined: its subject is gone */
export async function payloadOf(services: Services, stored: string): Promise<object | undefined> {
  // Serialized from this type.
  const source = JSON.parse(stored) as PayloadSource;
  if (source.source === "push") return pushPayload(services, source);
  if (source.source === "workflow-run") return runPayload(services, source);
  return source.source === "workflow-job" ? jobPayload(services, source) : statusPayload(services, source);
}
