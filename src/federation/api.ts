import { readBody } from "../http/body.ts";
import { disabled } from "../http/disabled.ts";
import { parseJson } from "../http/json.ts";
import { json, noContent } from "../http/respond.ts";
import { type Access, type Call, param, type Route } from "../http/route.ts";
import { clientNetwork } from "../kernel/client-network.ts";
import { BadRequest, Failure, Forbidden } from "../kernel/errors.ts";
import { RateLimiter } from "../kernel/rate-limiter.ts";
import type { Services } from "../services.ts";
import { repositoryActor, siteActor, userActor } from "./addresses.ts";
import {
  ActivityBody,
  ActivityPubResource,
  outboxResource,
  repositoryResource,
  siteResource,
  userResource,
} from "./resource.ts";
import type { Activity } from "./service.ts";
import { webFingerRoute } from "./webfinger.ts";

const ROOT = "/api/v1/activitypub";
const everyone: Access = { who: "anyone", scopes: ["activitypub"], publicOnly: "filtered" };
const tag = "activitypub";
const route = { surface: "api", access: everyone } as const;

/** Messages per network and minute: each may make this server send a request to another. */
const MESSAGES_A_MINUTE = 60;

const LD_JSON = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';

/** This site and its people and repositories as other servers see them (contract identity.md 16). */
export function federationRoutes(services: Services): Route[] {
  const routes = [webFingerRoute(services), ...actorRoutes(services), ...inboxRoutes(services)];
  return services.config["federation.enabled"] ? routes : disabled(routes);
}

function actorRoutes({ actorKeys, config, federation, links }: Services): Route[] {
  const actor = { 200: { description: "The actor.", schema: ActivityPubResource } };
  const collection = { 200: { description: "The outbox, which is always empty.", schema: ActivityPubResource } };
  const missing = { 404: { description: "It does not exist, or the caller may not see it." } };
  const userId = { "user-id": "Number of the account." };
  const repositoryId = { "repository-id": "Number of the repository." };
  const user = async (call: Call, found: ReturnType<typeof federation.userById>) =>
    activity(call, userResource(found, await actorKeys.publicKey(found), links));
  return [
    {
      ...route,
      method: "GET",
      path: `${ROOT}/actor`,
      doc: { id: "activitypubInstanceActor", tag, summary: "Get the actor of the site", answers: actor },
      handle: async (call) => activity(call, siteResource(config.name, await actorKeys.publicKey(), links)),
    },
    {
      ...route,
      method: "GET",
      path: `${ROOT}/actor/outbox`,
      doc: { id: "activitypubInstanceActorOutbox", tag, summary: "Get the site's outbox", answers: collection },
      handle: (call) => activity(call, outboxResource(siteActor(links))),
    },
    {
      ...route,
      method: "GET",
      path: `${ROOT}/user-id/:user-id`,
      doc: {
        id: "activitypubPerson",
        tag,
        summary: "Get the actor of an account",
        params: userId,
        answers: { ...actor, ...missing },
      },
      handle: (call) => user(call, federation.userById(call.principal, param(call, "user-id"))),
    },
    {
      ...route,
      method: "GET",
      path: `${ROOT}/user-id/:user-id/outbox`,
      doc: {
        id: "activitypubPersonOutbox",
        tag,
        summary: "Get the outbox of an account",
        params: userId,
        answers: { ...collection, ...missing },
      },
      handle: (call) =>
        activity(call, outboxResource(userActor(links, federation.userById(call.principal, param(call, "user-id"))))),
    },
    {
      ...route,
      method: "GET",
      path: `${ROOT}/user/:username`,
      doc: {
        id: "activitypubPersonByName",
        tag,
        summary: "Get the actor of an account by its name",
        params: { username: "Name of the account." },
        answers: { ...actor, ...missing },
      },
      handle: (call) => user(call, federation.userByName(call.principal, param(call, "username"))),
    },
    {
      ...route,
      method: "GET",
      path: `${ROOT}/repository-id/:repository-id`,
      doc: {
        id: "activitypubRepository",
        tag,
        summary: "Get the actor of a repository",
        params: repositoryId,
        answers: { ...actor, ...missing },
      },
      handle: (call) =>
        activity(
          call,
          repositoryResource(federation.repositoryById(call.principal, param(call, "repository-id")), links),
        ),
    },
    {
      ...route,
      method: "GET",
      path: `${ROOT}/repository-id/:repository-id/outbox`,
      doc: {
        id: "activitypubRepositoryOutbox",
        tag,
        summary: "Get the outbox of a repository",
        params: repositoryId,
        answers: { ...collection, ...missing },
      },
      handle: (call) => {
        const { repo } = federation.repositoryById(call.principal, param(call, "repository-id"));
        return activity(call, outboxResource(repositoryActor(links, repo)));
      },
    },
  ];
}

