/** What happens to releases; a draft is nobody's news. */
declare module "../events/types.ts" {
  interface EventPayloads {
    "release.published": { releaseId: number; tag: string; title: string };
    "release.edited": { releaseId: number; tag: string };
    "release.deleted": { releaseId: number; tag: string };
  }
}

export {};
