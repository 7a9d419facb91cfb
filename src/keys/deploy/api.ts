import { Type } from "@sinclair/typebox";
import { lists, numberParam, textParam } from "../../http/query.ts";
import { created, json, noContent, page } from "../../http/respond.ts";
import { type Route, takes } from "../../http/route.ts";
import { administersRepo } from "../../repos/access.ts";
import { seenRepo } from "../../repos/subject.ts";
import type { Services } from "../../services.ts";
import { numberOf } from "../number-of.ts";
import { CreateKeyBody } from "../ssh/resource.ts";
import { DeployKeyResource, deployKeyResources } from "./resource.ts";

/** Deploy keys over REST (contract repositories.md 19.1). */
export function deployKeyRoutes(services: Services): Route[] {
  const { deployKeys, links } = services;
  const all = { path: "/api/v1/repos/:owner/:repo/keys", surface: "api", access: administersRepo } as const;
  const one = { ...all, path: `${all.path}/:id` } as const;
  const params = { id: "Number of the deploy key." };
  const missing = { 404: { description: "The repository has no such key." } };
  return [
    {
      ...all,
      method: "GET",
      doc: {
        id: "repoListKeys",
        tag: "repository",
        summary: "List a repository's deploy keys",
        answers: { 200: { description: "The deploy keys.", schema: Type.Array(DeployKeyResource) } },
      },
      ...lists(
        {
          key_id: numberParam("Only the one with this key."),
          fingerprint: textParam("Only the one with this fingerprint."),
        },
        (call, { key_id: keyId, fingerprint }) => {
          const seen = seenRepo(call);
          const asked = { keyId: keyId || undefined, fingerprint: fingerprint || undefined };
          const { items, total } = deployKeys.list(seen, asked, call.paging);
          return page(deployKeyResources(services, seen, items, true), total, { rootUrl: links.rootUrl, ...call });
        },
      ),
    },
    {
      ...all,
      method: "POST",
      doc: {
        id: "repoCreateKey",
        tag: "repository",
        summary: "Add a deploy key to a repository",
        answers: {
          201: { description: "The deploy key.", schema: DeployKeyResource },
          422: { description: "The key cannot be read or is too weak, or the key or its title is already in use." },
        },
      },
      ...takes(CreateKeyBody, async (call, { title, key, read_only: isReadOnly = false }) => {
        const seen = seenRepo(call);
        const added = await deployKeys.add(seen, { title, key, isReadOnly });
        return created(deployKeyResources(services, seen, [added], false)[0]);
      }),
    },
    {
      ...one,
      method: "GET",
      doc: {
        id: "repoGetKey",
        tag: "repository",
        summary: "Get a deploy key of a repository",
        params,
        answers: { 200: { description: "The deploy key.", schema: DeployKeyResource }, ...missing },
      },
      handle: (call) => {
        const seen = seenRepo(call);
        return json(deployKeyResources(services, seen, [deployKeys.get(seen, numberOf(call))], true)[0]);
      },
    },
    {
      ...one,
      method: "DELETE",
      doc: {
        id: "repoDeleteKey",
        tag: "repository",
        summary: "Delete a deploy key from a repository",
        params,
        answers: {
          204: { description: "Deleted; the key no longer gives access." },
          404: { description: "The key belongs to another repository." },
        },
      },
      handle: (call) => {
        deployKeys.remove(seenRepo(call), numberOf(call));
        return noContent();
      },
    },
  ];
}
