import { Type } from "@sinclair/typebox";
import { counted, noContent } from "../http/respond.ts";
import { type Access, type Call, param, type Route, takes } from "../http/route.ts";
import { NotFound } from "../kernel/errors.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";

const ReplaceFlagsBody = Type.Object(
  { flags: Type.Optional(Type.Array(Type.String(), { description: "The flags it should have." })) },
  { $id: "ReplaceFlagsOption", description: "All flags of a repository." },
);

const flags: Access = {
  who: "admin",
  subject: { kind: "repository", level: "read" },
  scopes: ["admin", "repository"],
  publicOnly: "filtered",
};

/** Flags of repositories over REST (contract repositories.md 19.3). */
export function flagRoutes(services: Services): Route[] {
  const all = { path: "/api/v1/repos/:owner/:repo/flags", surface: "api", access: flags } as const;
  const one = { ...all, path: `${all.path}/:flag` } as const;
  const named = { flag: "The flag." };
  const nameIn = (call: Call) => param(call, "flag");
  return [
    {
      ...all,
      method: "GET",
      doc: {
        id: "repoListFlags",
        tag: "repository",
        summary: "List the flags of a repository",
        answers: { 200: { description: "The flags, sorted.", schema: Type.Array(Type.String()) } },
      },
      handle: (call) => {
        const found = services.flags.of(seenRepo(call));
        return counted(found, found.length);
      },
    },
    {
      ...all,
      method: "PUT",
      doc: {
        id: "repoReplaceAllFlags",
        tag: "repository",
        summary: "Replace the flags of a repository",
        answers: { 204: { description: "The repository has exactly these flags." } },
      },
      ...takes(ReplaceFlagsBody, (call, body) => {
        services.flags.replace(seenRepo(call), body.flags ?? []);
        return noContent();
      }),
    },
    {
      ...all,
      method: "DELETE",
      doc: {
        id: "repoDeleteAllFlags",
        tag: "repository",
        summary: "Remove all flags of a repository",
        answers: { 204: { description: "The repository has no flags." } },
      },
      handle: (call) => {
        services.flags.replace(seenRepo(call), []);
        return noContent();
      },
    },
    {
      ...one,
      method: "PUT",
      doc: {
        id: "repoAddFlag",
        tag: "repository",
        summary: "Add a flag to a repository",
        params: named,
        answers: { 204: { description: "The repository has the flag." } },
      },
      handle: (call) => {
        services.flags.add(seenRepo(call), nameIn(call));
        return noContent();
      },
    },
    {
      ...one,
      method: "GET",
      doc: {
        id: "repoCheckFlag",
        tag: "repository",
        summary: "Check whether a repository has a flag",
        params: named,
        answers: {
          204: { description: "The repository has the flag." },
          404: { description: "The repository does not have the flag, or does not exist." },
        },
      },
      handle: (call) => {
        if (!services.flags.of(seenRepo(call)).includes(nameIn(call))) throw new NotFound();
        return noContent();
      },
    },
    {
      ...one,
      method: "DELETE",
      doc: {
        id: "repoDeleteFlag",
        tag: "repository",
        summary: "Remove a flag from a repository",
        params: named,
        answers: { 204: { description: "The repository does not have the flag." } },
      },
      handle: (call) => {
        services.flags.remove(seenRepo(call), nameIn(call));
        return noContent();
      },
    },
  ];
}
