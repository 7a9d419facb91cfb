import { Type } from "@sinclair/typebox";

export const VersionResource = Type.Object(
  { version: Type.String({ description: "Version of the API dialect, with Hearth's own behind the plus sign." }) },
  { $id: "ServerVersion", description: "The server's version." },
);
