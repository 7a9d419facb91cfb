import type { WebArea } from "../area.ts";
import { organizationHref } from "../links.ts";
import { labelsWords } from "./words/index.ts";

export const labelsArea: WebArea = {
  name: "labels",
  routes: async () => (await import("./routes.tsx")).labelPages,
  organizationSettings: [
    {
      id: "labels",
      label: labelsWords.label("labels"),
      icon: "tag",
      order: 30,
      href: ({ name }) => organizationHref(name, "settings/labels"),
    },
  ],
};
