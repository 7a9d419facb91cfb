import { avatarWords } from "./avatars/words/index.ts";
import { exploreWords } from "./explore/words/index.ts";
import { identityWords } from "./identity/words/index.ts";
import { siteWords } from "./words/index.ts";

/** The words of every area: where a refusal's code is looked up, and what the check of words goes through. */
export const catalogues = [siteWords, avatarWords, exploreWords, identityWords] as const;
