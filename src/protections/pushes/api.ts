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
    max_file_bytes: whole("The largest file a push may add; 0 if the repository sets no limit."),
    refuse_secrets: yesNo("Whether files with what looks like a secret are refused."),
    patterns: texts("Patterns for files to refuse.", "An RE2 regular expression."),
  },
  { $id: "PushLimits", description: "The push limits of a repository." },
);

const EditPushLimitsBody = Type.Object(
  {
    max_file_bytes: Type.Optional(Type.Integer({ description: "The largest file a push may add; 0 for no limit." })),
    refuse_secrets: maybeYesNo("Refuse files with what looks like a secret."),
    patterns: Type.Optional(
      Type.Array(Type.String({ description: "An RE2 regular expression." }), {
        description: "Refuse files that match one.",
      }),
    ),
  },
  { $id: "EditPushLimitsOption", description: "Changes to the limits; fields left out are unchanged." },
);

/** Push limits over REST, an extension: no other forge has these routes. */
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
        summary: "Get the push limits of a repository",
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
        summary: "Set the push limits of a repository",
        answers: {
          200: limits,
          422: { description: "A value is invalid." },
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
