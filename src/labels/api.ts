import { Type } from "@sinclair/typebox";
import { maybeText, maybeYesNo } from "../http/fields.ts";
import { lists, type Parameter } from "../http/query.ts";
import { created, json, noContent, page } from "../http/respond.ts";
import { type Access, type Call, param, type Route, takes } from "../http/route.ts";
import { organizationOwner, seesOrganization, signedInSees } from "../organizations/access.ts";
import { seenOrganization } from "../organizations/subject.ts";
import { seenRepo } from "../repos/subject.ts";
import type { Services } from "../services.ts";
import { changesLabels, readsLabels } from "./access.ts";
import { LabelResource, labelResource, ownerLabelResource } from "./resource.ts";
import { type Label, type LabelHome, type LabelOrder, labelOrders } from "./types.ts";

const fields = {
  description: maybeText("Description."),
  exclusive: maybeYesNo("Whether an item can have only one label of the same scope."),
  is_archived: maybeYesNo("Whether it is archived."),
};
const color = "Three or six hexadecimal digits, with or without `#`.";

const CreateLabelBody = Type.Object(
  { name: Type.String({ description: "Name of the label." }), color: Type.String({ description: color }), ...fields },
  { $id: "CreateLabelOption", description: "A new label." },
);

const EditLabelBody = Type.Object(
  { name: maybeText("Name of the label."), color: maybeText(color), ...fields },
  { $id: "EditLabelOption", description: "Changes to a label; fields left out are unchanged." },
);

const orderParam: Parameter<LabelOrder> = {
  description: "The order; by name by default.",
  schema: Type.String({ enum: [...labelOrders] }),
  read: (given) => labelOrders.find((order) => order === given) ?? "name",
};

/** Label routes for one kind of owner, and who may use them. */
interface LabelPlace {
  readonly path: string;
  readonly tag: string;
  /** The prefix of operation ids, and the owner's name in descriptions. */
  readonly prefix: "issue" | "org";
  readonly what: string;
  readonly access: Readonly<Record<"list" | "get" | "change", Access>>;
  home(call: Call): LabelHome;
  show(call: Call, label: Label): LabelResource;
  /** Whether a new label may be created archived. */
  readonly archivesNew: boolean;
}

/** Labels over REST (contract issues.md 13.1 and 13.2). */
export function labelRoutes(services: Services): Route[] {
  const { links } = services;
  return [
    ...routesAt(services, {
      path: "/api/v1/repos/:owner/:repo/labels",
      tag: "issue",
      prefix: "issue",
      what: "repository",
      access: { list: readsLabels, get: readsLabels, change: changesLabels },
      home: seenRepo,
      show: (call, label) => labelResource(label, seenRepo(call), links),
      archivesNew: true,
    }),
    ...routesAt(services, {
      path: "/api/v1/orgs/:org/labels",
      tag: "organization",
      prefix: "org",
      what: "organization",
      access: { list: seesOrganization, get: signedInSees, change: organizationOwner },
      home: seenOrganization,
      show: (call, label) => ownerLabelResource(label, seenOrganization(call).organization.login, links),
      archivesNew: false,
    }),
  ];
}

function routesAt({ labels, links }: Services, place: LabelPlace): Route[] {
  const { access, archivesNew, home, path, prefix, tag, what } = place;
  const api = { surface: "api" } as const;
  const one = { description: "The label.", schema: LabelResource };
  const missing = { 404: { description: "There is no such label." } };
  const refused = {
    403: { description: "The caller may not change labels here." },
    422: { description: "A value is invalid." },
  };
  const params = { id: "Number of the label." };
  // Before the body is read: callers who may not change labels learn nothing about errors in it.
  const before = (call: Call) => labels.requireWrite(home(call));
  const edited = ({
    exclusive,
    is_archived,
    ...fields
  }: {
    exclusive?: boolean;
    is_archived?: boolean;
    description?: string;
  }) => ({
    ...fields,
    isExclusive: exclusive,
    isArchived: is_archived,
  });
  return [
    {
      ...api,
      method: "GET",
      path,
      access: access.list,
      doc: {
        id: `${prefix}ListLabels`,
        tag,
        summary: `List the labels of ${what === "organization" ? "an" : "a"} ${what}`,
        answers: { 200: { description: "The labels, including archived ones.", schema: Type.Array(LabelResource) } },
      },
      ...lists({ sort: orderParam }, (call, { sort }) => {
        const { items, total } = labels.list(home(call), sort, call.paging);
        const shown = items.map((label) => place.show(call, label));
        return page(shown, total, { rootUrl: links.rootUrl, ...call });
      }),
    },
    {
      ...api,
      method: "POST",
      path,
      access: access.change,
      doc: {
        id: `${prefix}CreateLabel`,
        tag,
        summary: `Create a label of ${what === "organization" ? "an" : "a"} ${what}`,
        answers: { 201: one, ...refused },
      },
      ...takes(
        CreateLabelBody,
        (call, { color, name, ...body }) => {
          const { isArchived, ...given } = edited(body);
          const label = { name, color, ...given, isArchived: archivesNew && isArchived };
          return created(place.show(call, labels.create(home(call), label)));
        },
        { before },
      ),
    },
    {
      ...api,
      method: "GET",
      path: `${path}/:id`,
      access: access.get,
      doc: {
        id: `${prefix}GetLabel`,
        tag,
        summary: `Get a label of ${what === "organization" ? "an" : "a"} ${what}`,
        params: { id: "Number of the label, or its name." },
        answers: { 200: one, ...missing },
      },
      handle: (call) => {
        const id = param(call, "id");
        const found = isNumber(id) ? labels.get(home(call), Number(id)) : labels.named(home(call), id);
        return json(place.show(call, found));
      },
    },
    {
      ...api,
      method: "PATCH",
      path: `${path}/:id`,
      access: access.change,
      doc: {
        id: `${prefix}EditLabel`,
        tag,
        summary: `Change a label of ${what === "organization" ? "an" : "a"} ${what}`,
        params,
        answers: { 200: one, ...missing, ...refused },
      },
      ...takes(
        EditLabelBody,
        (call, { color, name, ...body }) =>
          json(place.show(call, labels.edit(home(call), idOf(call), { name, color, ...edited(body) }))),
        {
          before: (call) => {
            before(call);
            labels.get(home(call), idOf(call));
          },
        },
      ),
    },
    {
      ...api,
      method: "DELETE",
      path: `${path}/:id`,
      access: access.change,
      doc: {
        id: `${prefix}DeleteLabel`,
        tag,
        summary: `Delete a label of ${what === "organization" ? "an" : "a"} ${what}`,
        params,
        answers: { 204: { description: "The label no longer exists here." }, 403: refused[403] },
      },
      handle: (call) => {
        labels.delete(home(call), idOf(call));
        return noContent();
      },
    },
  ];
}

const isNumber = (text: string) => /^\d{1,15}$/.test(text);

function idOf(call: Call): number {
  const id = param(call, "id");
  return isNumber(id) ? Number(id) : 0;
}
