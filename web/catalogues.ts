import { accountWords } from "./account/words/index.ts";
import { actionsWords } from "./actions/words/index.ts";
import { adminWords } from "./admin/words/index.ts";
import { auditWords } from "./audit/words/index.ts";
import { avatarWords } from "./avatars/words/index.ts";
import { blocksWords } from "./blocks/words/index.ts";
import { contentWords } from "./content/words/index.ts";
import { conversationWords } from "./conversation/words/index.ts";
import { exploreWords } from "./explore/words/index.ts";
import { feedsWords } from "./feeds/words/index.ts";
import { followsWords } from "./follows/words/index.ts";
import { forksWords } from "./forks/words/index.ts";
import { generationWords } from "./generation/words/index.ts";
import { hiddenEntriesWords } from "./hidden-entries/words/index.ts";
import { homeWords } from "./home/words/index.ts";
import { identityWords } from "./identity/words/index.ts";
import { importsWords } from "./imports/words/index.ts";
import { insightsWords } from "./insights/words/index.ts";
import { issueListWords } from "./issue-lists/words/index.ts";
import { templatesWords } from "./issue-templates/words/index.ts";
import { itemBinWords } from "./item-bin/words/index.ts";
import { keysWords } from "./keys/words/index.ts";
import { labelsWords } from "./labels/words/index.ts";
import { lfsWords } from "./lfs/words/index.ts";
import { mergingWords } from "./merging/words/index.ts";
import { milestonesWords } from "./milestones/words/index.ts";
import { mirrorsWords } from "./mirrors/words/index.ts";
import { notificationsWords } from "./notifications/words/index.ts";
import { oauth2Words } from "./oauth2/words/index.ts";
import { organizationWords } from "./organizations/words/index.ts";
import { packagesWords } from "./packages/words/index.ts";
import { projectsWords } from "./projects/words/index.ts";
import { protectionsWords } from "./protections/words/index.ts";
import { pullWords } from "./pulls/words/index.ts";
import { quotaWords } from "./quotas/words/index.ts";
import { releasesWords } from "./releases/words/index.ts";
import { reposWords } from "./repos/words/index.ts";
import { runsWords } from "./runs/words/index.ts";
import { searchWords } from "./search/words/index.ts";
import { sourceWords } from "./sources/words/index.ts";
import { starsWords } from "./stars/words/index.ts";
import { timeWords } from "./time/words/index.ts";
import { topicsWords } from "./topics/words/index.ts";
import { transferWords } from "./transfers/words/index.ts";
import { twoFactorWords } from "./two-factor/words/index.ts";
import { webhooksWords } from "./webhooks/words/index.ts";
import { wikiWords } from "./wiki/words/index.ts";
import { siteWords } from "./words/index.ts";

/** The translations of every area; error codes of refused requests are looked up here. */
export const catalogues = [
  siteWords,
  accountWords,
  adminWords,
  auditWords,
  avatarWords,
  blocksWords,
  contentWords,
  conversationWords,
  exploreWords,
  followsWords,
  feedsWords,
  forksWords,
  generationWords,
  hiddenEntriesWords,
  homeWords,
  identityWords,
  issueListWords,
  keysWords,
  notificationsWords,
  templatesWords,
  labelsWords,
  lfsWords,
  mergingWords,
  milestonesWords,
  packagesWords,
  mirrorsWords,
  importsWords,
  quotaWords,
  releasesWords,
  oauth2Words,
  insightsWords,
  organizationWords,
  projectsWords,
  protectionsWords,
  pullWords,
  reposWords,
  searchWords,
  sourceWords,
  starsWords,
  timeWords,
  webhooksWords,
  actionsWords,
  runsWords,
  topicsWords,
  twoFactorWords,
  transferWords,
  itemBinWords,
  wikiWords,
] as const;
