import { activityArea } from "./activity/area.ts";
import { adminArea } from "./admin/area.ts";
import type { Area } from "./area.ts";
import { contentArea } from "./content/area.ts";
import { identityArea } from "./identity/area.ts";
import { markupArea } from "./markup/area.ts";
import { reposArea } from "./repos/area.ts";
import { siteArea } from "./site/area.ts";
import { transportArea } from "./transport/area.ts";

/** Every area there is, each after those whose services it builds on. */
export const areas: readonly Area[] = [
  markupArea,
  identityArea,
  reposArea,
  contentArea,
  activityArea,
  transportArea,
  adminArea,
  siteArea,
];
