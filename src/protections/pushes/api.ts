import { Type } from "@sinclair/typebox";
import { maybeYesNo, texts, whole, yesNo } from "../../http/fields.ts";
import { json } from "../../http/respond.ts";
import { type Route, takes } from "../../http/route.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { changeRules, readRules } from "../access.ts";
import type { PushLimits } from "./types.ts";

const path = "/api/v1/repos/:owner/:repo/push_limits";

const PushLimitsResource = Type.Object(
  {
    max_file_bytes: whole("The largest file a push may bring; 0: no limit of the repository's own."),
    refuse_secrets: yesNo("Whether files with what looks like a secret are refused."),
    patterns: texts("Files that match one are refused.", "A regular expression of RE2."),
  },
  { $id: "PushLimits", description: "What pushes to a repository may bring." },
);

const EditPushLimitsBody = Type.Object(
  {
    max_file_bytes: Type.Optional(Type.Integer({ description: "The largest file a push may bring; 0: no limit." })),
    refuse_secrets: maybeYesNo("Refuse files with what looks like a secret."),
    patterns: Type.Optional(
      Type.Array(Type.String({ description: "A regular expression of RE2." }), {
        description: "Refuse files that match one.",
      }),
    ),
  },
  { $id: "EditPushLimitsOption", description: "What to change of the limits; what is left out stays." },
);

/** Limits of pushes over REST: Hearth's own, no other forge has these routes. */
export function pushLimitRoutes({ pushLimits }: Services): Route[] {
  const show = ({ maxFileBytes, refusesSecrets, patterns }: PushLimits) => ({
    max_file_bytes: maxFileBytes,
    refuse_secrets: refusesSecrets,
    patterns: [...patterns],
  });
  const limits = { description: "The limits.", schema: PushLimitsResource };
  return [
    {
      method: "GET",
      path,
      surface: "api",
      access: readRules,
      doc: {
        id: "repoGetPushLimits",
        tag: "repository",
        summary: "Get what pushes to a repository may bring",
        answers: { 200: limits },
      },
      handle: (call) => json(show(pushLimits.get(seenRepo(call)))),
    },
    {
      method: "PATCH",
      path,
      surface: "api",
      access: changeRules,
      doc: {
        id: "repoEditPushLimits",
        tag: "repository",
        summary: "Set what pushes to a repository may bring",
        answers: {
          200: limits,
          422: { description: "A value is not acceptable." },
          423: { description: "The repository is archived." },
        },
      },
      ...takes(EditPushLimitsBody, async (call, body) =>
        json(
          show(
            await pushLimits.set(seenRepo(call), {
              maxFileBytes: body.max_file_bytes,
              refusesSecrets: body.refuse_secrets,
              patterns: body.patterns,
            }),
          ),
        ),
      ),
    },
  ];
}
