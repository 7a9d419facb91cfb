import type { Area } from "../area.ts";
import { topicErrorWords } from "./error-words.ts";
import { TopicService } from "./service.ts";
import { hasTopic, topicList, withTopic } from "./store.ts";

declare module "../services.ts" {
  interface Services {
    readonly topics: TopicService;
  }
}

/** Topics: words that repositories are found by. */
export const topicsArea: Area = {
  name: "topics",
  errorWords: topicErrorWords,
  routes: async () => (await import("./api.ts")).topicRoutes,
  open: ({ access, clock, db, outbox }, { generation, repos, repoSearch }) => {
    repos.addList("topics", topicList);
    repoSearch.addWords({ condition: hasTopic, ids: withTopic });
    const topics = new TopicService({ access, clock, db, outbox });
    generation.addItem("topics", (template, made, principal) => topics.copy(template, made, principal));
    return { services: { topics } };
  },
};
