import { Type } from "@sinclair/typebox";
import { decodeText } from "../../git/objects/headers.ts";
import { maybeText } from "../../http/fields.ts";
import { asks } from "../../http/query.ts";
import { json } from "../../http/respond.ts";
import { param, type Route } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { readCode } from "../access.ts";
import { refParam } from "../files/api.ts";
import { editorDefinition } from "./definition.ts";

const MAX_BYTES = 256 * 1024;

export const EditorDefinitionResource = Type.Object(
  {
    charset: maybeText("Character set of the file."),
    indent_style: maybeText("tab or space."),
    indent_size: maybeText("Width of an indentation step in columns."),
    end_of_line: maybeText("lf, cr or crlf."),
  },
  { $id: "EditorConfigDefinition", description: "Editor settings for a file." },
);

/** The settings in `.editorconfig` (contract git-content.md 5.3). */
export function editorconfigRoutes({ files, revisions }: Services): Route[] {
  return [
    {
      method: "GET",
      path: "/api/v1/repos/:owner/:repo/editorconfig/:filepath",
      surface: "api",
      access: readCode,
      doc: {
        id: "repoGetEditorConfig",
        tag: "repository",
        summary: "Get the .editorconfig settings for a file",
        params: { filepath: "Name of the file." },
        answers: {
          200: { description: "The settings that apply.", schema: EditorDefinitionResource },
          404: { description: "There is no .editorconfig." },
        },
      },
      ...asks({ ref: refParam }, (call, { ref }) => {
        const seen = seenRepo(call);
        const { repo } = seen;
        if (repo.isEmpty) throw new NotFound("repository.empty");
        const { at } = revisions.lenient(seen, ".editorconfig", ref);
        const file = files.find(seen, at.commit, ".editorconfig");
        const data = file?.kind === "file" ? files.bytes(seen, file.oid, MAX_BYTES) : undefined;
        if (!data) throw new NotFound("path.missing", { params: { path: ".editorconfig" } });
        return json(editorDefinition(decodeText(data), param(call, "filepath")));
      }),
    },
  ];
}
