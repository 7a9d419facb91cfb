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
    topic_name: text("The word."),
    repo_count: Type.Integer({ description: "How many repositories have it that the caller may see." }),
    created: time("When it was first used."),
    updated: time("When a repository last took or dropped it."),
  },
  { $id: "TopicResponse", description: "A word that repositories are found by." },
);
export type TopicResource = Static<typeof TopicResource>;

export const TopicListResource = Type.Object(
  { topics: Type.Array(TopicResource, { description: "What was found, the most used first." }) },
  { $id: "TopicListResponse", description: "Topics that were found." },
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

/** What refuses topics names them (contract repositories.md 13). */
export const InvalidTopics = Type.Object(
  {
    invalidTopics: Type.Optional(
      Type.Union([Type.Array(Type.String()), Type.String(), Type.Null()], {
        description:
          "The bad ones: a list when all were replaced, a word when one was named; null when there are too many.",
      }),
    ),
    message: text("What is wrong."),
  },
  { $id: "InvalidTopicsError", description: "Why topics were refused." },
);
