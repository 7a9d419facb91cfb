import { Type } from "@sinclair/typebox";
import { json } from "../../http/respond.ts";
import { type Access, param, type Route } from "../../http/route.ts";
import { NotFound } from "../../kernel/errors.ts";
import { gitignoreNames, gitignoreText, isGitignoreName } from "../../repos/templates/gitignore.ts";
import { isLicenseId, licenseIds, licenseText } from "../../repos/templates/licenses.ts";
import type { Services } from "../../services.ts";
import {
  GitignoreTemplateResource,
  LabelTemplateResource,
  LicenseEntryResource,
  LicenseTemplateResource,
  TemplateNames,
} from "./resource.ts";

const open: Access = { who: "anyone", scopes: [], publicOnly: "filtered" };
const missing = { 404: { description: "There is no such template." } };
const tag = "miscellaneous";

/** Templates a repository may start from: ignore files, licences, label sets. */
export function templateRoutes(services: Services): Route[] {
  return [...gitignoreRoutes(), ...licenseRoutes(services), ...labelRoutes(services)];
}

function gitignoreRoutes(): Route[] {
  return [
    {
      method: "GET",
      path: "/api/v1/gitignore/templates",
      surface: "api",
      access: open,
      doc: {
        id: "listGitignoresTemplates",
        tag,
        summary: "List .gitignore templates",
        answers: { 200: { description: "The names.", schema: TemplateNames } },
      },
      handle: () => json(gitignoreNames),
    },
    {
      method: "GET",
      path: "/api/v1/gitignore/templates/:name",
      surface: "api",
      access: open,
      doc: {
        id: "getGitignoreTemplateInfo",
        tag,
        summary: "Get a .gitignore template",
        params: { name: "Name of the template, such as Go." },
        answers: { 200: { description: "The template.", schema: GitignoreTemplateResource }, ...missing },
      },
      handle: async (call) => {
        const name = param(call, "name");
        if (!isGitignoreName(name)) throw new NotFound();
        return json({ name, source: await gitignoreText(name) });
      },
    },
  ];
}

function licenseRoutes({ links }: Services): Route[] {
  const entry = (id: string) => ({
    key: id,
    name: id,
    url: `${links.rootUrl}api/v1/licenses/${encodeURIComponent(id)}`,
  });
  return [
    {
      method: "GET",
      path: "/api/v1/licenses",
      surface: "api",
      access: open,
      doc: {
        id: "listLicenseTemplates",
        tag,
        summary: "List license templates",
        answers: { 200: { description: "The licences, sorted.", schema: Type.Array(LicenseEntryResource) } },
      },
      handle: () => json(licenseIds.map(entry)),
    },
    {
      method: "GET",
      path: "/api/v1/licenses/:name",
      surface: "api",
      access: open,
      doc: {
        id: "getLicenseTemplateInfo",
        tag,
        summary: "Get a license",
        params: { name: "SPDX identifier of the licence, such as MIT." },
        answers: { 200: { description: "The licence with its text.", schema: LicenseTemplateResource }, ...missing },
      },
      handle: async (call) => {
        const id = param(call, "name");
        if (!isLicenseId(id)) throw new NotFound();
        const implementation =
          "Create a text file (typically named LICENSE or LICENSE.txt) in the root of your source code and copy the text of the license into the file";
        return json({ ...entry(id), implementation, body: await licenseText(id) });
      },
    },
  ];
}

function labelRoutes({ labelSets }: Services): Route[] {
  return [
    {
      method: "GET",
      path: "/api/v1/label/templates",
      surface: "api",
      access: open,
      doc: {
        id: "listLabelTemplates",
        tag,
        summary: "List label templates",
        answers: { 200: { description: "The names.", schema: TemplateNames } },
      },
      handle: () => json(labelSets.names()),
    },
    {
      method: "GET",
      path: "/api/v1/label/templates/:name",
      surface: "api",
      access: open,
      doc: {
        id: "getLabelTemplateInfo",
        tag,
        summary: "Get a label template",
        params: { name: "Name of the set, such as Default." },
        answers: { 200: { description: "The labels.", schema: Type.Array(LabelTemplateResource) }, ...missing },
      },
      handle: (call) => {
        const labels = labelSets.find(param(call, "name"));
        if (!labels) throw new NotFound();
        return json(labels.map(({ color, description, exclusive, name }) => ({ name, exclusive, color, description })));
      },
    },
  ];
}
