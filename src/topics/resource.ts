import { type Static, Type } from "@sinclair/typebox";
import { text, time } from "../http/fields.ts";
import { rfc3339 } from "../kernel/clock.ts";
import type { Topic } from "./types.ts";

export const TopicNames = Type.Object(
  { topics: Type.Array(Type.String(), { description: "The topics, sorted by name." }) },
  { $id: "TopicName", description: "The topics of a repository." },
);

export const TopicResource = Type.Object(
  {
    id: Type.Integer({ description: "Its number." }),
    topic_name: text("The topic itself."),
    repo_count: Type.Integer({ description: "Number of repositories with it that the caller may see." }),
    created: time("When it was first used."),
    updated: time("When it was last added to or removed from a repository."),
  },
  { $id: "TopicResponse", description: "A topic of repositories." },
);
export type TopicResource = Static<typeof TopicResource>;

export const TopicListResource = Type.Object(
  { topics: Type.Array(TopicResource, { description: "The topics, most used first." }) },
  { $id: "TopicListResponse", description: "The result of a topic search." },
);

export function topicResource(topic: Topic): TopicResource {
  return {
    id: topic.id,
    topic_name: topic.name,
    repo_count: topic.repoCount,
    created: rfc3339(topic.createdAt),
    updated: rfc3339(topic.updatedAt),
  };
}

/** The error body that names invalid topics (contract repositories.md 13). */
export const InvalidTopics = Type.Object(
  {
    invalidTopics: Type.Optional(
      Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()], {
        description:
          "The invalid topics: a list when replacing all, a string when adding one; null if there are too many.",
      }),
    ),
    message: text("The error message."),
  },
  { $id: "InvalidTopicsError", description: "Why topics were refused." },
);
