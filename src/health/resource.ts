import { Type } from "@sinclair/typebox";
import { text } from "../http/fields.ts";

export const VersionResource = Type.Object(
  { version: text("Version of the API dialect, with Hearth's own behind the plus sign.") },
  { $id: "ServerVersion", description: "The server's version." },
);
