import { Type } from "@sinclair/typebox";
import { text, texts, whole } from "../../http/fields.ts";

const names = (description: string) => texts(description, "Name of a protocol or service.");

export const NodeInfoResource = Type.Object(
  {
    version: text("Version of the NodeInfo schema: 2.1."),
    software: Type.Object(
      {
        name: text("Name of the software."),
        version: text("Its version."),
        repository: text("Address of its source code."),
        homepage: text("Its home page."),
      },
      { description: "The server software." },
    ),
    protocols: names("Protocols the server speaks with other servers."),
    services: Type.Object(
      { inbound: names("Services it imports content from."), outbound: names("Services it publishes content to.") },
      { description: "Other services it is connected with." },
    ),
    openRegistrations: Type.Boolean({ description: "Whether visitors may create accounts." }),
    usage: Type.Object(
      {
        users: Type.Object(
          {
            total: Type.Optional(whole("Number of accounts of people.")),
            activeHalfyear: Type.Optional(whole("Number of those who signed in during the last 180 days.")),
            activeMonth: Type.Optional(whole("Number of those who signed in during the last 30 days.")),
          },
          { description: "Number of users, if the server publishes it." },
        ),
        localPosts: whole("Number of issues."),
        localComments: whole("Number of comments."),
      },
      { description: "Usage statistics." },
    ),
    metadata: Type.Object({}, { description: "Always empty." }),
  },
  { $id: "NodeInfo", description: "Public information about this server (NodeInfo 2.1)." },
);