interface Inbox {
  readonly path: string;
  readonly id: string;
  readonly what: string;
  readonly params?: Record<string, string>;
  /** @throws NotFound its owner does not exist here */
  find?(call: Call): unknown;
}

function inboxRoutes({ clock, config, federation, incomingSignatures }: Services): Route[] {
  const messages = new RateLimiter({ limit: MESSAGES_A_MINUTE, windowMs: 60_000 });
  const maxBytes = config["federation.max_mib"] * 2 ** 20;
  const answers = {
    204: { description: "The message was accepted." },
    400: { description: "The message is not signed, or its key cannot be fetched." },
    403: { description: "The message is signed by someone else, or was changed in transit." },
    404: { description: "There is no such actor here." },
  };

  /** The message in the body, and its signer. */
  const received = async (call: Call): Promise<{ readonly message: Activity; readonly signer: string }> => {
    const { headers, method } = call.request;
    const signed = { method, target: call.target, header: (name: string) => headers.get(name) };
    const header = incomingSignatures.read(signed);
    messages.take(clientNetwork(call.address));
    const body = await readBody(call, maxBytes).catch((error: unknown) => {
      if (error instanceof Failure && error.code === "request.digest-mismatch")
        throw new Forbidden("federation.wrong-signature");
      throw error;
    });
    const signer = await incomingSignatures.actorOf(header, signed, call.request.signal);
    const parsed = parseJson(body);
    if ("problem" in parsed) throw new BadRequest(parsed.problem);
    // Non-objects have none of these.
    const { type, actor, object, startTime } = Object(parsed.value) as Partial<Record<keyof Activity, unknown>>;
    const message = { type, actor, object, startTime };
    federation.requireFrom(signer, message);
    return { message, signer };
  };

  const inbox = ({ path, id, what, params, find }: Inbox): Route => ({
    ...route,
    method: "POST",
    path: `${ROOT}/${path}/inbox`,
    doc: { id, tag, summary: `Send a message to ${what}`, ...(params ? { params } : {}), answers },
    handle: async (call) => {
      find?.(call);
      await received(call);
      return noContent();
    },
  });
  return [
    inbox({ path: "actor", id: "activitypubInstanceActorInbox", what: "the actor of the site" }),
    inbox({
      path: "user-id/:user-id",
      id: "activitypubPersonInbox",
      what: "an account",
      params: { "user-id": "Number of the account." },
      find: (call) => federation.userById(call.principal, param(call, "user-id")),
    }),
    inbox({
      path: "user/:username",
      id: "activitypubPersonInboxByName",
      what: "an account by its name",
      params: { username: "Name of the account." },
      find: (call) => federation.userByName(call.principal, param(call, "username")),
    }),
    {
      ...route,
      method: "POST",
      path: `${ROOT}/repository-id/:repository-id/inbox`,
      doc: {
        id: "activitypubRepositoryInbox",
        tag,
        summary: "Send a message to a repository",
        params: { "repository-id": "Number of the repository." },
        answers: {
          ...answers,
          406: { description: "The activity is not a Like of this repository, or was sent before." },
        },
      },
      body: ActivityBody,
      handle: async (call) => {
        const seen = federation.repositoryById(call.principal, param(call, "repository-id"));
        const { message, signer } = await received(call);
        federation.receiveLike(seen, message, signer, clock());
        return noContent();
      },
    },
  ];
}

/** Answers in the requested format. */
function activity({ request }: Call, document: unknown): Response {
  const asksForLd = /^\s*application\/ld\+json/i.test(request.headers.get("accept") ?? "");
  return json(document, 200, { "content-type": asksForLd ? LD_JSON : "application/activity+json" });
}
