import { type Static, Type } from "@sinclair/typebox";
import type { User } from "../access/user.ts";
import { maybeText, text, texts } from "../http/fields.ts";
import type { Links } from "../kernel/links.ts";
import { segment } from "../kernel/url-path.ts";
import type { SeenRepo } from "../repos/types.ts";
import { keyIdOf, repositoryActor, siteActor, userActor } from "./addresses.ts";

export const ActivityPubResource = Type.Object(
  {
    "@context": texts("The vocabularies it uses.", "Address of a vocabulary."),
    type: text("Its type: Person, Organization, Application, Repository or OrderedCollection."),
    id: text("Its address, which identifies it."),
    name: maybeText("Its full name."),
    preferredUsername: maybeText("Its short name."),
    url: maybeText("Its page."),
    inbox: maybeText("Address of its inbox."),
    outbox: maybeText("Address of its outbox."),
    icon: Type.Optional(
      Type.Object(
        { type: text("Image."), mediaType: text("The kind of picture."), url: text("Its address.") },
        { description: "Its picture." },
      ),
    ),
    publicKey: Type.Optional(
      Type.Object(
        { id: text("Its address."), owner: text("The owner of the key."), publicKeyPem: text("The key, as PEM.") },
        { description: "Its public key." },
      ),
    ),
    totalItems: Type.Optional(Type.Integer({ description: "How many there are." })),
    orderedItems: Type.Optional(Type.Array(Type.Unknown(), { description: "All of them." })),
  },
  { $id: "ActivityPub", description: "An actor of this site, as other servers know it." },
);
type ActivityPubResource = Static<typeof ActivityPubResource>;

export const ActivityBody = Type.Object({}, { $id: "ForgeLike", description: "An activity, as JSON." });

const ACTIVITY_STREAMS = "https://www.w3.org/ns/activitystreams";
const context = [ACTIVITY_STREAMS, "https://w3id.org/security/v1"];

const boxes = (id: string) => ({ inbox: `${id}/inbox`, outbox: `${id}/outbox` });
const keyOf = (id: string, publicKeyPem: string) => ({
  publicKey: { id: keyIdOf(id), owner: id, publicKeyPem },
});

/** Contract identity.md 16.2. */
export function userResource(user: User, publicKey: string, links: Links): ActivityPubResource {
  const id = userActor(links, user);
  return {
    "@context": context,
    type: user.kind === "organization" ? "Organization" : "Person",
    id,
    ...(user.fullName === "" ? {} : { name: user.fullName }),
    preferredUsername: user.login,
    url: `${links.rootUrl}${segment(user.login)}`,
    icon: {
      type: "Image",
      mediaType: "image/png",
      url: `${links.rootUrl}avatars/${user.avatar || user.login.toLowerCase()}`,
    },
    ...boxes(id),
    ...keyOf(id, publicKey),
  };
}

export function siteResource(name: string, publicKey: string, links: Links): ActivityPubResource {
  const id = siteActor(links);
  return {
    "@context": context,
    type: "Application",
    id,
    name,
    preferredUsername: new URL(links.rootUrl).hostname,
    url: links.rootUrl,
    ...boxes(id),
    ...keyOf(id, publicKey),
  };
}

export function repositoryResource({ owner, repo }: SeenRepo, links: Links): ActivityPubResource {
  const id = repositoryActor(links, repo);
  return {
    "@context": [...context, "https://forgefed.org/ns"],
    type: "Repository",
    id,
    name: repo.name,
    url: `${links.rootUrl}${segment(owner.login)}/${segment(repo.name)}`,
    ...boxes(id),
  };
}

/** An actor's outbox: nothing is sent from here. */
export function outboxResource(actor: string): ActivityPubResource {
  return {
    "@context": [ACTIVITY_STREAMS],
    type: "OrderedCollection",
    id: `${actor}/outbox`,
    totalItems: 0,
    orderedItems: [],
  };
}
