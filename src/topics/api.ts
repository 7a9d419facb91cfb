import { Type } from "@sinclair/typebox";
import { lists, textParam } from "../http/query.ts";
import { countHeaders, json, noContent, pageHeaders } from "../http/respond.ts";
import { type Call, type Route, takes } from "../http/route.ts";
import { ValidationFailed } from "../kernel/errors.ts";
import { administersRepo, searchesRepos, seesRepo } from "../repos/access.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { topicErrorWords } from "./error-words.ts";
import { InvalidTopics, TopicListResource, TopicNames, topicResource } from "./resource.ts";

const TopicOptions = Type.Object(
  { topics: Type.Optional(Type.Array(Type.String(), { description: "The topics it should have." })) },
  { $id: "RepoTopicOptions", description: "All topics of a repository." },
);

/** Topics over REST (contract repositories.md 13). */
export function topicRoutes({ links, topics }: Services): Route[] {
  const ofRepo = { path: "/api/v1/repos/:owner/:repo/topics", surface: "api" } as const;
  const one = { ...ofRepo, path: `${ofRepo.path}/:topic`, access: administersRepo } as const;
  const named = { topic: "The topic, in any letter case." };
  const refused = { 422: { description: "A topic is invalid, or there are too many.", schema: InvalidTopics } };
  return [
    {
      ...ofRepo,
      method: "GET",
      access: seesRepo,
      doc: {
        id: "repoListTopics",
        tag: "repository",
        summary: "List the topics of a repository",
        answers: { 200: { description: "The topics.", schema: TopicNames } },
      },
      ...lists({}, (call) => {
        const all = topics.of(seenRepo(call));
        const { limit, offset } = call.paging;
        const headers = pageHeaders(all.length, { rootUrl: links.rootUrl, ...call });
        return json({ topics: all.slice(offset, offset + limit) }, 200, headers);
      }),
    },
    {
      ...ofRepo,
      method: "PUT",
      access: administersRepo,
      doc: {
        id: "repoUpdateTopics",
        tag: "repository",
        summary: "Replace the topics of a repository",
        answers: { 204: { description: "The repository has exactly these topics." }, ...refused },
      },
      ...takes(TopicOptions, (call, body) => changing(() => topics.replace(seenRepo(call), body.topics ?? []))),
    },
    {
      ...one,
      method: "PUT",
      doc: {
        id: "repoAddTopic",
        tag: "repository",
        summary: "Add a topic to a repository",
        params: named,
        answers: { 204: { description: "The repository has the topic." }, ...refused },
      },
      handle: (call) => changing(() => topics.add(seenRepo(call), topicOf(call))),
    },
    {
      ...one,
      method: "DELETE",
      doc: {
        id: "repoDeleteTopic",
        tag: "repository",
        summary: "Remove a topic from a repository",
        params: named,
        answers: {
          204: { description: "The repository no longer has the topic." },
          404: { description: "There is no such repository, or it does not have the topic." },
          ...refused,
        },
      },
      handle: (call) => changing(() => topics.remove(seenRepo(call), topicOf(call))),
    },
    {
      method: "GET",
      path: "/api/v1/topics/search",
      surface: "api",
      access: searchesRepos,
      doc: {
        id: "topicSearch",
        tag: "repository",
        summary: "Search topics",
        answers: { 200: { description: "Topics of repositories that the caller may see.", schema: TopicListResource } },
      },
      ...lists({ q: textParam("Part of the topic.") }, (call, { q }) => {
        const { items, total } = topics.search(call.principal, q, call.paging);
        return json({ topics: items.map(topicResource) }, 200, countHeaders(total));
      }),
    },
  ];
}

const topicOf = (call: Call) => call.params["topic"] ?? "";

/** Errors about topics have a special response format. */
export function changing(work: () => void): Response {
  try {
    work();
    return noContent();
  } catch (error) {
    if (!(error instanceof ValidationFailed) || !(error.code in topicErrorWords)) throw error;
    return json(invalidTopics(error), 422);
  }
}

/** The error body for clients that expect `invalidTopics`. */
export function invalidTopics({ code, params }: ValidationFailed): {
  invalidTopics?: string[] | string | null;
  message: string;
} {
  const message = String(topicErrorWords[code]);
  switch (code) {
    case "topics.too-many":
      return { invalidTopics: null, message };
    case "topics.bad-names":
      return { invalidTopics: String(params["names"]).split(","), message };
    case "topics.bad-name":
      return { invalidTopics: String(params["name"]), message };
    default:
      return { message };
  }
}
