import { Type } from "@sinclair/typebox";
import { text, texts, whole } from "../../http/fields.ts";

const names = (description: string) => texts(description, "Name of a protocol or service.");

export const NodeInfoResource = Type.Object(
  {
    version: text("Version of the form of this answer: 2.1."),
    software: Type.Object(
      {
        name: text("Name of the software."),
        version: text("Its version."),
        repository: text("Where its source is."),
        homepage: text("Its home page."),
      },
      { description: "What the server runs." },
    ),
    protocols: names("Protocols the server speaks with other servers."),
    services: Type.Object(
      { inbound: names("Services it takes content from."), outbound: names("Services it hands content to.") },
      { description: "Other services it is connected with." },
    ),
    openRegistrations: Type.Boolean({ description: "Whether visitors may make accounts." }),
    usage: Type.Object(
      {
        users: Type.Object(
          {
            total: Type.Optional(whole("People with an account.")),
            activeHalfyear: Type.Optional(whole("Those who signed in during the last 180 days.")),
            activeMonth: Type.Optional(whole("Those who signed in during the last 30 days.")),
          },
          { description: "How many people use the server, where it tells." },
        ),
        localPosts: whole("Issues written here."),
        localComments: whole("Comments written here."),
      },
      { description: "How much the server is used." },
    ),
    metadata: Type.Object({}, { description: "Nothing." }),
  },
  { $id: "NodeInfo", description: "What other servers may know of this one (NodeInfo 2.1)." },
);
