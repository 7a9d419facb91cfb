import type { Services } from "../services.ts";
import { pushPayload } from "./payloads/push.ts";
import { statusPayload } from "./payloads/status.ts";

/** What a payload is made of that takes reading commits: as it is stored until it is sent. */
export type PayloadSource = PushSource | StatusSource;

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

/** Makes the payload. @param stored what a happening wrote down @returns undefined: what it tells of is gone */
export async function payloadOf(services: Services, stored: string): Promise<object | undefined> {
  // Written from this type.
  const source = JSON.parse(stored) as PayloadSource;
  return source.source === "push" ? pushPayload(services, source) : statusPayload(services, source);
}
