/** Events about releases; drafts emit none. */
declare module "../events/types.ts" {
  interface EventPayloads {
    /** `wasTagged`: a draft was published whose tag already existed. */
    "release.published": { releaseId: number; tag: string; title: string; wasTagged?: boolean };
    "release.edited": { releaseId: number; tag: string };
    "release.deleted": { releaseId: number; tag: string };
  }
}

export {};
