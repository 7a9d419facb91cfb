import { accountArea } from "./account/area.ts";
import { actionsArea } from "./actions/area.ts";
import { adminArea } from "./admin/area.ts";
import type { WebArea } from "./area.ts";
import { auditArea } from "./audit/area.ts";
import { avatarsArea } from "./avatars/area.ts";
import { badgesArea } from "./badges/area.ts";
import { blocksArea } from "./blocks/area.ts";
import { contentArea } from "./content/area.ts";
import { conversationArea } from "./conversation/area.ts";
import { exploreArea } from "./explore/area.ts";
import { feedsArea } from "./feeds/area.ts";
import { followsArea } from "./follows/area.ts";
import { forksArea } from "./forks/area.ts";
import { generationArea } from "./generation/area.ts";
import { hiddenEntriesArea } from "./hidden-entries/area.ts";
import { homeArea } from "./home/area.ts";
import { identityArea } from "./identity/area.ts";
import { importsArea } from "./imports/area.ts";
import { insightsArea } from "./insights/area.ts";
import { issueListsArea } from "./issue-lists/area.ts";
import { issueTemplatesArea } from "./issue-templates/area.ts";
import { itemBinArea } from "./item-bin/area.ts";
import { keysArea } from "./keys/area.ts";
import { labelsArea } from "./labels/area.ts";
import { lfsArea } from "./lfs/area.ts";
import { mergingArea } from "./merging/area.ts";
import { milestonesArea } from "./milestones/area.ts";
import { mirrorsArea } from "./mirrors/area.ts";
import { notificationsArea } from "./notifications/area.ts";
import { oauth2Area } from "./oauth2/area.ts";
import { organizationsArea } from "./organizations/area.ts";
import { packagesArea } from "./packages/area.ts";
import { projectsArea } from "./projects/area.ts";
import { protectionsArea } from "./protections/area.ts";
import { pullsArea } from "./pulls/area.ts";
import { quotasArea } from "./quotas/area.ts";
import { releasesArea } from "./releases/area.ts";
import { reposArea } from "./repos/area.ts";
import { runsArea } from "./runs/area.ts";
import { searchArea } from "./search/area.ts";
import { siteArea } from "./site/area.ts";
import { sourcesArea } from "./sources/area.ts";
import { starsArea } from "./stars/area.ts";
import { timeArea } from "./time/area.ts";
import { topicsArea } from "./topics/area.ts";
import { transfersArea } from "./transfers/area.ts";
import { twoFactorArea } from "./two-factor/area.ts";
import { viewersArea } from "./viewers/area.ts";
import { webhooksArea } from "./webhooks/area.ts";
import { wikiArea } from "./wiki/area.ts";

/** Every area with pages. */
export const WEB_AREAS: readonly WebArea[] = [
  siteArea,
  homeArea,
  conversationArea,
  exploreArea,
  notificationsArea,
  identityArea,
  accountArea,
  twoFactorArea,
  auditArea,
  followsArea,
  blocksArea,
  oauth2Area,
  avatarsArea,
  adminArea,
  releasesArea,
  reposArea,
  protectionsArea,
  contentArea,
  issueListsArea,
  pullsArea,
  mergingArea,
  searchArea,
  insightsArea,
  feedsArea,
  badgesArea,
  sourcesArea,
  starsArea,
  topicsArea,
  forksArea,
  generationArea,
  organizationsArea,
  labelsArea,
  lfsArea,
  issueTemplatesArea,
  timeArea,
  milestonesArea,
  projectsArea,
  keysArea,
  packagesArea,
  quotasArea,
  mirrorsArea,
  importsArea,
  transfersArea,
  itemBinArea,
  hiddenEntriesArea,
  viewersArea,
  wikiArea,
  webhooksArea,
  actionsArea,
  runsArea,
];
