import { type Static, Type } from "@sinclair/typebox";
import { text, time, yesNo } from "../../http/fields.ts";
import { rfc3339 } from "../../kernel/clock.ts";
import { durationText } from "../../kernel/duration.ts";
import { recordedFailure } from "../../remotes/recorded-failure.ts";
import type { Repo } from "../../repos/types.ts";
import type { Services } from "../../services.ts";
import type { PushMirror } from "./types.ts";

export const PushMirrorResource = Type.Object(
  {
    repo_name: text("Name of the repository."),
    remote_name: text("Name of the mirror."),
    remote_address: text("The address it is pushed to, without credentials."),
    created: time("When it was added."),
    last_update: time("The last push; 1970 if there was none yet."),
    last_error: text("The error of the last push; empty if it succeeded."),
    interval: text("Push interval; 0s to push only after changes or on request."),
    sync_on_commit: yesNo("Whether it is pushed to after every change."),
    public_key: text("The SSH key of the mirror; always empty here."),
  },
  { $id: "PushMirror", description: "A push mirror: a repository elsewhere that this one is pushed to." },
);

/** A push mirror's resource (contract repositories.md 10.2). */
export function pushMirrorResource(
  { messages }: Pick<Services, "messages">,
  { name }: Repo,
  mirror: PushMirror,
): Static<typeof PushMirrorResource> {
  const failure = recordedFailure(mirror.lastError);
  return {
    repo_name: name,
    remote_name: mirror.remoteName,
    remote_address: mirror.address,
    created: rfc3339(mirror.createdAt),
    last_update: rfc3339(mirror.pushedAt ?? 0),
    last_error: failure ? messages.of(failure) : "",
    interval: durationText(mirror.intervalMs),
    sync_on_commit: mirror.syncOnCommit,
    public_key: "",
  };
}
