/** What happens to releases; a draft is nobody's news. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** `wasTagged`: a draft is published whose tag was there. */
    "release.published": { releaseId: number; tag: string; title: string; wasTagged?: boolean };
    "release.edited": { releaseId: number; tag: string };
    "release.deleted": { releaseId: number; tag: string };
  }
}

export {};
