import { accountArea } from "./account/area.ts";
import { adminArea } from "./admin/area.ts";
import type { WebArea } from "./area.ts";
import { avatarsArea } from "./avatars/area.ts";
import { badgesArea } from "./badges/area.ts";
import { contentArea } from "./content/area.ts";
import { exploreArea } from "./explore/area.ts";
import { feedsArea } from "./feeds/area.ts";
import { forksArea } from "./forks/area.ts";
import { homeArea } from "./home/area.ts";
import { identityArea } from "./identity/area.ts";
import { keysArea } from "./keys/area.ts";
import { organizationsArea } from "./organizations/area.ts";
import { reposArea } from "./repos/area.ts";
import { searchArea } from "./search/area.ts";
import { siteArea } from "./site/area.ts";
import { starsArea } from "./stars/area.ts";
import { topicsArea } from "./topics/area.ts";

/** Every area with pages. */
export const WEB_AREAS: readonly WebArea[] = [
  siteArea,
  homeArea,
  exploreArea,
  identityArea,
  accountArea,
  avatarsArea,
  adminArea,
  reposArea,
  contentArea,
  searchArea,
  feedsArea,
  badgesArea,
  starsArea,
  topicsArea,
  forksArea,
  organizationsArea,
  keysArea,
];
