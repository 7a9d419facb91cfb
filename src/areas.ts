import { actionsArea } from "./actions/area.ts";
import { activityArea } from "./activity/area.ts";
import { adminArea } from "./admin/area.ts";
import { archivesArea } from "./archives/area.ts";
import type { Area } from "./area.ts";
import { auditArea } from "./audit/area.ts";
import { avatarsArea } from "./avatars/area.ts";
import { backupArea } from "./backup/area.ts";
import { blobsArea } from "./blobs/area.ts";
import { blocksArea } from "./blocks/area.ts";
import { contentArea } from "./content/area.ts";
import { federationArea } from "./federation/area.ts";
import { flagsArea } from "./flags/area.ts";
import { followsArea } from "./follows/area.ts";
import { forksArea } from "./forks/area.ts";
import { generationArea } from "./generation/area.ts";
import { healthArea } from "./health/area.ts";
import { identityArea } from "./identity/area.ts";
import { importsArea } from "./imports/area.ts";
import { insightsArea } from "./insights/area.ts";
import { integrityArea } from "./integrity/area.ts";
import { issueTemplatesArea } from "./issue-templates/area.ts";
import { issuesArea } from "./issues/area.ts";
import { keysArea } from "./keys/area.ts";
import { labelsArea } from "./labels/area.ts";
import { lfsArea } from "./lfs/area.ts";
import { markupArea } from "./markup/area.ts";
import { milestonesArea } from "./milestones/area.ts";
import { mirrorsArea } from "./mirrors/area.ts";
import { noticesArea } from "./notices/area.ts";
import { notificationsArea } from "./notifications/area.ts";
import { oauth2Area } from "./oauth2/area.ts";
import { organizationsArea } from "./organizations/area.ts";
import { packagesArea } from "./packages/area.ts";
import { projectsArea } from "./projects/area.ts";
import { protectionsArea } from "./protections/area.ts";
import { pullsArea } from "./pulls/area.ts";
import { quotasArea } from "./quotas/area.ts";
import { referencesArea } from "./references/area.ts";
import { releasesArea } from "./releases/area.ts";
import { remotesArea } from "./remotes/area.ts";
import { reposArea } from "./repos/area.ts";
import { searchArea } from "./search/area.ts";
import { secretsArea } from "./secrets/area.ts";
import { signingArea } from "./signing/area.ts";
import { siteArea } from "./site/area.ts";
import { sourcesArea } from "./sources/area.ts";
import { sshArea } from "./ssh/area.ts";
import { starsArea } from "./stars/area.ts";
import { statusesArea } from "./statuses/area.ts";
import { timeArea } from "./time/area.ts";
import { topicsArea } from "./topics/area.ts";
import { transfersArea } from "./transfers/area.ts";
import { transportArea } from "./transport/area.ts";
import { twoFactorArea } from "./two-factor/area.ts";
import { userBadgesArea } from "./user-badges/area.ts";
import { webhooksArea } from "./webhooks/area.ts";
import { wikiArea } from "./wiki/area.ts";

/** All areas, each after those whose services it uses. */
export const areas: readonly Area[] = [
  markupArea,
  secretsArea,
  blobsArea,
  referencesArea,
  auditArea,
  identityArea,
  oauth2Area,
  twoFactorArea,
  blocksArea,
  followsArea,
  userBadgesArea,
  noticesArea,
  signingArea,
  reposArea,
  keysArea,
  remotesArea,
  integrityArea,
  avatarsArea,
  organizationsArea,
  quotasArea,
  lfsArea,
  mirrorsArea,
  sourcesArea,
  transfersArea,
  starsArea,
  federationArea,
  protectionsArea,
  contentArea,
  generationArea,
  topicsArea,
  flagsArea,
  statusesArea,
  labelsArea,
  milestonesArea,
  issuesArea,
  notificationsArea,
  releasesArea,
  issueTemplatesArea,
  timeArea,
  projectsArea,
  forksArea,
  archivesArea,
  searchArea,
  insightsArea,
  activityArea,
  transportArea,
  sshArea,
  wikiArea,
  pullsArea,
  importsArea,
  packagesArea,
  webhooksArea,
  actionsArea,
  backupArea,
  adminArea,
  healthArea,
  siteArea,
];
