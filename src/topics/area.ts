import type { Area } from "../area.ts";
import { onDemand, whenMade } from "../kernel/on-demand.ts";
import { topicErrorWords } from "./error-words.ts";
import type { TopicService } from "./service.ts";
import { hasTopic, topicList, withTopic } from "./store.ts";

declare module "../services.ts" {
  interface Services {
    readonly topics: TopicService;
  }
}

/** Topics by which repositories can be found. */
export const topicsArea: Area = {
  name: "topics",
  errorWords: topicErrorWords,
  routes: async () => (await import("./api.ts")).topicRoutes,
  open: ({ access, clock, db, outbox }, { generation, repos, repoSearch }) => {
    repos.addList("topics", topicList);
    repoSearch.addWords({ condition: hasTopic, ids: withTopic });
    const topics = onDemand(
      () => new (require("./service.ts") as typeof import("./service.ts")).TopicService({ access, clock, db, outbox }),
    );
    whenMade(generation, (made) =>
      made.addItem("topics", (template, repo, principal) => topics.copy(template, repo, principal)),
    );
    return { services: { topics } };
  },
};
